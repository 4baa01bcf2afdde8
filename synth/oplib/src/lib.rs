//! The operator library: latency, delay and area of operator classes by device and width.
//!
//! An [`OperatorClass`](class::OperatorClass) is the hardware that an operation needs; a [`Device`](device::Device) gives its
//! cost. Devices are data: `devices/<name>.yaml`, one row per class and structure, each with its source. This crate does no input
//! or output: text comes in as `&str`, built-in devices are embedded.
//!
//! Delays are inside one clock cycle, in ns, from the output of a register to the input of the next one. They exclude the
//! clock-to-output time and the set-up time of the registers: [`Device::usable_period_ns`] subtracts those from the clock period
//! once. Delays include a typical share of routing, as the source of each row says.
//!
//! [`Device::usable_period_ns`]: device::Device::usable_period_ns

pub mod area;
pub mod calibration;
pub mod class;
mod curve;
pub mod device;
pub mod error;
pub mod implementation;
pub mod mapping;
pub mod memory;
pub mod operations;
mod reader;
mod text;
