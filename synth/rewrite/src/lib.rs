//! Equality saturation on data paths; egg lives here and nowhere else.
