//! Points as one page that needs nothing else: plots of time against cells, and a table with what repeats each point.

use std::fmt::Write as _;

use sluice_report::markup::escape;
use sluice_report::page::STYLE;

use super::exploration::{Exploration, standing};
use super::front::{DeviceFront, Row, Standing};
use super::goals::Objective;
use super::plot::{Mark, plot};
use super::table::{cells, head};

/// The resources that are plotted against time.
const RESOURCES: [(Objective, &str); 4] = [
    (Objective::Lut, "LUT"),
    (Objective::Ff, "FF"),
    (Objective::Dsp, "DSP"),
    (Objective::Bram, "BRAM"),
];

/// Characters of a setting from which its column is wider.
const LONG: usize = 24;

/// The page. `again` is the command that repeats a point, without its configuration.
pub fn page(exploration: &Exploration<'_>, again: &str) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}: exploration</title>\n<style>\n{STYLE}{1}</style>\n</head>\n<body>\n<h1>Exploration of {0}</h1>\n",
        escape(exploration.file),
        include_str!("page.css"),
    );
    let summary = exploration.summary();
    for line in summary.lines() {
        let _ = writeln!(page, "<p>{}</p>", escape(line));
    }
    for remark in exploration.remarks() {
        let _ = writeln!(page, "<p class=\"faint\">{}</p>", escape(&remark));
    }
    page += "<p class=\"faint\">Area and clock are expected after synthesis and placement. Points are compared on one device only.</p>\n\
             <p class=\"key faint\"><span><i class=\"best\"></i>best</span><span><i class=\"within_error\"></i>within the error of a better one</span>\
             <span><i class=\"worse\"></i>worse</span><span><i class=\"misses_constraint\"></i>misses a constraint</span>\
             <span>line: the front of the two figures shown</span></p>\n\
             <p class=\"filter\"><input type=\"search\" aria-label=\"filter rows\" placeholder=\"filter: all of these words, such as best unroll.k=4\"> <span class=\"faint\"></span></p>\n";
    for (i, front) in exploration.fronts().iter().enumerate() {
        let _ = writeln!(page, "<h2>Device {}</h2>", escape(&front.device));
        plots(&mut page, exploration, (i, front));
        rows(&mut page, exploration, front, again);
    }
    let _ = write!(
        page,
        "<script>\n{}</script>\n</body>\n</html>\n",
        include_str!("page.js")
    );
    page
}

/// The settings of a row in words, such as `unroll.k=4`.
fn settings(exploration: &Exploration<'_>, row: &Row) -> String {
    let axes = exploration.axes();
    let all = axes
        .iter()
        .enumerate()
        .map(|(axis, name)| format!("{name}={}", exploration.setting(row, axis)));
    all.collect::<Vec<_>>().join(" ")
}

fn plots(page: &mut String, exploration: &Exploration<'_>, (number, front): (usize, &DeviceFront)) {
    let marks = |objective: Objective| {
        let marks = front.rows.iter().filter_map(|row| {
            let figures = exploration.figures(row.points[0])?;
            let number = row.points[0] + 1;
            let title = format!(
                "#{number} {}: {}",
                settings(exploration, row),
                exploration.note(row)
            );
            Some(Mark {
                number,
                class: standing(&row.standing).0,
                title,
                time: figures.of_objective(Objective::TimeNs),
                cells: figures.of_objective(objective),
                is_kept: !matches!(row.standing, Standing::Misses(_)),
            })
        });
        marks.collect::<Vec<Mark>>()
    };
    if marks(Objective::Lut).is_empty() {
        return;
    }
    *page += "<fieldset>\n";
    for (objective, name) in RESOURCES {
        let key = objective.name();
        let checked = if objective == Objective::Lut {
            " checked"
        } else {
            ""
        };
        let _ = writeln!(
            page,
            "<input type=\"radio\" class=\"pick pick-{key}\" name=\"d{number}\" id=\"d{number}-{key}\"{checked}><label for=\"d{number}-{key}\">{name}</label>"
        );
    }
    for (objective, name) in RESOURCES {
        let _ = write!(
            page,
            "<div class=\"plot plot-{}\">\n{}</div>\n",
            objective.name(),
            plot(&marks(objective), name)
        );
    }
    *page += "</fieldset>\n";
}

fn rows(page: &mut String, exploration: &Exploration<'_>, front: &DeviceFront, again: &str) {
    let (axes, titles) = head(exploration);
    *page += "<div class=\"wide\"><table>\n<tr><th class=\"n\">#</th><th>note</th>";
    for (i, title) in titles[1..titles.len() - 1].iter().enumerate() {
        let class = if i < axes.len() { "" } else { " class=\"n\"" };
        let _ = write!(page, "<th{class}>{}</th>", escape(title));
    }
    *page += "</tr>\n";
    for row in &front.rows {
        let (class, _) = standing(&row.standing);
        let note = exploration.note(row);
        let words = format!("{} {} {note}", front.device, settings(exploration, row));
        let _ = write!(
            page,
            "<tr id=\"p{0}\" class=\"{class}\" data-words=\"{1}\"><td class=\"n\">{0}</td><td>{2}",
            row.points[0] + 1,
            escape(&words.to_lowercase()),
            escape(&note)
        );
        repeat(page, exploration, row, again);
        *page += "</td>";
        for axis in &axes {
            let value = exploration.setting(row, *axis);
            let class = if value.len() > LONG {
                " class=\"long\""
            } else {
                ""
            };
            let _ = write!(page, "<td{class}>{}</td>", escape(&value));
        }
        for cell in cells(exploration, row) {
            match cell.split_once(' ') {
                Some((value, interval)) => {
                    let _ = write!(
                        page,
                        "<td class=\"n\">{}<br><small>{}</small></td>",
                        escape(value),
                        escape(interval)
                    );
                }
                None => {
                    let _ = write!(page, "<td class=\"n\">{}</td>", escape(&cell));
                }
            }
        }
        *page += "</tr>\n";
    }
    *page += "</table></div>\n";
}

/// The command and the configuration that repeat each point of a row.
fn repeat(page: &mut String, exploration: &Exploration<'_>, row: &Row, again: &str) {
    let title = match row.points.len() {
        1 => "repeat".to_owned(),
        n => format!("repeat: {n} points that are equal"),
    };
    let _ = write!(page, "<details><summary>{title}</summary>");
    for i in &row.points {
        let point = &exploration.points[*i];
        let file = format!("point-{}.yaml", i + 1);
        let _ = write!(
            page,
            "<pre># {file}\n{}</pre><pre>{} --config {file}</pre>",
            escape(&point.configuration),
            escape(again)
        );
    }
    *page += "</details>";
}
