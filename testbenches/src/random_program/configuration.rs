//! Random configurations: half of the programs are compiled as they are, half with directives and limits.

use sluice_flow::config::{Config, LoopDirectives};
use sluice_flow::data::Random;

use super::ValueId;

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

/// A configuration for a program with these loops and helper functions.
pub(super) fn configuration(
    random: &mut Random,
    loops: &[(ValueId, u64)],
    helpers: &[String],
) -> Config {
    let mut config = Config::default();
    let mut choose = |n: u64| random.next_u64() % n;
    for helper in helpers {
        if choose(3) == 0 {
            config.keep.push(helper.clone());
        }
    }
    if choose(2) == 0 {
        return config;
    }
    if choose(2) == 0 {
        config.device = "ecp5".to_owned();
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
        match choose(4) {
            0 => directives.pipeline = Some(false),
            1 => directives.ii = Some(u32::try_from(1 + choose(6)).expect("small")),
            _ => {
                // Mostly a factor that divides: the others end in a message.
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
