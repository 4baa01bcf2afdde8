//! Statistics of channels and buffers of a run.

/// The counters of one channel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ChannelStatistics {
    /// Cycles in which a token was transferred.
    pub n_tokens: u64,
    /// Stalled cycles: valid, but not ready.
    pub stalled_cycles: u64,
    /// Starved cycles: ready, but not valid.
    pub starved_cycles: u64,
}

/// The counters of one buffer or pipelined operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferStatistics {
    /// Name of the operation.
    pub name: String,
    /// Number of its output channel.
    pub channel: usize,
    /// The most tokens that it can hold.
    pub capacity: usize,
    /// The most tokens in it at the end of a cycle.
    pub most_tokens: usize,
    /// Sum over all cycles of the tokens in it; divided by the cycles of the run it is the mean.
    pub token_cycles: u64,
}

/// The statistics of a run, up to the cycle in which its results were taken.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// One entry per channel, indexed by the channel's number.
    pub channels: Vec<ChannelStatistics>,
    /// One entry per buffer, in the order of the program's text.
    pub buffers: Vec<BufferStatistics>,
}

impl Statistics {
    /// Counts one cycle.
    pub(super) fn count(&mut self, valid: &[bool], ready: &[bool]) {
        for ((channel, valid), ready) in self.channels.iter_mut().zip(valid).zip(ready) {
            channel.n_tokens += u64::from(*valid & *ready);
            channel.stalled_cycles += u64::from(*valid & !*ready);
            channel.starved_cycles += u64::from(!*valid & *ready);
        }
    }
}
