//! Attributes that the scheduler writes, and that binding and reports read.

use sluice_ir::definition::KeyPlaces;

use super::{ANYWHERE, FUNCTIONS, keys};
use crate::{builtin, ssp};

/// The module of a kernel.
const MODULE: KeyPlaces = KeyPlaces::Operations {
    kind: "modules",
    names: &[builtin::Module::NAME, ssp::Instance::NAME],
};

keys! {
    /// The start time of the operation in its block.
    START = "sluice.start": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// Time from the start of the operation, or of a call, to its result.
    LATENCY = "sluice.latency": COUNT in "cycles", on ANYWHERE, by "`schedule`, `place-buffers`, `schedule-callees`";
    /// Time for which a unit is busy with the operation.
    OCCUPANCY = "sluice.occupancy": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// The operator class of the operation, or of the unit that a module is.
    CLASS = "sluice.class": TEXT, on ANYWHERE, by "`schedule`, `place-buffers`, `bind`";
    /// The hardware structure of the unit, by its name in device files.
    STRUCTURE = "sluice.structure": TEXT, on ANYWHERE, by "`schedule`, `place-buffers`";
    /// The width of the unit that a module is, or of an operation of a scheduling problem.
    WIDTH = "sluice.width": COUNT in "bits", on ANYWHERE, by "`bind`";
    /// The inputs of the unit are registered; the latency includes these registers.
    REGISTERED_OPERANDS = "sluice.registered_operands": ANYTHING, on ANYWHERE, by "`schedule`";
    /// The width of the unit, where it serves wider operations too.
    UNIT_WIDTH = "sluice.unit_width": POSITIVE in "bits", on ANYWHERE, by "`schedule`";
    /// The multiplier of a product: bits of its left factor, of its right factor, and of its result.
    FACTORS = "sluice.factors": NUMBERS in "bits", on ANYWHERE, by "`factors`";
    /// The factors of the multiplier are in two's complement.
    SIGNED_FACTORS = "sluice.signed_factors": ANYTHING, on ANYWHERE, by "`factors`";
    /// The most operations that may share the unit: more would make the multiplexers of its operands too slow for the clock.
    MAX_SHARERS = "sluice.max_sharers": POSITIVE in "operations", on ANYWHERE, by "`schedule`";
    /// On a float operation: the function with the scheduled data path of its unit.
    UNIT = "sluice.unit": SYMBOL, on ANYWHERE, by "`float-units`";
    /// The function is the data path of a unit, which takes operands in every cycle.
    IS_UNIT = "sluice.is_unit": UNIT, on FUNCTIONS, by "`float-units`";
    /// The initiation interval of a loop, or of the loop that a register of a dataflow graph closes.
    II = "sluice.ii": NUMBER in "cycles", on ANYWHERE, by "`schedule`, `place-buffers`";
    /// Cycles of one iteration, or of the block of a function.
    DEPTH = "sluice.depth": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// Cycles of the condition of a loop that is not pipelined.
    DEPTH_BEFORE = "sluice.depth_before": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// Cycles of the body of a loop that is not pipelined.
    DEPTH_AFTER = "sluice.depth_after": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// Cycles of each branch of a conditional.
    DEPTHS = "sluice.depths": NUMBERS in "cycles", on ANYWHERE, by "`schedule`";
    /// Time from start to done, if it does not depend on data.
    CYCLES = "sluice.cycles": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// Cycles of a loop over all its entries, where entries differ.
    TOTAL_CYCLES = "sluice.total_cycles": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// No schedule has a smaller initiation interval.
    LOWER_BOUND = "sluice.lower_bound": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// The least initiation interval that units and ports alone allow (ResMII).
    RESOURCE_BOUND = "sluice.resource_bound": COUNT in "cycles", on ANYWHERE, by "`schedule`";
    /// The reason why the initiation interval is not smaller, as a sentence.
    BOUND = "sluice.bound": TEXT, on ANYWHERE, by "`schedule`";
    /// The clock period.
    CLOCK_PERIOD_NS = "sluice.clock_period_ns": REAL in "ns", on MODULE, by "`schedule`";
    /// The period for which paths are scheduled, where it is shorter than the clock's.
    PATH_PERIOD_NS = "sluice.path_period_ns": REAL in "ns", on MODULE, by "`schedule`";
    /// The device, by the name of its file.
    DEVICE = "sluice.device": TEXT, on MODULE, by "`schedule`";
    /// The ports of the kernel and their arguments and results.
    INTERFACE = "sluice.interface": LIST_OF_ENTRIES, on ANYWHERE, by "`bind`, `handshake-to-hw`";
    /// The register is set while an iteration of this controller is at a time of its schedule.
    FRAME = "sluice.frame": TEXT, on ANYWHERE, by "`bind`";
    /// With `sluice.frame`: the time since the iteration began, without waiting.
    TIME = "sluice.time": COUNT in "cycles", on ANYWHERE, by "`bind`";
    /// With `sluice.frame`: the operation that holds the block, by its number in the scheduled function.
    OPERATION = "sluice.operation": COUNT, on ANYWHERE, by "`bind`";
    /// With `sluice.frame`: the block by its number in the operation or function.
    BLOCK = "sluice.block": COUNT, on ANYWHERE, by "`bind`";
}
