//! How busy channels and buffers were.

/// What happened on one channel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ChannelStatistics {
    /// Cycles in which a token moved.
    pub n_tokens: u64,
    /// Cycles in which a token waited: valid, but not ready.
    pub stalled_cycles: u64,
    /// Cycles in which a token was waited for: ready, but not valid.
    pub starved_cycles: u64,
}

/// What happened in one buffer or pipelined operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferStatistics {
    /// Name of the operation.
    pub name: String,
    /// Number of the channel that its tokens leave by.
    pub channel: usize,
    /// Tokens that it has room for.
    pub capacity: usize,
    /// Most tokens that were in it at the end of a cycle.
    pub most_tokens: usize,
    /// Sum over all cycles of the tokens that were in it: through the cycles of the run, the mean.
    pub token_cycles: u64,
}

/// What happened in a run, up to the cycle in which its results were taken.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// By number of the channel.
    pub channels: Vec<ChannelStatistics>,
    /// In the order of the text.
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
