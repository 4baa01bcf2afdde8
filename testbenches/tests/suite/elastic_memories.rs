//! Memories of dataflow graphs, and whole kernels: order by tokens, shared ports, start and done.

use std::collections::BTreeMap;

use sluice_ir::bits::Bits;
use sluice_sim::interpreter::Argument;
use sluice_sim::testbench::{Run, Testbench, Unwatched};
use sluice_testbenches::streams::{Random, Streams, Traffic};

use crate::elastic_circuits::{compiled, kernel, traffics};

fn streams(text: &str) -> Streams {
    let (context, circuits) = compiled(text).unwrap_or_else(|why| panic!("{text}\n{why}"));
    let made = Streams::new(&context, &circuits, "t");
    made.unwrap_or_else(|why| panic!("{text}\n{why}"))
}

fn numbers(random: &mut Random, n: usize, below: u64) -> Vec<u64> {
    (0..n).map(|_| random.below(below)).collect()
}

#[test]
fn a_load_after_a_store_reads_what_it_wrote() {
    let text = "handshake.func @t(%a: i3, %b: i8) -> i8 {
        %f:2 = fork [2] %a : i3
        %always = source
        %m:3 = memory[ld = 1, st = 1] (%sd, %sa, %la) {id = 0 : i32, lsq = false} : memref<8xi8>, (i8, i3, i3) -> (i8, none, none)
        %sd, %sa = store [%f#0] %b, %always : i3, i8
        %ld, %la = load [%f#1] %m#0, %m#1 : i3, i8
        sink %m#2 : none
        return %ld : i8
    }";
    let mut streams = streams(text);
    for traffic in traffics(6) {
        let mut random = Random::new(traffic.seed);
        let (places, data) = (numbers(&mut random, 60, 8), numbers(&mut random, 60, 256));
        let seen = streams.run(&[("a", &places), ("b", &data)], &[], traffic, 1500);
        let seen = seen.unwrap_or_else(|why| panic!("{traffic:?}: {why}"));
        assert_eq!(seen.data("out0"), data, "{traffic:?}");
    }
}

#[test]
fn a_load_passes_stores_of_other_cells_and_waits_for_those_of_its_own() {
    let text = |slots: usize| {
        format!(
            "handshake.func @t(%mem: memref<8xi8>, %a: i3, %b: i8, %c: i3) -> i8 {{
        %m:3 = extmemory[ld = 1, st = 1] (%mem : memref<8xi8>) (%sd, %sa, %la) {{id = 0 : i32}} : (i8, i3, i3) -> (i8, none, none)
        %before = source
        %known:2 = sync %a, %before : i3, none
        %waiting = buffer [{slots}] fifo %known#0 {{sluice.pending}} : i3
        %always = source
        %sd, %sa = store [%waiting] %b, %always : i3, i8
        %ld, %la = load [%c] %m#0, %known#1 : i3, i8
        sink %m#1 : none
        sink %m#2 : none
        return %ld : i8
    }}"
        )
    };
    for slots in [1, 2, 3, 5, 16] {
        let mut streams = streams(&text(slots));
        for traffic in traffics(6) {
            let mut random = Random::new(traffic.seed);
            let (stored, data) = (numbers(&mut random, 60, 8), numbers(&mut random, 60, 256));
            let loaded = numbers(&mut random, 60, 8);
            let mut words: Vec<u64> = numbers(&mut random, 8, 256);
            let initial = words.clone();
            let mut expected = Vec::new();
            for ((at, word), from) in stored.iter().zip(&data).zip(&loaded) {
                words[usize::try_from(*at).expect("it is small")] = *word;
                expected.push(words[usize::try_from(*from).expect("it is small")]);
            }
            let tokens = [("a", &stored[..]), ("b", &data[..]), ("c", &loaded[..])];
            let seen = streams.run(&tokens, &[("mem", &initial)], traffic, 1500);
            let seen = seen.unwrap_or_else(|why| panic!("{slots} slots, {traffic:?}: {why}"));
            assert_eq!(seen.data("out0"), expected, "{slots} slots, {traffic:?}");
        }
        // While the data are missing, the queue accepts addresses up to its capacity, and a load of a different cell is answered.
        let tokens: [(&str, &[u64]); 2] = [("a", &[1, 2]), ("c", &[5])];
        let words: Vec<u64> = (0..8).collect();
        let seen = streams.run(&tokens, &[("mem", &words)], Traffic::EAGER, 50);
        assert_eq!(seen.expect("every promise is kept").data("out0"), [5]);
        // A load of the same cell is not answered.
        let tokens: [(&str, &[u64]); 2] = [("a", &[5, 2]), ("c", &[5])];
        let seen = streams.run(&tokens, &[("mem", &words)], Traffic::EAGER, 50);
        assert!(seen.expect("every promise is kept").data("out0").is_empty());
        // When the data arrive, the load takes the word in the cycle in which it is written.
        let tokens: [(&str, &[u64]); 3] = [("a", &[5]), ("b", &[77]), ("c", &[5])];
        let seen = streams.run(&tokens, &[("mem", &words)], Traffic::EAGER, 50);
        let seen = seen.expect("every promise is kept");
        assert_eq!(seen.given["out0"], [(seen.taken["b"][0].0 + 1, 77)]);
    }
}

#[test]
fn a_store_after_a_load_does_not_change_what_it_reads() {
    // A counter in a memory: each store waits for the load before it, and each load for the store before it.
    let text = "handshake.func @t(%a: i3) -> i8 {
        %f:2 = fork [2] %a : i3
        %queue = buffer [2] fifo %f#1 : i3
        %first = buffer [1] seq %m#1 {initValues = [0]} : none
        %m:3 = extmemory[ld = 1, st = 1] (%mem : memref<8xi8>) (%sd, %sa, %la) {id = 0 : i32} : (i8, i3, i3) -> (i8, none, none)
        %ld, %la = load [%f#0] %m#0, %first : i3, i8
        %always = source
        %one = constant %always {value = 1 : i8} : i8
        %v:2 = fork [2] %ld : i8
        %more = arith.addi %v#0, %one : i8
        %sd, %sa = store [%queue] %more, %m#2 : i3, i8
        return %v#1 : i8
    }"
    .replace("(%a: i3)", "(%a: i3, %mem: memref<8xi8>)");
    let mut streams = streams(&text);
    for traffic in traffics(6) {
        let mut random = Random::new(traffic.seed);
        let places = numbers(&mut random, 60, 8);
        let words = numbers(&mut random, 8, 200);
        let seen = streams.run(&[("a", &places)], &[("mem", &words)], traffic, 2500);
        let seen = seen.unwrap_or_else(|why| panic!("{traffic:?}: {why}"));
        let mut now = words.clone();
        let expected: Vec<u64> = places
            .iter()
            .map(|place| {
                let cell = &mut now[usize::try_from(*place).expect("it is small")];
                *cell = (*cell + 1) & 255;
                cell.wrapping_sub(1) & 255
            })
            .collect();
        assert_eq!(seen.data("out0"), expected, "{traffic:?}");
        assert_eq!(seen.memories["mem"], now, "{traffic:?}");
    }
}

/// Returns `n` loads of one table.
fn table(n: usize, words: &[u64]) -> String {
    let list = |f: &dyn Fn(usize) -> String| {
        let all: Vec<String> = (0..n).map(f).collect();
        all.join(", ")
    };
    let values: Vec<String> = words.iter().map(|w| format!("{w} : i8")).collect();
    let loads: String = (0..n)
        .map(|i| format!("%d{i}, %p{i} = load [%a{i}] %m#{i}, %always{i} : i3, i8 sink %m#{} : none %always{i} = source ", n + i))
        .collect();
    format!(
        "handshake.func @t({}) -> ({}) {{ %m:{} = memory[ld = {n}, st = 0] ({}) {{id = 0 : i32, lsq = false, sluice.values = [{}]}} : memref<{}xi8>, ({}) -> ({}, {}) {loads} return {} : {} }}",
        list(&|i| format!("%a{i}: i3")),
        list(&|_| "i8".to_owned()),
        2 * n,
        list(&|i| format!("%p{i}")),
        values.join(", "),
        words.len(),
        list(&|_| "i3".to_owned()),
        list(&|_| "i8".to_owned()),
        list(&|_| "none".to_owned()),
        list(&|i| format!("%d{i}")),
        list(&|_| "i8".to_owned()),
    )
}

#[test]
fn loads_that_share_a_port_each_get_their_answers() {
    let words: Vec<u64> = (0..7).map(|i| i * 31 + 5).collect();
    for n in [1usize, 2, 3] {
        let mut streams = streams(&table(n, &words));
        let names: Vec<String> = (0..n).map(|i| format!("a{i}")).collect();
        for traffic in traffics(4) {
            let mut random = Random::new(traffic.seed);
            let all: Vec<Vec<u64>> = (0..n).map(|_| numbers(&mut random, 40, 7)).collect();
            let names = names.iter().map(String::as_str);
            let tokens: Vec<_> = names.zip(all.iter().map(Vec::as_slice)).collect();
            let seen = streams.run(&tokens, &[], traffic, 1500);
            let seen = seen.unwrap_or_else(|why| panic!("{n} loads, {traffic:?}: {why}"));
            for (i, places) in all.iter().enumerate() {
                let place = |p: &u64| words[usize::try_from(*p).expect("it is small")];
                let expected: Vec<u64> = places.iter().map(place).collect();
                assert_eq!(
                    seen.data(&format!("out{i}")),
                    expected,
                    "{n} loads, {traffic:?}"
                );
            }
        }
    }
}

#[test]
fn a_load_takes_one_cycle_and_holds_one_answer() {
    let words: Vec<u64> = (0..8).collect();
    let external = "handshake.func @t(%m: memref<8xi8>, %a0: i3) -> i8 {
        %o:2 = extmemory[ld = 1, st = 0] (%m : memref<8xi8>) (%p) {id = 0 : i32} : (i3) -> (i8, none)
        sink %o#1 : none
        %always = source
        %d, %p = load [%a0] %o#0, %always : i3, i8
        return %d : i8
    }";
    for text in [table(1, &words), external.to_owned()] {
        let mut streams = streams(&text);
        let places: Vec<u64> = (0..20).map(|i| i * 3 % 8).collect();
        let tokens = [("a0", places.as_slice())];
        let seen = streams.run(&tokens, &[("m", &words)], Traffic::EAGER, 100);
        let seen = seen.expect("every promise is kept");
        let (asked, answered) = (&seen.taken["a0"], &seen.given["out0"]);
        let later: Vec<_> = asked
            .iter()
            .map(|(cycle, place)| (cycle + 1, *place))
            .collect();
        assert_eq!(*answered, later);
        assert!(asked.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1));
        let blocked = Traffic {
            take: 0,
            ..Traffic::EAGER
        };
        let seen = streams.run(&tokens, &[("m", &words)], blocked, 100);
        assert_eq!(seen.expect("every promise is kept").taken["a0"].len(), 1);
    }
}

#[test]
fn an_answer_may_ask_a_later_port_in_its_cycle() {
    let words: Vec<u64> = vec![3, 6, 1, 7, 2, 0, 5, 4];
    let text = "handshake.func @t(%m: memref<8xi3>, %a: i3) -> i3 {
        %o:4 = extmemory[ld = 2, st = 0] (%m : memref<8xi3>) (%first, %second) {id = 0 : i32} : (i3, i3) -> (i3, i3, none, none)
        sink %o#2 : none
        sink %o#3 : none
        %s0 = source
        %s1 = source
        %p, %first = load [%a] %o#0, %s0 : i3, i3
        %q, %second = load [%p] %o#1, %s1 : i3, i3
        return %q : i3
    }";
    let mut streams = streams(text);
    for traffic in traffics(4) {
        let mut random = Random::new(traffic.seed);
        let places = numbers(&mut random, 40, 8);
        let seen = streams.run(&[("a", &places)], &[("m", &words)], traffic, 1500);
        let seen = seen.unwrap_or_else(|why| panic!("{traffic:?}: {why}"));
        let word = |place: u64| words[usize::try_from(place).expect("it is small")];
        let expected: Vec<u64> = places.iter().map(|place| word(word(*place))).collect();
        assert_eq!(seen.data("out0"), expected, "{traffic:?}");
    }
}

#[test]
fn stores_that_share_a_port_are_all_done() {
    let text = "handshake.func @t(%m: memref<8xi8>, %a: i2, %b: i8, %c: i2, %d: i8) -> (none, none) {
        %o:2 = extmemory[ld = 0, st = 2] (%m : memref<8xi8>) (%sd0, %sa0, %sd1, %sa1) {id = 0 : i32} : (i8, i3, i8, i3) -> (none, none)
        %always:2 = fork [2] %source : none
        %source = source
        %low = arith.extui %a : i2 to i3
        %high = arith.extui %c : i2 to i3
        %s = source
        %four = constant %s {value = 4 : i3} : i3
        %upper = arith.addi %high, %four : i3
        %sd0, %sa0 = store [%low] %b, %always#0 : i3, i8
        %sd1, %sa1 = store [%upper] %d, %always#1 : i3, i8
        return %o#0, %o#1 : none, none
    }";
    let mut streams = streams(text);
    for traffic in traffics(6) {
        let mut random = Random::new(traffic.seed);
        let mut words = numbers(&mut random, 8, 256);
        let before = words.clone();
        let places = [0; 2].map(|_| numbers(&mut random, 40, 4));
        let data = [0; 2].map(|_| numbers(&mut random, 40, 256));
        let tokens = [
            ("a", places[0].as_slice()),
            ("b", &data[0]),
            ("c", &places[1]),
            ("d", &data[1]),
        ];
        let seen = streams.run(&tokens, &[("m", &before)], traffic, 1500);
        let seen = seen.unwrap_or_else(|why| panic!("{traffic:?}: {why}"));
        for half in 0..2 {
            for (place, data) in places[half].iter().zip(&data[half]) {
                words[4 * half + usize::try_from(*place).expect("it is small")] = *data;
            }
            assert_eq!(seen.data(&format!("out{half}")).len(), 40, "{traffic:?}");
        }
        assert_eq!(seen.memories["m"], words, "{traffic:?}");
    }
}

/// A kernel that returns the sum of the first `n` words, and `n`.
const KERNEL: &str = "handshake.func @t(%A: memref<8xi8>, %n: i4, %go: none) -> (i8, none) attributes {
    sluice.arguments = [{name = \"A\", width = 8 : i64}, {name = \"n\", width = 4 : i64}], sluice.results = [{width = 8 : i64}]} {
  %g:3 = fork [3] %go : none
  %i0 = constant %g#0 {value = 0 : i4} : i4
  %s0 = constant %g#1 {value = 0 : i8} : i8
  %ctl, %idx = control_merge %g#2, %again : none, i1
  %first:3 = fork [3] %idx : i1
  %i = mux %first#0 [%i0, %i_next] : i1, i4
  %sum = mux %first#1 [%s0, %sum_next] : i1, i8
  %limit = mux %first#2 [%n, %limit_next] : i1, i4
  %is:2 = fork [2] %i : i4
  %limits:2 = fork [2] %limit : i4
  %c = arith.cmpi ult, %is#0, %limits#0 : i4
  %cs:4 = fork [4] %c : i1
  %i_in, %i_out = cond_br %cs#0, %is#1 : i4
  %sum_in, %sum_out = cond_br %cs#1, %sum : i8
  %limit_in, %limit_out = cond_br %cs#2, %limits#1 : i4
  %ctl_in, %ctl_out = cond_br %cs#3, %ctl : none
  sink %i_out : i4
  sink %limit_out : i4
  %i_ins:2 = fork [2] %i_in : i4
  %place = arith.trunci %i_ins#0 : i4 to i3
  %ctls:2 = fork [2] %ctl_in : none
  %m:2 = extmemory[ld = 1, st = 0] (%A : memref<8xi8>) (%asks) {id = 0 : i32} : (i3) -> (i8, none)
  %word, %asks = load [%place] %m#0, %ctls#0 : i3, i8
  %added = arith.addi %sum_in, %word : i8
  %always = source
  %one = constant %always {value = 1 : i4} : i4
  %i_more = arith.addi %i_ins#1, %one : i4
  %i_next = buffer [1] seq %i_more : i4
  %sum_next = buffer [1] seq %added : i8
  %limit_next = buffer [1] seq %limit_in : i4
  %both = join %ctls#1, %m#1 : none, none
  %again = buffer [1] seq %both : none
  return %sum_out, %ctl_out : i8, none
}";

#[test]
fn a_kernel_starts_and_is_done_as_every_kernel() {
    let (context, circuits) = compiled(KERNEL).unwrap_or_else(|why| panic!("{why}"));
    let (interface, mut simulator) = kernel(&context, &circuits);
    let testbench = Testbench::new(&mut simulator, &interface, &mut Unwatched);
    let mut testbench = testbench.expect("the interface fits");
    let mut cycles = BTreeMap::new();
    for n in [8u64, 0, 3, 1, 8, 5] {
        let words: Vec<Bits> = (0..8).map(|i| Bits::from_u64(8, i * 29 + n)).collect();
        let arguments = [
            Argument::Memory(words),
            Argument::Scalar(Bits::from_u64(4, n)),
        ];
        // The arguments are captured at the start; later the inputs may have any value.
        let run = Run {
            noise: Some(Bits::from_u64(4, 11)),
            ..Run::within(200)
        };
        let outcome = testbench.run(&arguments, &run, &mut Unwatched);
        let outcome = outcome.unwrap_or_else(|why| panic!("{n} words: {why}"));
        let expected = (0..n).map(|i| i * 29 + n).sum::<u64>() & 255;
        assert_eq!(outcome.results, [Bits::from_u64(8, expected)], "{n} words");
        cycles
            .entry(n)
            .or_insert_with(Vec::new)
            .push(outcome.cycles);
    }
    // The tokens arrive in the cycle after the start, and leave in the cycle of the return.
    assert_eq!(cycles[&0], [2]);
    assert!(cycles.values().all(|all| all.iter().all(|c| *c == all[0])));
}
