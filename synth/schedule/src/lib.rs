//! Scheduling problems, solvers, checker and certificates; good_lp lives here and nowhere else.
