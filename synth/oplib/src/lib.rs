//! The operator library: latency, delay and area of operator classes by device and width.
