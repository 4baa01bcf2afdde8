//! Conversion between scheduling problems and operations of the dialect `ssp`.
//!
//! Properties that the dialect cannot express are attributes of Sluice: `sluice.occupancy`, `sluice.width`, `sluice.earliest`,
//! `sluice.latest`, `sluice.name`, `sluice.class`, `sluice.chained`, `sluice.forwarded` and `sluice.orders`, and on instances
//! `sluice.clock_period_ns` and `sluice.initiation`. Other tools keep these attributes and ignore them.

mod annotate;
mod read;
mod write;

pub use annotate::annotate;
pub use read::{ReadError, SspInstance, SspOptions, instances};
pub use write::module_text;
