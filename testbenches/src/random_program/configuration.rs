//! Random configurations: half of the programs have the default one, half have directives and limits.

use sluice_config::{
    BankDirective, Config, LoopDirectives, ReuseChoice, Speculate, StorageDirective, Use,
};
use sluice_verify::data::Random;

use super::ValueId;
use super::nests::Nest;

const LIMITS: &[&str] = &[
    "add",
    "subtract",
    "multiply",
    "divide_unsigned",
    "divide_signed",
    "remainder_unsigned",
    "remainder_signed",
    "shift_variable",
    "compare_order",
    "minimum_maximum",
];

/// Returns a configuration for a program with these loops, helper functions and arrays with their shapes.
pub(super) fn configuration(
    random: &mut Random,
    loops: &[(ValueId, u64)],
    nests: &[Nest],
    helpers: &[String],
    arrays: &[(ValueId, Vec<u64>)],
) -> Config {
    let mut config = requests(random, loops, nests, helpers);
    if random.next_u64().is_multiple_of(2) {
        copies_and_banks(random, loops, arrays, &mut config);
    }
    // Data reuse is also tried where it gains nothing, with local memories of all sizes.
    match random.next_u64() % 4 {
        0 => config.reuse.choice = ReuseChoice::Off,
        1 => {}
        _ => {
            config.reuse.choice = ReuseChoice::Always;
            config.reuse.most_bits = Some(16 << (random.next_u64() % 10));
        }
    }
    config
}

/// Requests jammed loops and arrays in banks, or the search for both. Illegal requests end with an error message.
fn copies_and_banks(
    random: &mut Random,
    loops: &[(ValueId, u64)],
    arrays: &[(ValueId, Vec<u64>)],
    config: &mut Config,
) {
    let mut choose = |n: u64| random.next_u64() % n;
    let small = |n: u64| u32::try_from(n).expect("small");
    if choose(4) == 0 {
        config.parallel = true;
        let units = 1 << choose(4);
        config.limits.insert("multiply".to_owned(), units);
    }
    for (variable, trips) in loops {
        let factors: Vec<u64> = (2..=4).filter(|f| *trips > 0 && trips % f == 0).collect();
        let Some(most) = u64::try_from(factors.len()).ok().filter(|n| *n > 0) else {
            continue;
        };
        if choose(3) == 0 {
            let factor = factors[usize::try_from(choose(most)).expect("small")];
            let directives = config.loops.entry(format!("v{}", variable.0)).or_default();
            directives.jam = Some(small(factor));
            directives.unroll = None;
        }
    }
    for (array, shape) in arrays {
        let rank = u64::try_from(shape.len()).expect("small");
        if rank == 0 || choose(2) == 0 {
            continue;
        }
        let first = choose(rank);
        let mut splits = Vec::new();
        for dim in first..(first + 1 + choose(2)).min(rank) {
            let size = shape[usize::try_from(dim).expect("small")];
            let factor = 1 + choose(size.min(5));
            let mut split = BankDirective {
                dim: Some(small(dim)),
                factor: Some(small(factor)),
                ..BankDirective::default()
            };
            match choose(5) {
                0 => split.kind = Some("block".to_owned()),
                1 => {
                    split.kind = Some("block-cyclic".to_owned());
                    split.block = Some(small(1 + choose(size.min(4))));
                }
                2 if size <= 8 => {
                    split.kind = Some("complete".to_owned());
                    split.factor = None;
                }
                _ => {}
            }
            splits.push(split);
        }
        config.banks.insert(format!("v{}", array.0), splits);
    }
}

/// Requests kinds and ports of local memories and of tables (`true`); some are left to the compiler. Impossible requests end with
/// an error message.
pub(super) fn storage(random: &mut Random, memories: &[(ValueId, bool)], config: &mut Config) {
    let mut choose = |n: u64| random.next_u64() % n;
    for (memory, is_table) in memories {
        if choose(3) == 0 {
            continue;
        }
        let mut request = StorageDirective::default();
        let kind = match choose(8) {
            _ if *is_table => "rom",
            0..=2 => "registers",
            3..=5 => "lut_ram",
            _ => "block_ram",
        };
        kind.clone_into(&mut request.kind);
        if kind == "block_ram" && choose(2) == 0 {
            request.ports = Some("true_dual".to_owned());
        } else if kind != "registers" && choose(2) == 0 {
            request.reads = Some(u32::try_from(1 + choose(4)).expect("small"));
        }
        config.storage.insert(format!("v{}", memory.0), request);
    }
}

/// Chooses how many iterations loops start speculatively, whether that is faster or not.
pub(super) fn choose_speculation(random: &mut Random, config: &mut Config) {
    let mut choose = |n: u64| random.next_u64() % n;
    config.speculate = match choose(3) {
        0 => Speculate::Everywhere(u32::try_from(1 + choose(6)).expect("small")),
        1 => Speculate::Never,
        _ => Speculate::WhereFaster,
    };
}

/// Chooses whether stores are queued, whether that is faster or not.
pub(super) fn choose_store_queues(random: &mut Random, config: &mut Config) {
    config.lsq = match random.next_u64() % 3 {
        0 => Use::Never,
        1 => Use::WhereFaster,
        _ => Use::Everywhere,
    };
}

/// Requests everything but copies of loops and banks.
fn requests(
    random: &mut Random,
    loops: &[(ValueId, u64)],
    nests: &[Nest],
    helpers: &[String],
) -> Config {
    let mut config = Config::default();
    let mut choose = |n: u64| random.next_u64() % n;
    for helper in helpers {
        if choose(3) == 0 {
            config.keep.push(helper.clone());
        }
    }
    for nest in nests {
        if choose(2) == 0 {
            restructure(&mut config, nest, &mut choose);
        }
    }
    if choose(2) == 0 {
        return config;
    }
    match choose(6) {
        0..=2 => config.device = "ecp5".to_owned(),
        3 => config.device = "ice40".to_owned(),
        _ => {}
    }
    if choose(3) > 0 {
        let halves = u32::try_from(4 + choose(37)).expect("small");
        config.clock_period_ns = Some(f64::from(halves) / 2.0);
    }
    config.rewrite = choose(6) > 0;
    for (variable, trips) in loops {
        if choose(3) > 0 {
            continue;
        }
        let mut directives = LoopDirectives::default();
        match choose(8) {
            4 => directives.tile = Some(u32::try_from(1 + choose(4)).expect("small")),
            5 => match choose(4) {
                0 => directives.distribute = Some(true),
                1 => directives.fuse = Some(true),
                2 => directives.peel_first = Some(u32::try_from(1 + choose(3)).expect("small")),
                _ => directives.peel_last = Some(u32::try_from(1 + choose(3)).expect("small")),
            },
            0 => directives.pipeline = Some(false),
            1 => directives.ii = Some(u32::try_from(1 + choose(6)).expect("small")),
            _ => {
                // Most factors divide the trip count; the others end with an error message.
                let factors: Vec<u64> = (2..=5).filter(|f| *trips > 0 && trips % f == 0).collect();
                let any = choose(12) == 0;
                let factor = match factors.len() {
                    0 if any => 3,
                    0 => continue,
                    n => {
                        factors[usize::try_from(choose(u64::try_from(n).expect("small")))
                            .expect("small")]
                    }
                };
                directives.unroll = Some(u32::try_from(factor).expect("small"));
                if choose(3) == 0 {
                    directives.ii = Some(u32::try_from(2 + choose(6)).expect("small"));
                }
            }
        }
        config.loops.insert(format!("v{}", variable.0), directives);
    }
    for class in LIMITS {
        if choose(8) == 0 {
            let units = u32::try_from(1 + choose(2)).expect("small");
            config.limits.insert((*class).to_owned(), units);
        }
    }
    config
}

/// Requests restructuring of the loops of a nest, legal or not; illegal requests are rejected.
fn restructure(config: &mut Config, nest: &Nest, choose: &mut impl FnMut(u64) -> u64) {
    let small = |n: u64| u32::try_from(n).expect("small");
    let names: Vec<String> = nest.counters.iter().map(|v| format!("v{}", v.0)).collect();
    let n = u64::try_from(names.len()).expect("small");
    let mut at = |name: &String| config.loops.entry(name.clone()).or_default().clone();
    let first = usize::try_from(choose(n)).expect("small");
    let mut requests: Vec<(String, LoopDirectives)> = Vec::new();
    match choose(6) {
        0 | 1 => {
            let mut order = names[first.min(names.len() - 2)..].to_vec();
            for i in (1..order.len()).rev() {
                let other = usize::try_from(choose(u64::try_from(i + 1).expect("small")));
                order.swap(i, other.expect("small"));
            }
            let outermost = &names[first.min(names.len() - 2)];
            let mut request = at(outermost);
            request.interchange = order;
            requests.push((outermost.clone(), request));
        }
        2 => {
            for name in &names[first..] {
                let mut request = at(name);
                request.tile = Some(small(1 + choose(3)));
                requests.push((name.clone(), request));
                if choose(4) == 0 {
                    break;
                }
            }
        }
        3 => {
            let mut request = at(&names[first]);
            request.distribute = Some(true);
            requests.push((names[first].clone(), request));
        }
        4 => {
            let name = &names[if nest.has_follower { 0 } else { first }];
            let mut request = at(name);
            request.fuse = Some(true);
            requests.push((name.clone(), request));
        }
        _ => {
            let mut request = at(&names[first]);
            if choose(2) == 0 {
                request.peel_first = Some(small(1 + choose(3)));
            }
            request.peel_last = Some(small(1 + choose(2)));
            requests.push((names[first].clone(), request));
        }
    }
    config.loops.extend(requests);
}
