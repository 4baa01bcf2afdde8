//! The best points, synthesised and placed: what the tools find beside what is expected.

use std::path::Path;

use serde_json::{Value, json};
use sluice_flow::explore::{Exploration, Inputs, Space, Standing, compile_point};
use sluice_techmap::estimate::{comparison_json, comparison_text};

use crate::clock::with_time;
use crate::output::{Done, Stop, input, print};
use crate::processes::Patience;
use crate::tools::Tools;

/// The tools of each device whose best points are synthesised: what is missing is said before anything takes time.
pub(super) fn tools(
    space: &Space,
    folder: Option<&Path>,
    patience: Patience,
) -> Done<Vec<(String, Tools)>> {
    let devices = space.synthesis.iter();
    let found = devices.map(|device| {
        let tools = Tools::find(device, folder, patience);
        let named = |stop: Stop| Stop {
            message: format!(
                "{}\nnote: `synthesis` asks for them, for `{device}`",
                stop.message
            ),
            ..stop
        };
        Ok((device.clone(), tools.map_err(named)?))
    });
    found.collect()
}

/// Synthesises the best points, prints each comparison as it is there, and returns all as text and as JSON.
pub(super) fn compare(
    tools: &[(String, Tools)],
    inputs: &Inputs,
    exploration: &Exploration<'_>,
) -> Done<(String, Value)> {
    let (mut all, mut list) = (String::new(), Vec::new());
    for front in exploration.fronts() {
        let Some((_, tools)) = tools.iter().find(|(device, _)| *device == front.device) else {
            continue;
        };
        let best = front
            .rows
            .iter()
            .filter(|row| row.standing == Standing::Best);
        for point in best.map(|row| row.points[0]) {
            let compiled = with_time(&inputs.limits, false, |limits| {
                compile_point(inputs.task(), &inputs.points[point], limits)
            })?;
            let estimate = compiled.estimate();
            let estimate = estimate.ok_or_else(|| input("error: the circuit has no estimate"))?;
            let found = tools.synthesise(&compiled.verilog, &compiled.verilog_name())?;
            let text = format!(
                "\n#{} on {}:{}",
                point + 1,
                front.device,
                comparison_text(&estimate, &found)
            );
            print(&text);
            all += &text;
            let mut entry = comparison_json(&estimate, &found);
            entry["point"] = json!(point + 1);
            entry["device"] = json!(front.device);
            list.push(entry);
        }
    }
    Ok((all, Value::Array(list)))
}
