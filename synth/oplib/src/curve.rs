//! Cost curves over the width: measured points, linear interpolation between them, and linear extrapolation after the last.

use crate::area::Area;

/// The delays and the area of an operator at one width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    /// Width of the operator.
    pub width_bits: u32,
    /// See `Implementation::input_delay_ns`.
    pub input_delay_ns: f64,
    /// See `Implementation::stage_delay_ns`.
    pub stage_delay_ns: f64,
    /// See `Implementation::output_delay_ns`.
    pub output_delay_ns: f64,
    /// See `Implementation::area`.
    pub area: Area,
}

impl Point {
    /// Returns the greater value of two points for every figure.
    pub(crate) fn greatest(&self, other: &Self) -> Self {
        Self {
            width_bits: self.width_bits,
            input_delay_ns: self.input_delay_ns.max(other.input_delay_ns),
            stage_delay_ns: self.stage_delay_ns.max(other.stage_delay_ns),
            output_delay_ns: self.output_delay_ns.max(other.output_delay_ns),
            area: self.area.zip(other.area, f64::max),
        }
    }

    /// Multiplies every figure by a factor.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self {
            width_bits: self.width_bits,
            input_delay_ns: self.input_delay_ns * factor,
            stage_delay_ns: self.stage_delay_ns * factor,
            output_delay_ns: self.output_delay_ns * factor,
            area: self.area * factor,
        }
    }
}

/// Points of increasing width, at least one; no figure decreases with the width.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    points: Vec<Point>,
}

impl Curve {
    /// Creates a curve. The caller has checked that there is a point and that the widths increase.
    pub(crate) fn new(points: Vec<Point>) -> Self {
        Self { points }
    }

    /// Returns the least width for which the curve is valid.
    pub(crate) fn first_width_bits(&self) -> u32 {
        self.points[0].width_bits
    }

    /// Returns the widths of the points.
    pub(crate) fn widths_bits(&self) -> impl Iterator<Item = u32> + '_ {
        self.points.iter().map(|point| point.width_bits)
    }

    /// Returns the figures at a width: `y = y0 + (y1 - y0) * (width - w0) / (w1 - w0)`, where (w0, y0) and (w1, y1) are the
    /// points on either side, or the last two points for a width beyond the last. A single point holds for all widths.
    pub(crate) fn at(&self, width_bits: u32) -> Point {
        let after = self
            .points
            .partition_point(|point| point.width_bits < width_bits);
        if let Some(exact) = self
            .points
            .get(after)
            .filter(|point| point.width_bits == width_bits || after == 0)
        {
            return Point {
                width_bits,
                ..*exact
            };
        }
        let upper = after.min(self.points.len() - 1);
        if upper == 0 {
            return Point {
                width_bits,
                ..self.points[0]
            };
        }
        interpolate(&self.points[upper - 1], &self.points[upper], width_bits)
    }
}

/// Interpolates linearly between two points, at a width.
pub(crate) fn interpolate(low: &Point, high: &Point, width_bits: u32) -> Point {
    let position = (f64::from(width_bits) - f64::from(low.width_bits))
        / (f64::from(high.width_bits) - f64::from(low.width_bits));
    blend(low, high, position, width_bits)
}

/// Returns `low + (high - low) * position` for every figure.
pub(crate) fn blend(low: &Point, high: &Point, position: f64, width_bits: u32) -> Point {
    let mix = |from: f64, to: f64| from + (to - from) * position;
    Point {
        width_bits,
        input_delay_ns: mix(low.input_delay_ns, high.input_delay_ns),
        stage_delay_ns: mix(low.stage_delay_ns, high.stage_delay_ns),
        output_delay_ns: mix(low.output_delay_ns, high.output_delay_ns),
        area: low.area.zip(high.area, mix),
    }
}
