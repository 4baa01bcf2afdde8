//! Loop and memory transformations, dependences, width analysis.
