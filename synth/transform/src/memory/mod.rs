//! Transformations of memories and their accesses: banking, addressing, forwarding, data reuse, ports, streams.

pub(crate) mod bank;
pub(crate) mod bypass;
pub(crate) mod flatten;
pub(crate) mod forward;
pub(crate) mod merge_branches;
pub(crate) mod promote;
pub(crate) mod reuse;
pub(crate) mod share_accesses;
pub(crate) mod streams;
