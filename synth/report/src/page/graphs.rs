//! Drawings of dataflow graphs, in layers from operands to results.

use std::collections::BTreeSet;
use std::fmt::Write;

use rust_sugiyama::configure::Config;
use rust_sugiyama::from_vertices_and_edges;

use super::charts::Chart;
use super::colour;
use crate::markup::escape;

/// Maximum number of nodes of a drawing: a larger one is no longer readable.
const MAX_NODES: usize = 600;

/// Number of nodes from which crossings are no longer reduced by exchanges, which would take longer than the compilation.
const MANY_NODES: usize = 120;

/// Height of a node, and minimum distance between nodes, in pixels.
const HEIGHT: f64 = 22.0;
const SPACING: f64 = 26.0;

/// A node.
pub(super) struct Node {
    pub(super) label: String,
    /// Text that is shown when the pointer is on the node.
    pub(super) told: String,
    pub(super) line: Option<u32>,
    /// Classes in the style.
    pub(super) class: String,
}

/// An edge between two nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Arc {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Class in the style.
    pub(super) class: &'static str,
}

/// A dataflow graph.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) arcs: Vec<Arc>,
}

impl Graph {
    /// Returns the graph of the operations of a loop.
    pub(super) fn of_chart(chart: &Chart<'_>) -> Self {
        let critical: BTreeSet<usize> = match (&chart.limit, chart.section.ii) {
            (Some(limit), Some(_)) => limit.rows().iter().copied().collect(),
            _ => BTreeSet::new(),
        };
        let nodes = chart.rows.iter().enumerate().map(|(at, (row, _))| {
            let hot = if critical.contains(&at) { " hot" } else { "" };
            Node {
                label: row.label.clone(),
                told: format!(
                    "{}, {}: starts in cycle {}",
                    row.label, row.class, row.start
                ),
                line: row.line,
                class: format!("{}{hot}", colour(&row.class)),
            }
        });
        let arcs = chart.edges.iter().filter(|edge| edge.is_data);
        let arcs = arcs.map(|edge| {
            let is_critical = critical.contains(&edge.from) && critical.contains(&edge.to);
            Arc {
                from: edge.from,
                to: edge.to,
                class: match (edge.distance, is_critical) {
                    (0, false) => "",
                    (0, true) => "critical",
                    (_, false) => "carried",
                    (_, true) => "carried critical",
                },
            }
        });
        Self {
            nodes: nodes.collect(),
            arcs: arcs.collect(),
        }
    }

    /// Adds the drawing to a page.
    pub(super) fn draw(&self, page: &mut String, name: &str) {
        if self.nodes.len() > MAX_NODES {
            let _ = writeln!(
                page,
                "<p class=\"faint\">The graph has {} nodes, too many for a readable drawing.</p>",
                self.nodes.len()
            );
            return;
        }
        let Some(layout) = self.layout() else { return };
        let (width, height) = layout.size;
        let _ = writeln!(
            page,
            "<div class=\"wide graphbox\"><svg class=\"graph\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">",
            escape(name)
        );
        for arc in &self.arcs {
            let shape = self.shape(arc, &layout);
            let _ = writeln!(
                page,
                "<path class=\"arc {}\" data-from=\"{}\" data-to=\"{}\" d=\"{shape}\"/>",
                arc.class, arc.from, arc.to
            );
        }
        for (at, node) in self.nodes.iter().enumerate() {
            let (x, y) = layout.places[at];
            let width = width_of(node);
            let line = node
                .line
                .map_or_else(String::new, |line| format!(" data-line=\"{line}\""));
            let _ = writeln!(
                page,
                "<g class=\"node {}\" data-n=\"{at}\"{line} transform=\"translate({:.0} {:.0})\"><title>{}</title><rect width=\"{width:.0}\" height=\"{HEIGHT}\" rx=\"4\"/><text x=\"{:.0}\" y=\"15\">{}</text></g>",
                node.class,
                x - width / 2.0,
                y - HEIGHT / 2.0,
                escape(&node.told),
                width / 2.0,
                escape(&shown(&node.label))
            );
        }
        page.push_str("</svg></div>\n");
    }

    /// Places the nodes; `None` without nodes.
    fn layout(&self) -> Option<Layout> {
        let id = |at: usize| u32::try_from(at).expect("a drawing has few nodes");
        let nodes: Vec<(u32, (f64, f64))> = self
            .nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (id(at), (width_of(node), HEIGHT)))
            .collect();
        // Of several edges between two nodes one decides, and an edge to the node itself none.
        let edges: BTreeSet<(u32, u32)> = self
            .arcs
            .iter()
            .filter(|arc| arc.from != arc.to)
            .map(|arc| (id(arc.from), id(arc.to)))
            .collect();
        let edges: Vec<(u32, u32)> = edges.into_iter().collect();
        let config = Config {
            vertex_spacing: SPACING,
            transpose: nodes.len() <= MANY_NODES,
            ..Config::default()
        };
        let parts = from_vertices_and_edges(&nodes, &edges, &config);
        let mut layout = Layout {
            places: vec![(0.0, 0.0); self.nodes.len()],
            size: (0.0, 0.0),
        };
        // Parts that are not connected are beside each other.
        let mut left = SPACING;
        for (part, ..) in parts {
            let half = |at: usize| width_of(&self.nodes[at]) / 2.0;
            let least = |value: fn(f64, f64) -> f64, of: &dyn Fn(usize, (f64, f64)) -> f64| {
                let all = part.iter().map(|(at, place)| of(*at, *place));
                all.reduce(value).unwrap_or(0.0)
            };
            let x0 = least(f64::min, &|at, (x, _)| x - half(at));
            let x1 = least(f64::max, &|at, (x, _)| x + half(at));
            let ys = [
                least(f64::min, &|_, (_, y)| y),
                least(f64::max, &|_, (_, y)| y),
            ];
            // The parts of a layout begin at any height; operands are at the top.
            for (at, (x, y)) in &part {
                layout.places[*at] = (x - x0 + left, y - ys[0] + SPACING);
            }
            left += x1 - x0 + SPACING;
            layout.size.1 = layout.size.1.max(ys[1] - ys[0] + 2.0 * SPACING);
        }
        layout.size.0 = left;
        (!self.nodes.is_empty()).then_some(layout)
    }

    /// Returns the path of an edge: downwards between layers, or around the side for one that goes back.
    fn shape(&self, arc: &Arc, layout: &Layout) -> String {
        let (x1, y1) = layout.places[arc.from];
        let (x2, y2) = layout.places[arc.to];
        let half = HEIGHT / 2.0;
        if y2 > y1 {
            let (y1, y2) = (y1 + half, y2 - half);
            let bend = ((y2 - y1) / 2.0).clamp(6.0, 60.0);
            return format!(
                "M{x1:.0} {y1:.0}C{x1:.0} {:.0} {x2:.0} {:.0} {x2:.0} {y2:.0}",
                y1 + bend,
                y2 - bend
            );
        }
        let sides = [arc.from, arc.to].map(|at| width_of(&self.nodes[at]) / 2.0);
        let (x1, x2) = (x1 + sides[0], x2 + sides[1]);
        let out = x1.max(x2) + 18.0 + (y1 - y2) / 8.0;
        format!("M{x1:.0} {y1:.0}C{out:.0} {y1:.0} {out:.0} {y2:.0} {x2:.0} {y2:.0}")
    }
}

struct Layout {
    /// Centre of each node.
    places: Vec<(f64, f64)>,
    size: (f64, f64),
}

/// Maximum number of characters of a label.
const MAX_LABEL: usize = 26;

fn shown(label: &str) -> String {
    match label.chars().count() > MAX_LABEL {
        true => label.chars().take(MAX_LABEL - 1).chain(['…']).collect(),
        false => label.to_owned(),
    }
}

fn width_of(node: &Node) -> f64 {
    let n = u32::try_from(shown(&node.label).chars().count()).unwrap_or(0);
    f64::from(n) * 7.3 + 14.0
}
