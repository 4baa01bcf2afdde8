//! Writes rows and points of a device file as text.

/// A point: its figures by name, in the order of the file.
pub(crate) type Point = Vec<(&'static str, f64)>;

/// Returns a figure in its shortest form, three decimals at most.
pub(crate) fn format_number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// Writes one row: its keys, its source, its points; figures that are 0 at every point are left out, except the delays.
pub(crate) fn row(head: &[(&str, String)], source: &str, points: &[Point]) -> Vec<String> {
    let mut lines: Vec<String> = head
        .iter()
        .enumerate()
        .map(|(position, (key, value))| {
            let start = if position == 0 { "  - " } else { "    " };
            format!("{start}{key}: {value}")
        })
        .collect();
    lines.push(format!("    source: \"{source}\""));
    lines.push("    points:".to_owned());
    let is_kept = |position: usize, key: &str| {
        ["width_bits", "delay_ns", "input_delay_ns"].contains(&key)
            || points.iter().any(|point| point[position].1 != 0.0)
    };
    for point in points {
        let figures: Vec<String> = point
            .iter()
            .enumerate()
            .filter(|(position, (key, _))| is_kept(*position, key))
            .map(|(_, (key, value))| format!("{key}: {}", format_number(*value)))
            .collect();
        lines.push(format!("      - {{ {} }}", figures.join(", ")));
    }
    lines
}

/// Returns the points so that no figure decreases: placement and mapping noise must not make a larger operator cheaper.
///
/// A delay is raised to the greatest before it; decreasing cell counts are replaced by their mean.
pub(crate) fn rising(mut points: Vec<Point>) -> Vec<Point> {
    let n_figures = points.first().map_or(0, Vec::len);
    for figure in 0..n_figures {
        let key = points[0][figure].0;
        let values: Vec<f64> = points.iter().map(|point| point[figure].1).collect();
        let values = match key {
            "width_bits" => values,
            _ if key.ends_with("_ns") => raised(&values),
            _ => pooled(&values),
        };
        for (point, value) in points.iter_mut().zip(values) {
            point[figure].1 = value;
        }
    }
    points
}

fn raised(values: &[f64]) -> Vec<f64> {
    let mut most = f64::NEG_INFINITY;
    values
        .iter()
        .map(|value| {
            most = most.max(*value);
            most
        })
        .collect()
}

/// Applies isotonic regression: pools decreasing neighbours until no mean decreases.
fn pooled(values: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, u32)> = Vec::new();
    for value in values {
        let mut pool = (*value, 1);
        while let Some((mean, count)) = pools.last().copied().filter(|(mean, _)| *mean > pool.0) {
            pools.pop();
            let both = count + pool.1;
            let sum = mean * f64::from(count) + pool.0 * f64::from(pool.1);
            pool = (sum / f64::from(both), both);
        }
        pools.push(pool);
    }
    pools
        .into_iter()
        .flat_map(|(mean, count)| (0..count).map(move |_| mean))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_falls_is_raised_or_pooled() {
        assert_eq!(raised(&[1.0, 3.0, 2.0]), [1.0, 3.0, 3.0]);
        assert_eq!(pooled(&[1.0, 14.0, 13.0, 21.0]), [1.0, 13.5, 13.5, 21.0]);
        assert_eq!(pooled(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
    }

    #[test]
    fn figures_have_no_trailing_zeros() {
        assert_eq!(format_number(1.2), "1.2");
        assert_eq!(format_number(13.0), "13");
        assert_eq!(format_number(-0.0001), "0");
    }
}
