//! A scatter plot as SVG: time against a resource, with the front of these two.

use std::fmt::Write as _;

use sluice_oplib::mapping::Expected;
use sluice_report::markup::escape;

/// A row of the table, as a mark of the plot.
pub(super) struct Mark {
    /// Number of the first point.
    pub(super) number: usize,
    /// Class of the mark: how the row compares.
    pub(super) class: &'static str,
    /// Its description.
    pub(super) title: String,
    /// Horizontal, in ns.
    pub(super) time: Expected,
    /// Vertical, in cells.
    pub(super) cells: Expected,
    /// Whether it keeps the constraints.
    pub(super) is_kept: bool,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;

/// From values to places; logarithmic where the values differ much.
struct Scale {
    least: f64,
    most: f64,
    from: f64,
    to: f64,
    is_logarithmic: bool,
}

/// The greatest value by the least one from which a scale is logarithmic.
const WIDE_RANGE: f64 = 12.0;

impl Scale {
    fn of(values: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Self {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (least, most) = (least.min(value), most.max(value));
        }
        if !least.is_finite() || !most.is_finite() {
            (least, most) = (0.0, 1.0);
        }
        let is_logarithmic = least > 0.0 && most / least > WIDE_RANGE;
        let (least, most) = match is_logarithmic {
            true => (least / 1.2, most * 1.2),
            false => {
                let room = match most > least {
                    true => (most - least) * 0.06,
                    false => (most.abs() * 0.1).max(1.0),
                };
                (least - room, most + room)
            }
        };
        Self {
            least,
            most,
            from,
            to,
            is_logarithmic,
        }
    }

    fn at(&self, value: f64) -> f64 {
        let share = match self.is_logarithmic {
            true => (value.max(self.least) / self.least).ln() / (self.most / self.least).ln(),
            false => (value - self.least) / (self.most - self.least),
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Round numbers in the range, and the digits after the point that they need.
    fn ticks(&self) -> (Vec<f64>, usize) {
        if self.is_logarithmic {
            let first = 10_f64.powf(self.least.log10().floor());
            let powers = (0..12).map(|power| first * 10_f64.powi(power));
            let all = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * power));
            let all = all.filter(|tick| (self.least..=self.most).contains(tick));
            return (all.collect(), usize::from(self.least < 1.0));
        }
        let rough = (self.most - self.least) / 6.0;
        let power = 10_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let decimals = [1.0, 0.1, 0.01]
            .iter()
            .position(|unit| step >= unit * 0.999);
        let first = (self.least / step).ceil();
        let all = (0..12_u32).map(|i| (first + f64::from(i)) * step);
        let all = all.take_while(|tick| *tick <= self.most);
        (all.collect(), decimals.unwrap_or(3))
    }
}

/// The plot of some marks; `name` is the resource.
pub(super) fn plot(marks: &[Mark], name: &str) -> String {
    let x = Scale::of(
        marks.iter().map(|mark| mark.time.value),
        (LEFT, WIDTH - RIGHT),
    );
    let y = Scale::of(
        marks.iter().map(|mark| mark.cells.value),
        (HEIGHT - BOTTOM, TOP),
    );
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"time in ns against {name}\">\n"
    );
    let bottom = HEIGHT - BOTTOM;
    let (ticks, decimals) = x.ticks();
    for tick in ticks {
        let at = x.at(tick);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom}\"/><text class=\"faint\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:.decimals$}</text>",
            bottom + 16.0
        );
    }
    let (ticks, decimals) = y.ticks();
    for tick in ticks {
        let at = y.at(tick);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text class=\"faint\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick:.decimals$}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">time in ns</text>\
         <text transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{name}</text>",
        LEFT.midpoint(WIDTH - RIGHT),
        HEIGHT - 8.0,
        TOP.midpoint(bottom)
    );
    svg += &stairs(marks, &x, &y);
    // The best last, on top of the others.
    let mut order: Vec<&Mark> = marks.iter().collect();
    order.sort_by_key(|mark| (mark.class == "best", mark.number));
    for mark in order {
        let (at_x, at_y) = (x.at(mark.time.value), y.at(mark.cells.value));
        let radius = if mark.class == "best" { 6 } else { 4 };
        let _ = write!(
            svg,
            "<a href=\"#p{}\" class=\"{}\">",
            mark.number, mark.class
        );
        if mark.class == "best" {
            let _ = write!(
                svg,
                "<path class=\"error\" d=\"M{:.1} {at_y:.1}H{:.1}M{at_x:.1} {:.1}V{:.1}\"/>",
                x.at(mark.time.low),
                x.at(mark.time.high),
                y.at(mark.cells.low),
                y.at(mark.cells.high)
            );
        }
        let _ = writeln!(
            svg,
            "<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"{radius}\"><title>{}</title></circle></a>",
            escape(&mark.title)
        );
    }
    svg + "</svg>\n"
}

/// The front of the two figures: the least cells that are had in a time.
fn stairs(marks: &[Mark], x: &Scale, y: &Scale) -> String {
    let mut kept: Vec<&Mark> = marks.iter().filter(|mark| mark.is_kept).collect();
    kept.sort_by(|a, b| {
        let by_time = a.time.value.total_cmp(&b.time.value);
        by_time.then(a.cells.value.total_cmp(&b.cells.value))
    });
    let mut path = String::new();
    let mut least = f64::INFINITY;
    for mark in kept {
        if mark.cells.value >= least {
            continue;
        }
        let (at_x, at_y) = (x.at(mark.time.value), y.at(mark.cells.value));
        match path.is_empty() {
            true => {
                let _ = write!(path, "M{at_x:.1} {TOP}V{at_y:.1}");
            }
            false => {
                let _ = write!(path, "H{at_x:.1}V{at_y:.1}");
            }
        }
        least = mark.cells.value;
    }
    match path.is_empty() {
        true => path,
        false => format!(
            "<path class=\"front\" d=\"{path}H{:.1}\"/>\n",
            WIDTH - RIGHT
        ),
    }
}
