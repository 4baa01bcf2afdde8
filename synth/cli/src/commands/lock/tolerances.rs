//! How much worse a figure may be than the locked one.

use serde_yaml::Value;
use sluice_config::{Reader, Step};

use super::file::{below, known_keys};

/// The figures that have a tolerance, in the order of the file.
pub(super) const FIGURES: [&str; 7] = ["latency", "ii", "lut", "ff", "dsp", "bram", "fmax"];

const VERILOG: &str = "verilog";

/// An amount by which a figure may be worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tolerance {
    /// In percent of the locked figure.
    Percent(f64),
    /// In units of the figure.
    Amount(f64),
}

/// The tolerances of a lock.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tolerances {
    /// In the order of [`FIGURES`].
    of: [Tolerance; FIGURES.len()],
    /// Whether the Verilog may change where no figure does.
    pub(super) any_verilog: bool,
}

impl Default for Tolerances {
    fn default() -> Self {
        use Tolerance::{Amount, Percent};
        let exact = Amount(0.0);
        Self {
            of: [
                exact,
                exact,
                Percent(2.0),
                Percent(2.0),
                exact,
                exact,
                Percent(3.0),
            ],
            any_verilog: false,
        }
    }
}

impl Tolerance {
    /// Whether a figure that is worse by `by` than `locked` is tolerated.
    pub(super) fn allows(self, by: f64, locked: f64) -> bool {
        let most = match self {
            Self::Percent(percent) => locked.abs() * percent / 100.0,
            Self::Amount(amount) => amount,
        };
        // Figures are rounded to a tenth.
        by <= most + 1e-9
    }

    pub(super) fn text(self) -> String {
        match self {
            Self::Percent(percent) => format!("{percent}%"),
            Self::Amount(amount) => amount.to_string(),
        }
    }
}

impl Tolerances {
    /// The tolerance of a figure.
    pub(super) fn of(&self, figure: &str) -> Tolerance {
        let position = FIGURES.iter().position(|known| *known == figure);
        position.map_or(Tolerance::Amount(0.0), |position| self.of[position])
    }

    /// As a mapping of YAML in one line.
    pub(super) fn text(&self) -> String {
        let figures = FIGURES.iter().zip(self.of);
        let mut all: Vec<String> = figures
            .map(|(figure, tolerance)| format!("{figure}: {}", tolerance.text()))
            .collect();
        let verilog = if self.any_verilog { "any" } else { "same" };
        all.push(format!("{VERILOG}: {verilog}"));
        format!("{{{}}}", all.join(", "))
    }

    /// Reads a mapping of figures to tolerances; those that it leaves out are 0.
    pub(super) fn read(reader: &mut Reader<'_>, value: &Value) -> Self {
        let at: [Step; 1] = ["tolerances".into()];
        let mut found = Self {
            of: [Tolerance::Amount(0.0); FIGURES.len()],
            any_verilog: false,
        };
        let Some(mapping) = value.as_mapping() else {
            reader.error_at(
                &at,
                "`tolerances` has figures with percentages or amounts, as {lut: 2%, latency: 0}",
            );
            return found;
        };
        let known: Vec<&str> = FIGURES.iter().copied().chain([VERILOG]).collect();
        known_keys(reader, &at, mapping, &known);
        for (figure, place) in FIGURES.iter().zip(&mut found.of) {
            let Some(value) = mapping.get(*figure) else {
                continue;
            };
            match tolerance(value) {
                Some(tolerance) => *place = tolerance,
                None => reader.error_at(
                    &below(&at, *figure),
                    format!("the tolerance of `{figure}` is a percentage, as `2%`, or a number, 0 or more"),
                ),
            }
        }
        match mapping.get(VERILOG).map(Value::as_str) {
            None | Some(Some("same")) => {}
            Some(Some("any")) => found.any_verilog = true,
            Some(_) => reader.error_at(
                &below(&at, VERILOG),
                "the tolerance of `verilog` is `same`, or `any` where it may change with no figure",
            ),
        }
        found
    }
}

fn tolerance(value: &Value) -> Option<Tolerance> {
    let is_fit = |number: &f64| number.is_finite() && *number >= 0.0;
    match value {
        Value::Number(amount) => amount.as_f64().filter(is_fit).map(Tolerance::Amount),
        Value::String(text) => {
            let percent = text.strip_suffix('%')?.trim().parse().ok();
            percent.filter(is_fit).map(Tolerance::Percent)
        }
        _ => None,
    }
}
