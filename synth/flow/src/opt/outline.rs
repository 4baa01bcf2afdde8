//! The outline of a pipeline: passes one after the other in the same nested pipeline are one group.

/// An item at a place in a pipeline.
pub(super) trait Placed {
    /// The anchors of the nested pipelines that it is in, from outside to inside.
    fn anchors(&self) -> &[String];
}

/// A line of an outline.
pub(super) enum Line<'i, T> {
    /// The items of one nested pipeline.
    Pipeline {
        depth: usize,
        name: String,
        items: &'i [T],
    },
    /// One item.
    Item { depth: usize, item: &'i T },
}

/// Returns the lines for items, which have at least `depth` anchors in common.
pub(super) fn outline<T: Placed>(items: &[T], depth: usize) -> Vec<Line<'_, T>> {
    let is_group = |a: &T, b: &T| {
        let anchor = a.anchors().get(depth);
        anchor.is_some() && anchor == b.anchors().get(depth)
    };
    let mut lines = Vec::new();
    for group in items.chunk_by(is_group) {
        match group[0].anchors().get(depth) {
            None => lines.push(Line::Item {
                depth,
                item: &group[0],
            }),
            Some(anchor) => {
                lines.push(Line::Pipeline {
                    depth,
                    name: format!("'{anchor}' Pipeline"),
                    items: group,
                });
                lines.extend(outline(group, depth + 1));
            }
        }
    }
    lines
}

/// Returns a title in the frame of the reports of mlir-opt.
pub(super) fn title(text: &str) -> String {
    const WIDTH: usize = 80;
    let rule = format!("==={}===\n", "-".repeat(WIDTH - 7));
    let left = " ".repeat(WIDTH.saturating_sub(text.len()) / 2);
    format!("{rule}{left}{text}\n{rule}")
}
