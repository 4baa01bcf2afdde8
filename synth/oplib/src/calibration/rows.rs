//! The rows of a device file, and the modules that each row needs.

use super::divider::divider;
use super::modules::{self, Limbs};
use super::target::Target;
use super::text::{Point, format_number, rising, row};
use super::{Bench, Grid};
use crate::implementation::{Structure, division_steps};

/// Classes with a row for a purely combinational operator.
const COMBINATIONAL: [&str; 12] = [
    "add",
    "subtract",
    "multiply",
    "logic",
    "reduce",
    "compare_equal",
    "compare_order",
    "mux",
    "shift_variable",
    "minimum_maximum",
    "absolute",
    "bit_count",
];
const WIDTHS: [u32; 10] = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96];
const DIVIDE_WIDTHS: [u32; 5] = [1, 8, 16, 32, 64];
const MULTIPLEXER_INPUTS: [u32; 7] = [2, 3, 4, 6, 8, 16, 32];
const DISTRIBUTED_WORDS: u32 = 16;
/// Width of the memories that are measured.
const MEMORY_BITS: u32 = 32;

const ROUTED: &str = "worst path between registers, routing of the lone module included, register times left out; delays \
                      raised to the greatest of lesser widths, falling counts of cells pooled";

/// Returns the lines of the file.
pub(crate) fn device_lines(
    bench: &mut Bench,
    target: &Target,
    grid: Grid,
    kept: &str,
) -> Vec<String> {
    let (clock_to_output_ns, mut lines) = head(bench, target);
    lines.extend(kept.lines().map(str::to_owned));
    lines.push("operators:".to_owned());
    lines.extend(combinational(bench, target, grid));
    lines.extend(partial_products(bench, target, grid));
    lines.extend(dividers(bench, target, grid));
    lines.push("multiplexers:".to_owned());
    lines.extend(multiplexers(bench, target, grid));
    lines.extend(memories(bench, target, clock_to_output_ns));
    lines
}

/// Returns the whole list for a full grid; for a quick grid its ends and the values needed between.
fn of_grid(all: &[u32], grid: Grid) -> Vec<u32> {
    match grid {
        Grid::Full => all.to_vec(),
        Grid::Quick => all
            .iter()
            .copied()
            .filter(|width| {
                *width == all[0] || [8, 32].contains(width) || *width == all[all.len() - 1]
            })
            .collect(),
    }
}

fn head(bench: &mut Bench, target: &Target) -> (f64, Vec<String>) {
    let inputs = [("a".to_owned(), 32)];
    let bare = bench.figures(
        "register_32".to_owned(),
        modules::module(&inputs, "", 32, "a", ""),
    );
    let path = bare
        .figures
        .as_ref()
        .and_then(|figures| figures.paths.first());
    let (clock_to_output, setup) =
        path.map_or((0.0, 0.0), |path| (path.clock_to_output_ns, path.setup_ns));
    let source = bench.source(
        "register to register, 32 bits; the set-up is part of the routing in the timing model",
    );
    let Target {
        name,
        description,
        clock,
        ..
    } = target;
    let [lut, ff, dsp, bram] = target.capacity;
    let lines = [
        format!(
            "# Written by `sluice calibrate --device {name}`; change synth/oplib/src/calibration, not this."
        ),
        format!("device: {name}"),
        format!("description: \"{description}\""),
        "clock:".to_owned(),
        format!("  default_period_ns: {}", clock.default_period_ns),
        format!("  uncertainty_ns: {}", clock.uncertainty_ns),
        format!("  path_margin: {}", clock.path_margin),
        format!("  source: \"{}\"", clock.source),
        "register:".to_owned(),
        format!("  clock_to_output_ns: {}", format_number(clock_to_output)),
        format!("  setup_ns: {}", format_number(setup)),
        format!("  source: \"{source}\""),
        "capacity:".to_owned(),
        format!("  lut: {lut}"),
        format!("  ff: {ff}"),
        format!("  dsp: {dsp}"),
        format!("  bram: {bram}"),
        format!("  source: \"{}\"", target.capacity_source),
    ];
    (clock_to_output, lines.to_vec())
}

fn point(width: u32, delays: &[(&'static str, f64)], cells: [f64; 3]) -> Point {
    let mut point = vec![("width_bits", f64::from(width))];
    point.extend(delays);
    let [lut, ff, dsp] = cells;
    point.extend([("lut", lut), ("ff", ff), ("dsp", dsp)]);
    point
}

fn without_ff([lut, _, dsp]: [f64; 3]) -> [f64; 3] {
    [lut, 0.0, dsp]
}

fn combinational(bench: &mut Bench, target: &Target, grid: Grid) -> Vec<String> {
    let mut lines = Vec::new();
    for class in COMBINATIONAL {
        let widths = if class == "multiply" {
            of_grid(target.multiply_widths, grid)
        } else {
            of_grid(&WIDTHS, grid)
        };
        let mut points = Vec::new();
        for width in widths {
            let Some(verilog) = modules::combinational(class, width) else {
                continue;
            };
            let found = bench.figures(format!("{class}_{width}"), verilog);
            let delay = bench.path_ns(&found, "clk", "clk");
            points.push(point(
                width,
                &[("delay_ns", delay)],
                without_ff(found.cells(target, 0)),
            ));
        }
        let mut what = ROUTED.to_owned();
        if class == "multiply" && grid == Grid::Full && target.has_multiplier_blocks {
            what += &multiply_remark(bench);
        }
        let source = bench.source(&what);
        let head = [
            ("class", class.to_owned()),
            ("structure", "combinational".to_owned()),
        ];
        lines.extend(row(&head, &source, &rising(points)));
    }
    lines
}

/// Describes the effect of registers after a product.
fn multiply_remark(bench: &mut Bench) -> String {
    let mut said = Vec::new();
    for width in [18, 32] {
        let mut delays = Vec::new();
        for latency in 0..=3 {
            let (name, verilog) = if latency == 0 {
                let verilog = modules::combinational("multiply", width).unwrap_or_default();
                (format!("multiply_{width}"), verilog)
            } else {
                (
                    format!("multiply_{width}_and_{latency}_registers"),
                    modules::multiply_registers(latency, width),
                )
            };
            let found = bench.figures(name, verilog);
            delays.push(format!("{:.2}", bench.path_ns(&found, "clk", "clk")));
        }
        said.push(format!(
            "at {width} bits with 0 to 3 more registers after it {} ns",
            delays.join(", ")
        ));
    }
    format!(
        "; no register moves into the multiplier block: {}",
        said.join(", ")
    )
}

fn count(n: usize) -> f64 {
    f64::from(u32::try_from(n).expect("few limbs"))
}

fn partial_products(bench: &mut Bench, target: &Target, grid: Grid) -> Vec<String> {
    let structure = Structure::PartialProducts {
        limb_bits: target.limb_bits,
    };
    let mut lines = Vec::new();
    for latency in 1..=4 {
        let mut points = Vec::new();
        for width in of_grid(target.limb_widths, grid) {
            let limbs = Limbs {
                width,
                limb_bits: target.limb_bits,
            };
            let products = limbs.products();
            if latency == 4 && products.len() < 6 {
                continue;
            }
            let product = bench.figures(format!("products_{width}"), modules::products_only(limbs));
            let input = bench.path_ns(&product, "clk", "clk");
            let tree = bench.figures(format!("products_tree_{width}"), modules::tree_only(limbs));
            if latency == 1 {
                let ff: u32 = products
                    .iter()
                    .map(|(left, right)| limbs.product_width(*left, *right))
                    .sum();
                let output = bench.path_ns(&tree, "clk", "clk");
                let (lut, dsp) = if target.has_multiplier_blocks {
                    (tree.cells(target, 0)[0], count(products.len()))
                } else {
                    let of_products = product.cells(target, 0)[0];
                    (tree.cells(target, 0)[0] + of_products, 0.0)
                };
                let delays = [
                    ("input_delay_ns", input),
                    ("stage_delay_ns", 0.0),
                    ("output_delay_ns", output),
                ];
                points.push(point(width, &delays, [lut, f64::from(ff), dsp]));
            } else {
                let whole = bench.figures(
                    format!("products_{width}_latency_{latency}"),
                    modules::partial_products(latency, limbs),
                );
                let stage = bench.path_ns(&whole, "clk", "clk");
                let delays = [
                    ("input_delay_ns", input),
                    ("stage_delay_ns", stage),
                    ("output_delay_ns", 0.0),
                ];
                points.push(point(width, &delays, whole.cells(target, 2 * width)));
            }
        }
        let end = if latency == 1 {
            "output: additions alone"
        } else {
            "stage: worst path of the whole"
        };
        let source = bench.source(&format!("{ROUTED}; input: products alone; {end}"));
        let head = [
            ("class", "multiply".to_owned()),
            ("structure", structure.name().to_owned()),
            ("latency_cycles", latency.to_string()),
        ];
        lines.extend(row(&head, &source, &rising(points)));
    }
    lines
}

fn dividers(bench: &mut Bench, target: &Target, grid: Grid) -> Vec<String> {
    let mut lines = Vec::new();
    for (class, signed, remainder) in [
        ("divide_unsigned", false, false),
        ("divide_signed", true, false),
        ("remainder_unsigned", false, true),
        ("remainder_signed", true, true),
    ] {
        for step_bits in 1..=3 {
            let mut points = Vec::new();
            for width in of_grid(&DIVIDE_WIDTHS, grid) {
                let verilog = divider(signed, remainder, step_bits, width);
                let name = format!("{class}_{width}_by_{step_bits}");
                let found = bench.figures(name, verilog);
                let stage = match division_steps(width, step_bits) {
                    0 => 0.0,
                    _ => bench.path_ns(&found, "clk", "clk"),
                };
                let output = match (signed, remainder) {
                    (false, true) => 0.0,
                    _ => bench.path_ns(&found, "clk", "clk_out"),
                };
                let delays = [
                    ("input_delay_ns", bench.path_ns(&found, "clk_in", "clk")),
                    ("stage_delay_ns", stage),
                    ("output_delay_ns", output),
                ];
                points.push(point(width, &delays, found.cells(target, 3 * width + 1)));
            }
            let source = bench.source(ROUTED);
            let head = [
                ("class", class.to_owned()),
                ("structure", "iterative_restoring".to_owned()),
                ("latency_cycles", "1".to_owned()),
                ("quotient_bits_per_cycle", step_bits.to_string()),
            ];
            lines.extend(row(&head, &source, &rising(points)));
        }
    }
    lines
}

fn multiplexers(bench: &mut Bench, target: &Target, grid: Grid) -> Vec<String> {
    type Module = fn(u32, u32) -> String;
    let kinds: [(&str, &str, Module); 2] = [
        ("first_that_holds", "multiplexer", modules::first_that_holds),
        ("one_hot", "one_hot_multiplexer", modules::one_hot),
    ];
    let inputs = of_grid(&MULTIPLEXER_INPUTS, grid);
    let mut lines = Vec::new();
    for (selection, case, module) in kinds {
        let mut by_width = Vec::new();
        for width in of_grid(target.multiplexer_widths, grid) {
            let mut points = Vec::new();
            for n_inputs in &inputs {
                let found = bench.figures(
                    format!("{case}_{n_inputs}_{width}"),
                    module(*n_inputs, width),
                );
                let delay = bench.path_ns(&found, "clk", "clk");
                points.push(point(
                    width,
                    &[("delay_ns", delay)],
                    without_ff(found.cells(target, 0)),
                ));
            }
            by_width.push(rising(points));
        }
        let source = bench.source(ROUTED);
        for (position, n_inputs) in inputs.iter().enumerate() {
            let points = by_width.iter().map(|points| points[position].clone());
            let head = [
                ("n_inputs", n_inputs.to_string()),
                ("selection", selection.to_owned()),
            ];
            lines.extend(row(&head, &source, &rising(points.collect())));
        }
    }
    lines
}

fn memories(bench: &mut Bench, target: &Target, clock_to_output_ns: f64) -> Vec<String> {
    let mut lines = vec!["memories:".to_owned()];
    if target.has_lut_ram {
        lines.extend(distributed_memory(bench, target));
    }
    lines.extend(block_memory(bench, target, clock_to_output_ns));
    lines
}

fn distributed_memory(bench: &mut Bench, target: &Target) -> [String; 9] {
    let small = bench.figures(
        format!("distributed_{DISTRIBUTED_WORDS}_{MEMORY_BITS}"),
        modules::memory(DISTRIBUTED_WORDS, false, MEMORY_BITS),
    );
    let read = bench.path_ns(&small, "clk_in", "clk");
    let cell_lut = small.cells(target, 0)[0] / f64::from(MEMORY_BITS / 4);
    let source = bench.source(&format!(
        "{DISTRIBUTED_WORDS} words of {MEMORY_BITS} bits, address to data register; the synthesis tool takes block memory beyond 1024 bits"
    ));
    [
        "  - kind: distributed".to_owned(),
        format!("    cell_words: {DISTRIBUTED_WORDS}"),
        "    cell_width_bits: 4".to_owned(),
        format!("    cell_lut: {}", format_number(cell_lut)),
        "    up_to_bits: 1024".to_owned(),
        format!("    read_input_delay_ns: {}", format_number(read)),
        "    read_output_delay_ns: 0".to_owned(),
        format!("    write_input_delay_ns: {}", format_number(read)),
        format!("    source: \"{source}\""),
    ]
}

fn block_memory(bench: &mut Bench, target: &Target, clock_to_output_ns: f64) -> Vec<String> {
    let large = bench.figures(
        format!("block_1024_{MEMORY_BITS}"),
        modules::memory(1024, true, MEMORY_BITS),
    );
    let into = bench.path_ns(&large, "clk_in", "clk");
    let paths = large.figures.iter().flat_map(|figures| &figures.paths);
    let out = paths
        .filter(|path| path.from == "posedge clk" && path.to == "posedge clk_out")
        .map(|path| path.routing_ns + path.logic_ns + path.clock_to_output_ns - clock_to_output_ns)
        .fold(0.0, f64::max);
    let source = bench.source(&format!(
        "1024 words of {MEMORY_BITS} bits; input: to the address comparison that the synthesis tool adds for a read and a write of one word at once; output: clock of the block to the next register, beyond that of a register"
    ));
    let shapes = target.block_shapes.iter();
    let shapes =
        shapes.map(|(words, width)| format!("      - {{ words: {words}, width_bits: {width} }}"));
    let mut lines = vec!["  - kind: block".to_owned(), "    shapes:".to_owned()];
    lines.extend(shapes);
    lines.extend([
        format!("    read_input_delay_ns: {}", format_number(into)),
        format!("    read_output_delay_ns: {}", format_number(out)),
        format!("    write_input_delay_ns: {}", format_number(into)),
        format!("    source: \"{source}\""),
    ]);
    lines
}
