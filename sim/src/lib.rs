//! The untimed interpreter and the cycle simulator.
