//! Allocation, binding, controller and datapath: scheduled IR to hw, comb and seq.
