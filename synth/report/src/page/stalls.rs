//! The panel of cycles: the use of each cycle of simulated runs, over time and in sum.

use std::fmt::Write;

use super::short;
use crate::markup::{Origin, escape};
use crate::stalls::{Stalls, Use};

/// Number of bars of a chart over time.
const N_BARS: u64 = 240;

/// Width of a bar, and height of the chart, in units of the drawing.
const BAR: u64 = 4;
const HEIGHT: f64 = 80.0;

/// Kinds of uses in the order in which they are stacked: class in the style, and name.
const KINDS: [(&str, &str); 7] = [
    ("work", "work begins"),
    ("between", "until the next iteration"),
    ("drains", "last iterations end"),
    ("waits", "waits for a result or another loop"),
    ("port", "memory port in use"),
    ("blocked", "back-pressure"),
    ("control", "control"),
];

fn kind(of: Use) -> usize {
    match of {
        Use::Begins | Use::Runs => 0,
        Use::Between | Use::Recurs => 1,
        Use::Drains => 2,
        Use::Waits | Use::Lacks | Use::Nested | Use::Outside => 3,
        Use::Port => 4,
        Use::Blocked => 5,
        Use::Control | Use::Done | Use::Decides => 6,
    }
}

/// Returns the panel.
pub(super) fn panel(stalls: &Stalls) -> String {
    let mut page = String::new();
    if stalls.n_cycles == 0 {
        return page;
    }
    let per_bar = match stalls.n_cycles.div_ceil(N_BARS) {
        1 => "a bar is a cycle".to_owned(),
        n => format!("{n} cycles in a bar"),
    };
    let _ = writeln!(
        page,
        "<h2 id=\"stalls\">Use of cycles{}</h2>\n<p class=\"faint\">All {} cycles of the simulated data sets, from left to right; {per_bar}.</p>",
        Origin::Measured.mark(),
        stalls.n_cycles
    );
    page.push_str("<p class=\"key faint\">");
    let used: Vec<bool> = (0..KINDS.len())
        .map(|number| stalls.shares.iter().any(|s| kind(s.of) == number))
        .collect();
    for ((class, name), used) in KINDS.iter().zip(used) {
        if used {
            let _ = write!(page, "<span><i class=\"use {class}\"></i>{name}</span>");
        }
    }
    page.push_str("</p>\n");
    chart(&mut page, stalls);
    page.push_str("<div class=\"wide\"><table>\n<tr><th class=\"n\">cycles</th><th class=\"n\">share</th><th>block</th><th>use</th></tr>\n");
    let mut shares: Vec<_> = stalls.shares.iter().collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.n_cycles));
    for share in shares {
        let percent = 100.0 * float(share.n_cycles) / float(stalls.n_cycles);
        let _ = writeln!(
            page,
            "<tr><td class=\"n\">{}</td><td class=\"n\">{percent:.1} %</td><td>{}</td><td><i class=\"use {}\"></i> {}</td></tr>",
            share.n_cycles,
            escape(&short(&share.block)),
            KINDS[kind(share.of)].0,
            escape(&share.words)
        );
    }
    page.push_str("</table></div>\n");
    page
}

/// Adds the chart: a bar for each equal number of cycles, with a part for each kind.
fn chart(page: &mut String, stalls: &Stalls) {
    let per_bar = stalls.n_cycles.div_ceil(N_BARS);
    let n_bars = stalls.n_cycles.div_ceil(per_bar);
    let _ = writeln!(
        page,
        "<svg class=\"uses\" viewBox=\"0 0 {} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"use of cycles over time\">",
        n_bars * BAR
    );
    let bars = stalls.over_time(per_bar);
    for (bar, shares) in (0u64..).zip(bars) {
        let mut counts = [0u64; KINDS.len()];
        for (share, n_cycles) in shares {
            counts[kind(stalls.shares[share].of)] += n_cycles;
        }
        let mut y = HEIGHT;
        for (count, (class, name)) in counts.iter().zip(KINDS) {
            if *count == 0 {
                continue;
            }
            let height = HEIGHT * float(*count) / float(per_bar);
            y -= height;
            let from = bar * per_bar;
            let _ = writeln!(
                page,
                "<rect class=\"use {class}\" x=\"{}\" y=\"{y:.1}\" width=\"{BAR}\" height=\"{height:.1}\"><title>cycles {from} to {}: {name} in {count}</title></rect>",
                bar * BAR,
                (from + per_bar - 1).min(stalls.n_cycles - 1)
            );
        }
    }
    page.push_str("</svg>\n");
}

/// Returns a number of cycles for a share.
fn float(n: u64) -> f64 {
    let halves = [n >> 32, n & 0xffff_ffff].map(|half| u32::try_from(half).unwrap_or(u32::MAX));
    f64::from(halves[0]) * 4_294_967_296.0 + f64::from(halves[1])
}
