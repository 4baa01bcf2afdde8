//! Attributes that dataflow graphs and their circuits keep of the kernel.

use super::{ANYWHERE, FUNCTIONS, keys};

keys! {
    /// The name in the source, for reports.
    NAME = "sluice.name": TEXT, on ANYWHERE, by "`lower-to-handshake`, `outline`";
    /// The reason for the buffer, for reports.
    REASON = "sluice.reason": TEXT, on ANYWHERE, by "`place-buffers`";
    /// The paths that the register of a buffer cuts: data, `ready`, or both.
    CUT = "sluice.cut": TEXT, on ANYWHERE, by "`place-buffers`";
    /// Operations of the cycle of channels that determines the II.
    RING = "sluice.ring": TEXT, on ANYWHERE, by "`place-buffers`";
    /// Operations whose use of one unit determines the II.
    BUSY = "sluice.busy": TEXT, on ANYWHERE, by "`place-buffers`";
    /// The unit that the operation shares with others, by its number in the graph.
    SHARED = "sluice.shared": COUNT, on ANYWHERE, by "`share-units`";
    /// Tokens that a shared unit may hold for the operation.
    CREDITS = "sluice.credits": COUNT in "tokens", on ANYWHERE, by "`share-units`";
    /// Words that go through a local memory that is a FIFO; on the buffer that is the FIFO, its name.
    CHANNEL = "sluice.channel": COUNT_OR_TEXT in "words", on ANYWHERE, by "`streams`, `lower-to-handshake`";
    /// Words that go through the FIFO in one call.
    WORDS = "sluice.words": COUNT in "words", on ANYWHERE, by "depths";
    /// Depth of the FIFO in slots that the user requests.
    DEPTH_WANTED = "sluice.depth_wanted": POSITIVE in "slots", on ANYWHERE, by "`streams`";
    /// The address of the store waits for its data in a FIFO while loads of other cells pass it.
    PENDING = "sluice.pending": UNIT, on ANYWHERE, by "`queue-stores`";
    /// Words of the memory outside come or go in their order.
    STREAM = "sluice.stream": UNIT, on ANYWHERE, by "`lower-to-handshake`";
    /// The `hw.module` that is the circuit of the function.
    CIRCUIT = "sluice.circuit": SYMBOL, on ANYWHERE, by "`schedule-callees`";
    /// Memories that the called circuit uses, by their `id`, in the order of its arguments.
    MEMORIES = "sluice.memories": LIST_OR_NUMBERS, on ANYWHERE, by "`lower-to-handshake`";
    /// Words of a constant table.
    VALUES = "sluice.values": LIST, on ANYWHERE, by "`lower-to-handshake`";
    /// The method by which the absence of deadlocks was proved.
    DEADLOCK_FREE = "sluice.deadlock_free": ANYTHING, on FUNCTIONS, by "`prove-deadlock-freedom`";
    /// The channels whose `valid` the net is, by number.
    VALID = "sluice.valid": LIST_OR_NUMBERS, on ANYWHERE, by "`handshake-to-hw`";
    /// The channels whose `ready` the net is, by number.
    READY = "sluice.ready": LIST_OR_NUMBERS, on ANYWHERE, by "`handshake-to-hw`";
    /// The channels whose data the net is, by number.
    DATA = "sluice.data": LIST_OR_NUMBERS, on ANYWHERE, by "`handshake-to-hw`";
    /// Memory arguments of a graph with streams, each name before its number of words.
    OUTSIDE = "sluice.outside": LIST, on ANYWHERE, by "`handshake-to-hw`";
}
