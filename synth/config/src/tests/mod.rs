//! Tests of reading configurations, and of their errors.

mod keys;

use super::{Config, Reorder, ReuseChoice};

#[test]
fn unknown_keys_suggest_the_right_one() {
    let errors = Config::from_yaml(
        "clock_perod_ns: 5\nloops:\n  k: {unrol: 2}\n",
        "kernel.yaml",
    )
    .expect_err("both keys are misspelt");
    let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "kernel.yaml:1:1: error: unknown key `clock_perod_ns`; did you mean `clock_period_ns`?",
            "kernel.yaml:3:7: error: unknown key `unrol`; did you mean `unroll`?",
        ]
    );
}

#[test]
fn loops_are_restructured_as_asked() {
    let text = "loops:\n  i: {interchange: [k, '%i'], tile: 4, fuse: true}\n  k: {peel_first: 1, peel_last: 2, distribute: false}\n";
    let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
    assert!(!config.restructure);
    assert_eq!(config.loops["i"].interchange, ["k", "i"]);
    assert_eq!(
        (config.loops["i"].tile, config.loops["i"].fuse),
        (Some(4), Some(true))
    );
    assert_eq!(config.loops["k"].peel_last, Some(2));
    let config = Config::from_yaml("loops: auto\n", "kernel.yaml").expect("it is valid");
    assert!(config.restructure && config.loops.is_empty());
    let text = "reorder: false\nloops:\n  i: {reorder: [k 1 i, '=']}\n";
    let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
    assert_eq!(config.reorder, Reorder::Never);
    assert_eq!(config.loops["i"].reorder, ["k 1 i", "="]);
    let text = "loops:\n  i: {interchange: j, tile: 0}\n";
    let errors = Config::from_yaml(text, "kernel.yaml").expect_err("both are wrong");
    let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "kernel.yaml:2:7: error: `interchange` is a list of the loops of the nest, outermost first, as `[j, i]`",
            "kernel.yaml:2:23: error: `tile` is a whole number above 0",
        ]
    );
}

#[test]
fn reuse_is_a_word_or_has_a_limit() {
    let read = |text: &str| Config::from_yaml(text, "kernel.yaml").map(|config| config.reuse);
    let bits = |choice, most_bits| Ok(super::Reuse { choice, most_bits });
    assert_eq!(read("reuse: off\n"), bits(ReuseChoice::Off, None));
    assert_eq!(read("reuse: always\n"), bits(ReuseChoice::Always, None));
    let text = "reuse: {choose: always, most_bits: 512}\n";
    assert_eq!(read(text), bits(ReuseChoice::Always, Some(512)));
    let errors = read("reuse: {chose: off, most_bits: no}\n").expect_err("both are wrong");
    let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "kernel.yaml:1:9: error: unknown key `chose`; did you mean `choose`?",
            "kernel.yaml:1:21: error: `most_bits` is a whole number above 0",
        ]
    );
    let errors = read("reuse: maybe\n").expect_err("it is no choice");
    let message = "`reuse` is `off`, `auto` or `always`; `reuse: {choose: auto, most_bits: 32768}` also limits the bits of a local memory";
    assert_eq!(errors[0].message, message);
}

#[test]
fn a_configuration_is_read() {
    let text = "device: ecp5\nclock_period_ns: 8\nlimits: {multiply: 1}\nloops: {k: {ii: 2, pipeline: true}}\n";
    let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
    assert_eq!(config.device, "ecp5");
    assert_eq!(config.clock_period_ns, Some(8.0));
    assert_eq!(config.limits["multiply"], 1);
    assert_eq!(config.loops["k"].ii, Some(2));
}

#[test]
fn words_that_do_not_exist_suggest_the_right_one() {
    let text = "device: ecp6\nbanks:\n  A: {dim: 1, factor: 2, kind: cyclick}\n";
    let errors = Config::from_yaml(text, "kernel.yaml").expect_err("both are misspelt");
    let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "kernel.yaml:1:1: error: there is no built-in device `ecp6`; did you mean `ecp5`?",
            "kernel.yaml:3:26: error: no kind of banks is called `cyclick`; did you mean `cyclic`?; there are cyclic, block, block-cyclic, complete",
        ]
    );
}

#[test]
fn area_has_a_weight() {
    let read = |text: &str| Config::from_yaml(text, "kernel.yaml").map(|c| c.area_weight);
    assert_eq!(read("area_weight: 0\n"), Ok(0.0));
    assert_eq!(read("area_weight: 0.5\n"), Ok(0.5));
    for wrong in ["-1", "some", "17", ".nan"] {
        let errors = read(&format!("area_weight: {wrong}\n")).expect_err("it is no weight");
        assert_eq!(
            errors[0].to_string(),
            "kernel.yaml:1:1: error: `area_weight` is a number from 0, where only cycles count, to 16; at 1 cycles and cells count alike"
        );
    }
}

#[test]
fn storage_is_a_kind_or_has_ports() {
    let text = "storage:\n  buf: lut_ram\n  '%t': {kind: rom, reads: 2}\n  h: {kind: block_ram, ports: true_dual}\n";
    let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
    assert_eq!(config.storage["buf"].kind, "lut_ram");
    assert_eq!(config.storage["t"].reads, Some(2));
    assert_eq!(config.storage["h"].ports.as_deref(), Some("true_dual"));
    let text = "storage:\n  buf: lutram\n  a: {kind: registers, reads: 2}\n  b: {kind: lut_ram, ports: true_dual}\n  c: {kind: block_ram, ports: both}\n  d: {reads: 2}\n";
    let errors = Config::from_yaml(text, "kernel.yaml").expect_err("all are wrong");
    let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "kernel.yaml:2:3: error: no kind of memory is called `lutram`; did you mean `lut_ram`?; there are registers, lut_ram, block_ram, rom",
            "kernel.yaml:3:24: error: `registers` have a port for each access: leave `reads` out",
            "kernel.yaml:4:22: error: `ports` is for `block_ram`; `lut_ram` takes `reads: 2` for two read ports",
            "kernel.yaml:5:24: error: `ports` is `simple_dual` or `true_dual`",
            "kernel.yaml:6:3: error: `d` needs a `kind`: registers, lut_ram, block_ram, rom",
        ]
    );
}

#[test]
fn streams_and_depths_are_of_elastic_circuits() {
    let text = "style: elastic\nstreams: ['%x', y]\nqueues: false\ndepths: {'%t': 4}\n";
    let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
    assert_eq!(config.streams, ["x", "y"]);
    assert!(!config.queues);
    assert_eq!(config.depths["t"], 4);
    let text = "streams: x\nqueues: 2\ndepths: {t: 0, u: 1}\n";
    let errors = Config::from_yaml(text, "kernel.yaml").expect_err("all are wrong");
    let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "kernel.yaml:1:1: error: `streams` is a list of memory arguments whose words come or go one by one, in their order",
            "kernel.yaml:2:1: error: `queues` is true, so that loops hand words on by queues where they can, or false, for memories",
            "kernel.yaml:3:10: error: `t` is a whole number above 0",
            "kernel.yaml:1:1: error: `streams` is for elastic circuits: `style: elastic`",
            "kernel.yaml:3:1: error: `depths` is for elastic circuits: `style: elastic`",
        ]
    );
}

#[test]
fn buffers_and_effort_are_of_elastic_circuits() {
    let read = |text: &str| -> Result<_, Vec<super::ConfigError>> {
        let config = Config::from_yaml(text, "kernel.yaml")?;
        Ok((config.buffers, config.effort))
    };
    assert_eq!(
        read("style: elastic\nbuffers: exact\n"),
        Ok((super::Buffers::Exact, super::Effort::Normal))
    );
    assert_eq!(
        read("style: auto\neffort: low\n"),
        Ok((super::Buffers::Rules, super::Effort::Low))
    );
    for (text, message) in [
        (
            "style: elastic\nbuffers: foo\n",
            "kernel.yaml:2:1: error: `buffers` is `rules`, which are quick, or `exact`, by an integer program with a proof of how good it is",
        ),
        (
            "buffers: exact\n",
            "kernel.yaml:1:1: error: `buffers` is for elastic circuits: `style: elastic`",
        ),
        (
            "effort: low\n",
            "kernel.yaml:1:1: error: `effort` is for elastic circuits: `style: elastic`",
        ),
        (
            "style: elastic\neffort: none\n",
            "kernel.yaml:2:1: error: `effort` is `normal`, or `low`, so that one form of an elastic circuit is tried, with few ways to place buffers",
        ),
    ] {
        let errors = read(text).expect_err("it is wrong");
        assert_eq!(errors[0].to_string(), message);
    }
}

#[test]
fn banks_are_one_split_or_a_list() {
    let text = "banks:\n  A: {dim: 1, factor: 4}\n  B: [{dim: 0, factor: 2, kind: block}, {dim: 1, kind: complete}]\n";
    let config = Config::from_yaml(text, "kernel.yaml").expect("it is valid");
    assert_eq!(config.banks["A"].len(), 1);
    assert_eq!(config.banks["B"][1].kind.as_deref(), Some("complete"));
    let errors = Config::from_yaml(
        "parallel: auto\nbanks:\n  A: {dim: 1, factor: 0}\n",
        "kernel.yaml",
    )
    .expect_err("no banks, and no number of multipliers");
    let all: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "kernel.yaml:3:15: error: `factor` is a whole number above 0",
            "kernel.yaml:1:1: error: `parallel: auto` keeps a number of multipliers busy: say how many with `limits: {multiply: 16}`",
        ]
    );
}
