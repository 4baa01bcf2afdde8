//! Every built-in device is complete, has sources, and is monotone.

use proptest::prelude::*;
use sluice_oplib::area::Area;
use sluice_oplib::class::{CostOrigin, OperatorClass};
use sluice_oplib::device::Device;
use sluice_oplib::error::MissingOrTooSlow;
use sluice_oplib::implementation::{
    Implementation, Selection, Structure, bits_per_cycle, limb_products, tree_levels,
};
use sluice_oplib::memory::MemoryKind;

/// Tolerance for the rounding of interpolation.
const TOLERANCE: f64 = 1e-9;

fn built_in() -> Vec<Device> {
    Device::built_in_names()
        .map(|name| Device::built_in(name).expect("it is listed"))
        .collect()
}

#[test]
fn devices_bear_their_file_name() {
    for name in Device::built_in_names() {
        assert_eq!(Device::built_in(name).expect("it is listed").name, name);
    }
    let error = Device::built_in("genric").expect_err("it is not listed");
    assert_eq!(
        error.to_string(),
        "there is no built-in device `genric`; did you mean `generic`?"
    );
}

#[test]
fn every_row_has_a_source_that_says_how() {
    for device in built_in() {
        for (row, source) in device.sources() {
            let says_how = ["model: ", "measured: ", "data sheet: ", "choice: "]
                .iter()
                .any(|how| source.starts_with(how));
            assert!(
                says_how && source.len() > 20,
                "{}: {row}: `{source}`",
                device.name
            );
        }
    }
}

#[test]
fn every_class_is_served_at_every_width() {
    for device in built_in() {
        for class in OperatorClass::ALL {
            for width_bits in 1..=128 {
                let ways = device.implementations(class, width_bits);
                assert!(
                    !ways.is_empty(),
                    "{}: `{class}` at {width_bits} bits",
                    device.name
                );
                for way in ways {
                    assert!(way.occupancy_cycles >= 1 && way.min_usable_period_ns().is_finite());
                    assert_eq!(
                        way.latency_cycles == 0,
                        way.structure == Structure::Combinational
                    );
                    assert_eq!(
                        way.min_usable_period_ns() > 0.0,
                        !class.is_free() && class.cost_origin() != CostOrigin::Register,
                        "{}: `{class}` at {width_bits} bits: {way:?}",
                        device.name
                    );
                }
            }
        }
    }
}

#[test]
fn the_default_clock_serves_every_class_up_to_64_bits() {
    for device in built_in() {
        for class in OperatorClass::ALL {
            // A population count is a deep tree of additions: on slow devices the emitter must divide wide ones.
            let max_bits = if class == OperatorClass::BitCount {
                32
            } else {
                64
            };
            for width_bits in 1..=max_bits {
                let way = device.implementation(class, width_bits, device.default_clock_period_ns);
                assert!(way.is_ok(), "{}: {:?}", device.name, way);
            }
        }
    }
}

#[test]
fn the_default_clock_multiplies_96_bits() {
    for device in built_in() {
        let way =
            device.implementation(OperatorClass::Multiply, 96, device.default_clock_period_ns);
        assert!(way.is_ok(), "{}: {:?}", device.name, way);
    }
}

#[test]
fn a_clock_that_is_too_fast_names_one_that_is_not() {
    for device in built_in() {
        for class in [
            OperatorClass::Add,
            OperatorClass::Multiply,
            OperatorClass::DivideSigned,
        ] {
            let error = device
                .implementation(class, 32, 0.5)
                .expect_err("half a nanosecond is too fast");
            let MissingOrTooSlow::TooSlow {
                min_clock_period_ns,
                ..
            } = error
            else {
                panic!("{error}")
            };
            assert!(
                device
                    .implementation(class, 32, min_clock_period_ns - 0.01)
                    .is_err()
            );
            assert!(
                device
                    .implementation(class, 32, min_clock_period_ns + TOLERANCE)
                    .is_ok()
            );
        }
    }
}

#[test]
fn a_faster_clock_never_means_less_latency() {
    for device in built_in() {
        for class in OperatorClass::ALL {
            let mut latency_cycles = 0;
            for step in (1..=60).rev() {
                let Ok(way) = device.implementation(class, 32, f64::from(step) * 0.5) else {
                    break;
                };
                assert!(
                    way.latency_cycles >= latency_cycles,
                    "{}: `{class}`",
                    device.name
                );
                latency_cycles = way.latency_cycles;
            }
        }
    }
}

#[test]
fn dividers_take_no_operands_while_they_work() {
    for device in built_in() {
        for class in [
            OperatorClass::DivideUnsigned,
            OperatorClass::DivideSigned,
            OperatorClass::RemainderUnsigned,
            OperatorClass::RemainderSigned,
        ] {
            let ways = device.implementations(class, 32);
            // Six, four, three, two or one quotient bits per cycle; one cycle to load, which finds two bits.
            let latencies: Vec<u32> = ways.iter().map(|way| way.latency_cycles).collect();
            assert_eq!(latencies, [6, 9, 11, 16, 31], "{}: `{class}`", device.name);
            for way in ways {
                assert_eq!(way.latency_cycles, way.occupancy_cycles);
            }
        }
    }
}

#[test]
fn memories_hold_what_they_must() {
    for device in built_in() {
        let small = device.memory(16, 8).expect("a device has memories");
        let has_lut_ram = device
            .memory_of_kind(MemoryKind::Distributed, 16, 8)
            .is_some();
        assert_eq!(
            small.kind == MemoryKind::Distributed,
            has_lut_ram,
            "{}",
            device.name
        );
        assert_eq!(has_lut_ram, device.name != "ice40");
        let large = device.memory(4096, 32).expect("a device has memories");
        assert_eq!(large.kind, MemoryKind::Block, "{}", device.name);
        assert!(
            large.area.bram >= 8.0,
            "{}: 128 kbit in blocks of 18 kbit, parity bits unused",
            device.name
        );
        assert_eq!(
            (small.read.latency_cycles, large.read.latency_cycles),
            (1, 1)
        );
    }
}

#[test]
fn wide_products_need_the_limbs_below_their_width() {
    assert_eq!(limb_products(18, 18), [(0, 0)]);
    assert_eq!(limb_products(32, 18), [(0, 0), (0, 1), (1, 0)]);
    assert_eq!(
        limb_products(54, 18),
        [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (2, 0)]
    );
    assert_eq!(limb_products(64, 8).len(), 36);
    assert_eq!(tree_levels(3, 1), [2]);
    assert_eq!(tree_levels(3, 2), [1, 1]);
    assert_eq!(tree_levels(10, 3), [2, 1, 1]);
    assert_eq!(tree_levels(1, 2), [0, 0]);
}

fn assert_no_less(narrow: &Implementation, wide: &Implementation, what: &str) {
    assert!(
        wide.input_delay_ns >= narrow.input_delay_ns - TOLERANCE,
        "input delay of {what}"
    );
    assert!(
        wide.stage_delay_ns >= narrow.stage_delay_ns - TOLERANCE,
        "stage delay of {what}"
    );
    assert!(
        wide.output_delay_ns >= narrow.output_delay_ns - TOLERANCE,
        "output delay of {what}"
    );
    let slack = Area {
        lut: TOLERANCE,
        ff: TOLERANCE,
        dsp: TOLERANCE,
        bram: TOLERANCE,
    };
    assert!(narrow.area.fits_in(wide.area + slack), "area of {what}");
}

proptest! {
    #[test]
    fn nothing_gets_cheaper_with_width(narrow_bits in 1u32..400, more_bits in 0u32..100) {
        for device in built_in() {
            for class in OperatorClass::ALL {
                for narrow in device.implementations(class, narrow_bits) {
                    let pace = bits_per_cycle(narrow_bits, narrow.latency_cycles);
                    let wide_bits = narrow_bits + more_bits;
                    let wide = device
                        .implementations(class, wide_bits)
                        .into_iter()
                        .filter(|wide| wide.structure == narrow.structure)
                        .find(|wide| {
                            if wide.structure == Structure::IterativeRestoring {
                                bits_per_cycle(wide_bits, wide.latency_cycles) == pace
                            } else {
                                wide.latency_cycles == narrow.latency_cycles
                            }
                        })
                        .expect("a row serves all widths from its first");
                    assert_no_less(&narrow, &wide, &format!("`{class}` from {narrow_bits} by {more_bits} bits"));
                }
            }
        }
    }

    #[test]
    fn multiplexers_get_no_cheaper(n_inputs in 0u32..100, more in 0u32..20, width_bits in 1u32..200, more_bits in 0u32..50) {
        for device in built_in() {
            for selection in Selection::ALL {
                let of = |inputs, bits| device.mux(selection, inputs, bits).expect("both selections are listed");
                let (narrow, wide) = (of(n_inputs, width_bits), of(n_inputs + more, width_bits + more_bits));
                assert_no_less(&narrow, &wide, &format!("{n_inputs} by {width_bits}, {more} and {more_bits} more"));
            }
        }
    }

    #[test]
    fn memories_get_no_cheaper_within_a_kind(words in 1u32..20_000, width_bits in 1u32..100, more in 0u32..1000) {
        for device in built_in() {
            let (small, large) = (device.memory(words, width_bits), device.memory(words + more, width_bits));
            let (small, large) = (small.expect("memories are listed"), large.expect("memories are listed"));
            prop_assert!(small.kind <= large.kind);
            // Another shape of block may need fewer look-up tables to join the blocks.
            match small.kind {
                _ if small.kind != large.kind => {}
                MemoryKind::Block => prop_assert!(small.area.bram <= large.area.bram),
                MemoryKind::Distributed => prop_assert!(small.area.lut <= large.area.lut + TOLERANCE),
            }
        }
    }
}
