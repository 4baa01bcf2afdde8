//! Problems as operations of the dialect `ssp`, and back.
//!
//! What the dialect has no words for stands in attributes of ours: `sluice.occupancy`, `sluice.width`,
//! `sluice.earliest`, `sluice.latest`, `sluice.name`, `sluice.class`, `sluice.chained`, `sluice.forwarded` and `sluice.orders`, and on instances
//! `sluice.clock_period_ns` and `sluice.initiation`. Other tools keep such attributes and pay no heed to them.

mod annotate;
mod read;
mod write;

pub use annotate::annotate;
pub use read::{ReadError, SspInstance, SspOptions, instances};
pub use write::module_text;
