//! Control flow to handshake graphs. Not yet: this room opens with elastic dataflow.
