//! Circuits of hw, comb and seq on the cycle simulator: compared with Verilator, with models of extern modules, and circuits that
//! are rejected.

use sluice_kernel::compiled::Failure;
use sluice_testbenches::circt_examples::{examples, reason, subject};
use sluice_testbenches::module_check::{compare, prepare, simulated};
use sluice_testbenches::verilator::available_or_excused;
use sluice_verify::circuit::{
    Backend, Bits, Circuit, ClockTiming, Model, Settings, Surroundings, parse_clock,
};

const OPERATIONS: &str = include_str!("../circuits/operations.mlir");

/// Values that form a loop as whole words but not bit by bit.
const PARTS: &str = include_str!("../circuits/parts.mlir");

/// Parametric types.
const PARAMETERS: &str = include_str!("../circuits/parameters.mlir");

/// Instances that form a loop as whole modules but not port by port.
const PORTS: &str = include_str!("../circuits/ports.mlir");

const NAMES: &str = include_str!("../circuits/names.mlir");

const ARCS: &str = include_str!("../circuits/arcs.mlir");

const N_CYCLES: u64 = 300;

/// Compares every module of a file, which has `n_modules`, on both backends and under Verilator.
pub(crate) fn agrees_with_verilator(file: &str, text: &str, n_modules: usize) {
    let (found, n_wrong) = examples(text);
    assert_eq!((found.len(), n_wrong), (n_modules, 0));
    let mut prepared = Vec::new();
    for example in &found {
        let subject = subject(example, file).expect("it is read");
        let module = prepare(&subject, N_CYCLES).unwrap_or_else(|why| panic!("{why}"));
        let slow = simulated(&subject, Backend::Bytecode, N_CYCLES);
        for form in Backend::machine_code() {
            assert_eq!(slow, simulated(&subject, form, N_CYCLES), "{form:?}");
        }
        prepared.push(module);
    }
    if available_or_excused() {
        let modules: Vec<_> = prepared.iter().collect();
        let found = compare(&modules, N_CYCLES).unwrap_or_else(|why| panic!("{why}"));
        let differ: Vec<String> = found.into_iter().flatten().collect();
        assert!(differ.is_empty(), "{}", differ.join("\n"));
    }
}

#[test]
fn every_operation_agrees_with_verilator() {
    agrees_with_verilator("operations.mlir", OPERATIONS, 13);
}

#[test]
fn names_that_verilog_does_not_know_agree_with_verilator() {
    agrees_with_verilator("names.mlir", NAMES, 8);
}

#[test]
fn values_whose_parts_are_made_of_one_another_agree_with_verilator() {
    agrees_with_verilator("parts.mlir", PARTS, 5);
}

#[test]
fn types_with_parameters_agree_with_verilator() {
    agrees_with_verilator("parameters.mlir", PARAMETERS, 6);
}

#[test]
fn ports_that_are_made_of_one_another_agree_with_verilator() {
    agrees_with_verilator("ports.mlir", PORTS, 8);
}

#[test]
fn circuits_of_arc_agree_with_verilator() {
    agrees_with_verilator("arcs.mlir", ARCS, 7);
}

#[test]
fn functions_that_become_too_great_are_refused() {
    let mut text = "arc.define @f0(%a : i8) -> i8 {\n  arc.output %a : i8\n}\n".to_owned();
    for n in 1..30 {
        let called = n - 1;
        text += &format!(
            "arc.define @f{n}(%a : i8) -> i8 {{
  %0 = arc.call @f{called}(%a) : (i8) -> i8
  %1 = arc.call @f{called}(%0) : (i8) -> i8
  %2 = comb.add %0, %1 : i8
  arc.output %2 : i8
}}\n"
        );
    }
    text += "hw.module @m(in %a : i8, out x : i8) {
  %0 = arc.call @f29(%a) : (i8) -> i8
  hw.output %0 : i8
}\n";
    let Err(Failure::Input(message)) = Circuit::read(&text, "great.mlir", None) else {
        panic!("2^29 operations are too many");
    };
    assert!(
        message.contains("the limit `operations` is 1000000"),
        "{message}"
    );
}

#[test]
fn modules_that_are_written_elsewhere_keep_their_names() {
    let text = "
hw.module.extern @Cell(in %x : i8, out y : i8) attributes {verilogName = \"cell_v2\"}
hw.module @cell_v2(in %x : i8, out y : i8) {
  %y = hw.instance \"a\" @Cell(x: %x: i8) -> (y: i8)
  hw.output %y : i8
}
hw.module @top(in %x : i8, out y : i8) {
  %y = hw.instance \"b\" @cell_v2(x: %x: i8) -> (y: i8)
  hw.output %y : i8
}
";
    let circuit = Circuit::read(text, "c.mlir", Some("top"));
    let circuit = circuit.ok().flatten().expect("the text is a circuit");
    let verilog = circuit.verilog();
    let verilog = verilog.unwrap_or_else(|why| panic!("{why:?}"));
    for expected in ["module cell_v2_1 (", "\n  cell_v2 a (", "\n  cell_v2_1 b ("] {
        assert!(verilog.contains(expected), "{expected}: {verilog}");
    }
}

fn circuit(text: &str) -> Circuit {
    let circuit = Circuit::read(text, "c.mlir", None);
    circuit.ok().flatten().expect("the text is a circuit")
}

fn refused(text: &str, settings: &Settings) -> String {
    match circuit(text).simulator(settings) {
        Err(Failure::Input(message) | Failure::Internal(message)) => message,
        Ok(_) => panic!("it is simulated"),
    }
}

fn clocked(clocks: &[&str]) -> Settings {
    let clocks = clocks.iter().map(|text| parse_clock(text));
    Settings {
        surroundings: Surroundings {
            clocks: clocks.collect::<Result<_, _>>().expect("they are clocks"),
            ..Surroundings::default()
        },
        ..Settings::default()
    }
}

const TWO_CLOCKS: &str = "
hw.module @two(in %fast : !seq.clock, in %slow : !seq.clock, out f : i8, out s : i8) {
  %one = hw.constant 1 : i8
  %nf = comb.add %f, %one : i8
  %ns = comb.add %s, %one : i8
  %f = seq.compreg %nf, %fast : i8
  %s = seq.compreg %ns, %slow : i8
  hw.output %f, %s : i8, i8
}
";

#[test]
fn registers_belong_to_the_clock_that_drives_them() {
    for (clocks, fast, slow) in [
        (["fast=1", "slow=4"], 12, 3),
        (["fast=1", "slow=4:3"], 12, 3),
        (["fast=2", "slow=6"], 12, 4),
        (["fast=3", "slow=2:1"], 4, 6),
    ] {
        let mut simulator = circuit(TWO_CLOCKS)
            .simulator(&clocked(&clocks))
            .unwrap_or_else(|why| panic!("{why:?}"));
        simulator.run_cycles(12);
        simulator.evaluate();
        let counts = (simulator.output(0).low_u64(), simulator.output(1).low_u64());
        assert_eq!(counts, (fast, slow), "{clocks:?}");
    }
}

#[test]
fn clocks_that_are_not_said_or_not_there_are_errors() {
    let found = refused(TWO_CLOCKS, &Settings::default());
    assert!(
        found.contains("say the period of each in ticks, as `fast=1`, `slow=1`"),
        "{found}"
    );
    let found = refused(TWO_CLOCKS, &clocked(&["quick=1"]));
    assert!(
        found.contains("there is no clock `quick`; there is: `fast`, `slow`"),
        "{found}"
    );
    assert_eq!(
        parse_clock("slow=4:4"),
        Err("a phase is below the period, 0 to 3".to_owned())
    );
    assert_eq!(
        parse_clock("slow=4:1"),
        Ok(ClockTiming {
            name: "slow".to_owned(),
            period: 4,
            phase: 1
        })
    );
}

const EXTERN: &str = "
hw.module.extern @Square(in %x : i8, out y : i16)
hw.module.extern @Total(in %clock : !seq.clock, in %x : i8, out y : i32)
hw.module @top(in %clock : !seq.clock, in %x : i8, out square : i16, out total : i32) {
  %square = hw.instance \"a\" @Square(x: %x: i8) -> (y: i16)
  %total = hw.instance \"b\" @Total(clock: %clock: !seq.clock, x: %x: i8) -> (y: i32)
  hw.output %square, %total : i16, i32
}
";

#[test]
fn what_is_written_elsewhere_has_a_model() {
    let found = refused(EXTERN, &Settings::default());
    let expected = "`@Square` is a `hw.module.extern`, written elsewhere, and has no model; its ports are `in x: i8`, `out y: i16`. Write a `hw.module @Square` with these ports into the file in its place, or bind a model in Rust: `Models::bind(\"Square\", Model::pure(...))`. `compile` writes the instance without it";
    assert!(found.contains(expected), "{found}");

    let mut settings = Settings::default();
    let models = &mut settings.surroundings.models;
    models.bind(
        "Square",
        Model::pure(|inputs| vec![inputs[0].zext(16).mul(&inputs[0].zext(16))]),
    );
    models.bind(
        "Total",
        Model::with_state(
            Bits::from_u64(32, 100),
            "clock",
            |state, inputs| state.add(&inputs[0].zext(32)),
            |state| vec![state.clone()],
        ),
    );
    for backend in std::iter::once(Backend::Bytecode).chain(Backend::machine_code()) {
        settings.backend = backend;
        let simulator = circuit(EXTERN).simulator(&settings);
        let mut simulator = simulator.unwrap_or_else(|why| panic!("{why:?}"));
        simulator.set_input(0, &Bits::from_u64(8, 20));
        simulator.run_cycles(3);
        simulator.evaluate();
        let outputs = (simulator.output(0).low_u64(), simulator.output(1).low_u64());
        assert_eq!(outputs, (400, 160));
    }
}

#[test]
fn memory_that_was_not_written_is_named_when_it_is_read() {
    let text = "
hw.module @top(in %clock : !seq.clock, in %at : i4, in %write : i1, out data : i8) {
  %one = hw.constant 1 : i8
  %m = seq.firmem 0, 1, undefined, undefined {name = \"store\"} : <12 x 8>
  %data = seq.firmem.read_port %m[%at], clock %clock : <12 x 8>
  seq.firmem.write_port %m[%at] = %one, clock %clock enable %write : <12 x 8>
  hw.output %data : i8
}
";
    let settings = Settings {
        uninitialised: true,
        ..Settings::default()
    };
    let circuit = circuit(text);
    let mut simulator = circuit
        .simulator(&settings)
        .unwrap_or_else(|why| panic!("{why:?}"));
    // A write beyond the end has no effect.
    simulator.set_input(0, &Bits::from_u64(4, 13));
    simulator.run_cycles(2);
    assert_eq!(simulator.uninitialised_reads(), []);
    simulator.set_input(0, &Bits::from_u64(4, 5));
    simulator.set_input(1, &Bits::from_u64(1, 1));
    simulator.run_cycles(2);
    let found = simulator.uninitialised_reads();
    let said: Vec<String> = found.iter().map(|read| circuit.warning(read)).collect();
    assert_eq!(
        said,
        [
            "c.mlir:4:8: warning: word 5 of memory `store` is read in cycle 2 and was not written before\n"
        ]
    );
}

#[test]
fn an_asynchronous_reset_takes_effect_when_it_is_set() {
    let text = "
hw.module @top(in %clock : !seq.clock, in %reset : i1, out q : i8) {
  %seven = hw.constant 7 : i8
  %one = hw.constant 1 : i8
  %next = comb.add %q, %one : i8
  %q = seq.firreg %next clock %clock reset async %reset, %seven preset 3 : i8
  hw.output %q : i8
}
";
    let mut simulator = circuit(text)
        .simulator(&Settings::default())
        .unwrap_or_else(|why| panic!("{why:?}"));
    let mut seen = Vec::new();
    for reset in [0, 1, 0] {
        simulator.set_input(0, &Bits::from_u64(1, reset));
        simulator.evaluate();
        seen.push(simulator.output(0).low_u64());
    }
    simulator.clock_edge();
    simulator.evaluate();
    seen.push(simulator.output(0).low_u64());
    assert_eq!(seen, [3, 7, 7, 8]);
}

#[test]
fn reasons_are_the_same_for_messages_that_differ_in_names() {
    let of = |text: &str| reason(&format!("f.mlir:1:2: error: {text}\n  line\n"));
    assert_eq!(of("unknown operation 'sv.reg'"), "unknown operation 'sv.*'");
    assert_eq!(of("use of '%a'"), "use of '...'");
}
