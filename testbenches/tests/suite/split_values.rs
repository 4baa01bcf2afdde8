//! Words whose bits depend on one another in any order behave as the separate bits do, also across the ports of instances.

use std::fmt::Write as _;

use sluice_testbenches::circt_examples::{examples, subject};
use sluice_testbenches::module_check::simulated;
use sluice_testbenches::streams::Random;
use sluice_verify::circuit::Backend;

/// The way in which a word is assembled and its bits are read.
struct Word {
    bits: usize,
    way: usize,
}

/// Writes a read of bit `at` of a word.
fn read(text: &mut String, number: usize, (word, at): (usize, usize), of: &Word) {
    let bits = of.bits;
    let _ = match of.way {
        0 => writeln!(
            text,
            "  %r{number} = comb.extract %w{word} from {at} : (i{bits}) -> i1"
        ),
        1 => writeln!(
            text,
            "  %r{number} = hw.struct_extract %w{word}[\"f{at}\"] : {}",
            structure(bits)
        ),
        2 => writeln!(
            text,
            "  %i{number} = hw.constant {} : i3\n  %r{number} = hw.array_get %w{word}[%i{number}] : !hw.array<{bits}xi1>, i3",
            // The index as a signed number.
            if at > 3 { at as i64 - 8 } else { at as i64 }
        ),
        // A read through a mux and logic that change nothing.
        _ => writeln!(
            text,
            "  %m{number} = comb.mux %a, %w{word}, %w{word} : i{bits}\n  %x{number} = comb.xor %m{number}, %zero{word} : i{bits}\n  \
             %r{number} = comb.extract %x{number} from {at} : (i{bits}) -> i1"
        ),
    };
}

fn structure(bits: usize) -> String {
    let fields: Vec<String> = (0..bits).rev().map(|at| format!("f{at}: i1")).collect();
    format!("!hw.struct<{}>", fields.join(", "))
}

/// Returns the same circuit in three forms: bits read from words, from words that pass through instances, and separate bits.
fn circuits(seed: u64) -> [String; 3] {
    let mut random = Random::new(seed);
    let mut below = |n: usize| random.below(n as u64) as usize;
    let words: Vec<Word> = (0..1 + below(3))
        .map(|_| Word {
            bits: 5 + below(4),
            way: below(4),
        })
        .collect();
    let places = words.iter().enumerate();
    let mut places: Vec<(usize, usize)> = places
        .flat_map(|(word, of)| (0..of.bits).map(move |at| (word, at)))
        .collect();
    for at in (1..places.len()).rev() {
        places.swap(at, below(at + 1));
    }
    // The statements are in an order that is not topological.
    let (mut in_words, mut alone) = (String::new(), String::new());
    for (number, (word, at)) in places.iter().enumerate() {
        let (operator, input) = (["xor", "and", "or"][below(3)], ["%a", "%b"][below(2)]);
        let (mut of_words, mut of_bits) = (input.to_owned(), input.to_owned());
        if number > 0 {
            let (other, place) = places[below(number)];
            read(&mut in_words, number, (other, place), &words[other]);
            (of_words, of_bits) = (format!("%r{number}"), format!("%b{other}_{place}"));
        }
        for (text, operand) in [(&mut in_words, of_words), (&mut alone, of_bits)] {
            let _ = writeln!(
                text,
                "  %t{number} = comb.{operator} {operand}, {input} : i1"
            );
            let _ = writeln!(text, "  %b{word}_{at} = comb.xor %t{number}, %b : i1");
        }
    }
    let [mut whole, mut through, mut modules] = [(); 3].map(|()| String::new());
    let (mut outputs, mut types) = (Vec::new(), Vec::new());
    for (word, of) in words.iter().enumerate() {
        let bits: Vec<String> = (0..of.bits)
            .rev()
            .map(|at| format!("%b{word}_{at}"))
            .collect();
        let (list, all) = (bits.join(", "), vec!["i1"; of.bits].join(", "));
        let ty = format!("i{}", of.bits);
        let (made, ty_of_word) = match of.way {
            1 => (
                format!("hw.struct_create ({list}) : {}", structure(of.bits)),
                structure(of.bits),
            ),
            2 => (
                format!("hw.array_create {list} : i1"),
                format!("!hw.array<{}xi1>", of.bits),
            ),
            _ => (format!("comb.concat {list} : {all}"), ty.clone()),
        };
        let zero = format!("%zero{word} = hw.constant 0 : {ty}");
        let _ = writeln!(whole, "  %w{word} = {made}\n  {zero}");
        let _ = writeln!(
            through,
            "  %v{word} = {made}\n  {zero}\n  %w{word}, %z{word} = hw.instance \"through{word}\" @through{word}(x: %v{word}: {ty_of_word}, z: %zero{word}: {ty}) \
             -> (y: {ty_of_word}, z: {ty})"
        );
        let (logic, given) = match of.way {
            1 | 2 => (String::new(), "%x"),
            _ => (format!("  %y = comb.xor %x, %z : {ty}\n"), "%y"),
        };
        let _ = writeln!(
            modules,
            "hw.module @through{word}(in %x : {ty_of_word}, in %z : {ty}, out y : {ty_of_word}, out z : {ty}) {{\n{logic}  \
             hw.output {given}, %z : {ty_of_word}, {ty}\n}}"
        );
        for text in [&mut whole, &mut through] {
            let _ = match of.way {
                1 | 2 => writeln!(
                    text,
                    "  %o{word} = hw.bitcast %w{word} : ({ty_of_word}) -> {ty}"
                ),
                _ => writeln!(text, "  %o{word} = comb.or %w{word}, %zero{word} : {ty}"),
            };
        }
        outputs.push(format!("%o{word}"));
        types.push(ty);
    }
    let ports: Vec<String> = (0..)
        .zip(&types)
        .map(|(at, ty): (usize, _)| format!("out o{at} : {ty}"))
        .collect();
    [
        (String::new(), &in_words, &whole),
        (modules, &in_words, &through),
        (String::new(), &alone, &whole),
    ]
    .map(|(modules, body, whole)| {
        format!(
            "{modules}hw.module @words(in %a : i1, in %b : i1, {}) {{\n{body}{whole}  hw.output {} : {}\n}}\n",
            ports.join(", "),
            outputs.join(", "),
            types.join(", ")
        )
    })
}

#[test]
fn words_do_what_their_bits_do() {
    for seed in 1..200_u64 {
        let texts = circuits(seed);
        let [words, through, bits] = texts.each_ref().map(|text| {
            let (found, _) = examples(text);
            let top = found.last().expect("there is one");
            let subject =
                subject(top, "words.mlir").unwrap_or_else(|why| panic!("{why:?}\n{text}"));
            simulated(&subject, Backend::Bytecode, 8)
        });
        assert_eq!(words, bits, "{}", texts[0]);
        assert_eq!(through, bits, "{}", texts[1]);
        assert!(bits.is_ok(), "{bits:?}\n{}", texts[2]);
    }
}
