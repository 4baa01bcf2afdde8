//! The devices that can be calibrated: properties that the tools do not report, and the widths to measure.

/// A device whose figures are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Its name, which is also the name of its file.
    pub name: &'static str,
    pub(crate) description: &'static str,
    /// The `clock` section.
    pub(crate) clock: Clock,
    /// Look-up tables, flip-flops, multiplier blocks and block memories of the device.
    pub(crate) capacity: [u32; 4],
    pub(crate) capacity_source: &'static str,
    /// Width of the limbs into which wide products are divided.
    pub(crate) limb_bits: u32,
    /// True if multiplier blocks compute products.
    pub(crate) has_multiplier_blocks: bool,
    /// Widths of products that fit the device.
    pub(crate) multiply_widths: &'static [u32],
    /// Widths of products of limbs.
    pub(crate) limb_widths: &'static [u32],
    /// Widths of multiplexers.
    pub(crate) multiplexer_widths: &'static [u32],
    /// Cells that hold constants, in every circuit.
    pub(crate) constant_lut: u32,
    /// True if look-up tables can be used as memory.
    pub(crate) has_lut_ram: bool,
    /// Words and width of the shapes of a block memory.
    pub(crate) block_shapes: &'static [(u32, u32)],
}

/// The clock used if the user gives none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    pub(crate) default_period_ns: &'static str,
    pub(crate) uncertainty_ns: &'static str,
    pub(crate) path_margin: &'static str,
    pub(crate) source: &'static str,
}

/// Every device that can be calibrated.
pub const TARGETS: [Target; 2] = [ECP5, ICE40];

/// Lattice ECP5.
const ECP5: Target = Target {
    name: "ecp5",
    description: "Lattice ECP5 LFE5U-85F, speed grade 6, with the open tools",
    clock: Clock {
        default_period_ns: "10.0",
        uncertainty_ns: "0.5",
        path_margin: "0.1",
        source: "choice: 100 MHz; 5 % kept back for jitter and longer routes; measured paths of 16 chains of operators were 0.80 to 1.27 times the sum of their rows, 1.02 in the median; path_margin: kernels gained next to nothing from more",
    },
    capacity: [83640, 83640, 156, 208],
    capacity_source: "measured: cells of the device as the placement tool lists them for --85k",
    limb_bits: 18,
    has_multiplier_blocks: true,
    multiply_widths: &[1, 2, 4, 8, 12, 18, 19, 24, 32, 36, 37, 48, 64, 96],
    limb_widths: &[19, 24, 32, 36, 37, 48, 54, 55, 64, 72, 96],
    multiplexer_widths: &[1, 8, 32, 64],
    constant_lut: 1,
    has_lut_ram: true,
    block_shapes: &[
        (512, 36),
        (1024, 18),
        (2048, 9),
        (4096, 4),
        (8192, 2),
        (16384, 1),
    ],
};

/// Lattice iCE40 HX: no multiplier blocks, no memory in look-up tables.
const ICE40: Target = Target {
    name: "ice40",
    description: "Lattice iCE40 HX8K, with the open tools",
    clock: Clock {
        default_period_ns: "20.0",
        uncertainty_ns: "0.5",
        path_margin: "0.1",
        source: "choice: 50 MHz, at which an addition of 64 bits and a product of two limbs fit; uncertainty and margin as for ECP5",
    },
    capacity: [7680, 7680, 0, 32],
    capacity_source: "measured: cells of the device as the placement tool lists them for --hx8k",
    limb_bits: 8,
    has_multiplier_blocks: false,
    multiply_widths: &[1, 2, 4, 8, 12, 16, 18, 24, 32, 48, 64],
    limb_widths: &[12, 16, 24, 32, 40, 48, 64],
    multiplexer_widths: &[1, 8, 32],
    constant_lut: 0,
    has_lut_ram: false,
    block_shapes: &[(256, 16), (512, 8), (1024, 4), (2048, 2)],
};

impl Target {
    /// Returns the target with this name.
    pub fn of_name(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }
}
