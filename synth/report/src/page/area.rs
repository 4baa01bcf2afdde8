//! The panel of area: maps and tables by unit and by source line.

use std::collections::BTreeMap;
use std::fmt::Write;

use sluice_kernel::compiled::Compiled;
use sluice_techmap::area::{AreaLine, area, total};
use treemap::{MapItem, Mappable, Rect, TreemapLayout};

use super::colour;
use crate::markup::{Origin, escape};

const HEAD: &str = "<th class=\"n\">count</th><th class=\"n\">LUT</th><th class=\"n\">FF</th><th class=\"n\">DSP</th>\
     <th class=\"n\">BRAM</th><th class=\"track\">LUT and FF</th></tr>\n";

/// Adds the panel.
pub(super) fn panel(page: &mut String, compiled: &Compiled, lines: &BTreeMap<u32, AreaLine>) {
    let units = area(
        &compiled.context,
        &compiled.circuit,
        &compiled.top,
        &compiled.device,
    );
    let _ = write!(
        page,
        "<h2 id=\"area\">Area{}</h2>\n<p class=\"faint\">Each unit alone, from the tables of the device: the sums are larger than the expected result of synthesis. \
         A shared unit counts at the line of one of its operations. Sizes in the maps: LUT and FF.</p>\n",
        Origin::Estimated.mark()
    );
    page.push_str("<h3>by unit</h3>\n");
    let tiles = units.iter().map(|(class, sum)| Tile {
        name: class.clone(),
        link: None,
        colour: colour(class),
        size: size(sum),
    });
    map(page, tiles.collect());
    by_unit(page, &units);
    page.push_str("<h3>by source line</h3>\n");
    let source: Vec<&str> = compiled.source_text.lines().collect();
    let tiles = lines.iter().map(|(line, sum)| {
        let at = usize::try_from(*line).unwrap_or(0).wrapping_sub(1);
        let text = source.get(at).map(|text| text.trim());
        Tile {
            name: match text {
                Some(text) => format!("{line}: {text}"),
                None => "no line".to_owned(),
            },
            link: text.map(|_| *line),
            colour: "lines",
            size: size(sum),
        }
    });
    map(page, tiles.collect());
    by_line(page, lines, source.len());
}

fn size(sum: &AreaLine) -> f64 {
    sum.area.lut + sum.area.ff
}

/// A rectangle of a map.
struct Tile {
    name: String,
    link: Option<u32>,
    colour: &'static str,
    size: f64,
}

/// Width of a map as a multiple of its height.
const ASPECT: f64 = 3.0;

/// Adds a map whose rectangles have the areas of the tiles, in percent of its width and height.
fn map(page: &mut String, tiles: Vec<Tile>) {
    let sum: f64 = tiles.iter().map(|tile| tile.size).sum();
    let mut tiles: Vec<Tile> = tiles
        .into_iter()
        .filter(|tile| tile.size > sum / 2000.0)
        .collect();
    if tiles.is_empty() {
        return;
    }
    // The layout sorts by size; sorted before, names and rectangles stay together.
    tiles.sort_by(|a, b| b.size.total_cmp(&a.size).then_with(|| a.name.cmp(&b.name)));
    let sum: f64 = tiles.iter().map(|tile| tile.size).sum();
    let mut items: Vec<MapItem> = tiles
        .iter()
        .map(|tile| MapItem::with_size(tile.size / sum))
        .collect();
    TreemapLayout::new().layout_items(&mut items, Rect::from_points(0.0, 0.0, ASPECT, 1.0));
    page.push_str("<div class=\"map\">\n");
    for (tile, item) in tiles.iter().zip(&items) {
        let at = item.bounds();
        let place = format!(
            "left:{:.2}%;top:{:.2}%;width:{:.2}%;height:{:.2}%",
            100.0 * at.x / ASPECT,
            100.0 * at.y,
            100.0 * at.w / ASPECT,
            100.0 * at.h
        );
        let name = escape(&tile.name);
        let share = 100.0 * tile.size / sum;
        let told = format!("{name}: {:.0} LUT and FF, {share:.1} %", tile.size);
        let inside = format!(
            "<span>{name}</span><span class=\"faint\">{:.0}</span>",
            tile.size
        );
        let class = tile.colour;
        let _ = match tile.link {
            Some(line) => writeln!(
                page,
                "<a class=\"tile {class}\" href=\"#L{line}\" style=\"{place}\" title=\"{told}\">{inside}</a>"
            ),
            None => writeln!(
                page,
                "<div class=\"tile {class}\" style=\"{place}\" title=\"{told}\">{inside}</div>"
            ),
        };
    }
    page.push_str("</div>\n");
}

/// Returns the table cells of a line of area; `most` is the number of cells at the full width.
fn cells(sum: &AreaLine, most: f64) -> String {
    let a = sum.area;
    let share = if most > 0.0 {
        100.0 * (a.lut + a.ff) / most
    } else {
        0.0
    };
    format!(
        "<td class=\"n\">{}</td><td class=\"n\">{:.0}</td><td class=\"n\">{:.0}</td><td class=\"n\">{:.1}</td><td class=\"n\">{:.1}</td>\
         <td class=\"track\"><span class=\"bar\" style=\"width:{share:.1}%\"></span></td>",
        sum.count, a.lut, a.ff, a.dsp, a.bram
    )
}

fn most<'a>(sums: impl Iterator<Item = &'a AreaLine>) -> f64 {
    sums.map(size).fold(0.0, f64::max)
}

fn by_unit(page: &mut String, units: &BTreeMap<String, AreaLine>) {
    let _ = write!(
        page,
        "<details><summary>table of units</summary>\n<div class=\"wide\"><table>\n<tr><th>unit</th>{HEAD}"
    );
    let most = most(units.values());
    for (class, sum) in units {
        let _ = writeln!(
            page,
            "<tr><td class=\"code\">{}</td>{}</tr>",
            escape(class),
            cells(sum, most)
        );
    }
    let a = total(units);
    let _ = writeln!(
        page,
        "<tr><td>total</td><td></td><td class=\"n\">{:.0}</td><td class=\"n\">{:.0}</td><td class=\"n\">{:.1}</td><td class=\"n\">{:.1}</td><td></td></tr>",
        a.lut, a.ff, a.dsp, a.bram
    );
    page.push_str("</table></div>\n</details>\n");
}

fn by_line(page: &mut String, lines: &BTreeMap<u32, AreaLine>, n_lines: usize) {
    let _ = write!(
        page,
        "<details><summary>table of lines</summary>\n<div class=\"wide\"><table>\n<tr><th>line</th>{HEAD}"
    );
    let most = most(lines.values());
    for (line, sum) in lines {
        let is_there = usize::try_from(*line).is_ok_and(|line| line <= n_lines);
        let line = match line {
            0 => "no line".to_owned(),
            line if is_there => format!("<a href=\"#L{line}\">{line}</a>"),
            line => line.to_string(),
        };
        let _ = writeln!(page, "<tr><td>{line}</td>{}</tr>", cells(sum, most));
    }
    page.push_str("</table></div>\n</details>\n");
}
