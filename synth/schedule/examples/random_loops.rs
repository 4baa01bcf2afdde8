//! Writes random loops with a known optimum as instances of `ssp`: `random_loops FOLDER COUNT`.
//!
//! `sluice schedule --summary FOLDER` then prints how many of them were proved optimal.

#[path = "../tests/suite/planted/loops.rs"]
mod loops;

use sluice_schedule::ssp::module_text;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("which folder?")?;
    let count: u64 = arguments.next().ok_or("how many?")?.parse()?;
    std::fs::create_dir_all(&folder)?;
    let sizes = [20, 40, 60, 100, 150, 250, 400, 700, 1000, 1400];
    for seed in 0..count {
        let size = sizes[usize::try_from(seed % 10)?];
        let (problem, _) = loops::planted(size, usize::try_from(seed % 7)?, seed + 1);
        let path = format!("{folder}/{}.mlir", problem.name);
        std::fs::write(path, module_text(&problem, None))?;
    }
    Ok(())
}
