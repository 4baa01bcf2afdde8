//! The Verilog of dataflow circuits agrees under Verilator with the cycle simulator; that of kernels also takes the same number
//! of cycles.

use std::fmt::Write as _;
use std::path::Path;

use sluice_dialects::hw::{Direction, module_ports};
use sluice_ir::View;
use sluice_ir::text::{PrintOptions, print_module, print_type};
use sluice_testbenches::module_check::{Subject, compare, prepare};
use sluice_testbenches::random_check::Prepared;
use sluice_testbenches::verilator::{self, available_or_excused};
use sluice_verify::check::interpret;
use sluice_verify::circuit::Circuit;

use crate::elastic_circuits::{buffer, cases, compiled};
use crate::elastic_graphs::{circuit, kernels, shipped};

const N_CYCLES: u64 = 300;

/// Irregular kernels that are run under Verilator here; `sluice cosim` runs all.
const KERNELS: [&str; 3] = ["linked_list", "rc4", "run_length"];

/// Returns a circuit in which a random reset is rare: one cycle in 32.
fn calm(graph: &str, number: usize) -> Result<Subject, String> {
    let graph = graph.replace("@t(", &format!("@t{number}("));
    let (context, circuits) = compiled(&graph)?;
    let top = format!("t{number}");
    let op = circuits.lookup_symbol(&context, &top).ok_or("no module")?;
    let ports = module_ports(View::new(&context, circuits.inner(), op));
    let (mut all, mut inputs) = ("in %calm : i4".to_owned(), Vec::new());
    let (mut results, mut names, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for port in &ports {
        let (name, ty) = (&port.name, print_type(&context, port.ty));
        if port.direction == Direction::Input {
            let _ = write!(all, ", in %{name} : {ty}");
            let net = match name.as_str() {
                "reset" => "rare",
                name => name,
            };
            inputs.push(format!("{name}: %{net}: {ty}"));
        } else {
            let _ = write!(all, ", out {name} : {ty}");
            results.push(format!("{name}: {ty}"));
            names.push(format!("%r.{name}"));
            types.push(ty);
        }
    }
    let text = print_module(&context, &circuits, &PrintOptions::default());
    let body = text.trim_end().strip_suffix('}').ok_or("no module")?;
    let text = format!(
        "{body}hw.module @calm{number}({all}) {{\n\
         %zero = hw.constant 0 : i4\n\
         %quiet = comb.icmp eq %calm, %zero : i4\n\
         %rare = comb.and %quiet, %reset : i1\n\
         {} = hw.instance \"t\" @{top}({}) -> ({})\n\
         hw.output {} : {}\n}}\n}}\n",
        names.join(", "),
        inputs.join(", "),
        results.join(", "),
        names.join(", "),
        types.join(", "),
    );
    let circuit = Circuit::read(&text, "calm.mlir", Some(&format!("calm{number}")));
    let circuit = circuit.map_err(|failure| format!("{text}\n{failure:?}"))?;
    let circuit = circuit.ok_or("the text has no circuit")?;
    Ok(Subject {
        circuit,
        clocks: Vec::new(),
    })
}

#[test]
fn circuits_of_graphs_agree_with_verilator() {
    let mut graphs: Vec<String> = cases().map(str::to_owned).collect();
    for (kind, slots) in [("seq", 2), ("data", 3), ("fifo", 3), ("fifo", 6)] {
        graphs.push(buffer(kind, slots));
    }
    let mut prepared = Vec::new();
    for (number, graph) in graphs.iter().enumerate() {
        let subject = calm(graph, number).unwrap_or_else(|why| panic!("{graph}\n{why}"));
        let module = prepare(&subject, N_CYCLES);
        prepared.push(module.unwrap_or_else(|why| panic!("{graph}\n{why}")));
    }
    if available_or_excused() {
        let modules: Vec<_> = prepared.iter().collect();
        let found = compare(&modules, N_CYCLES).unwrap_or_else(|why| panic!("{why}"));
        let differ: Vec<String> = found.into_iter().flatten().collect();
        assert!(differ.is_empty(), "{}", differ.join("\n"));
    }
}

fn prepared(folder: &Path) -> Result<Prepared, String> {
    let compiled = circuit(folder)?;
    let cases = shipped(folder, &compiled)?.cases;
    let expected: Result<_, String> = cases
        .iter()
        .map(|case| interpret(&compiled, case))
        .collect();
    Ok(Prepared {
        expected: expected?,
        compiled,
        cases,
    })
}

#[test]
fn kernels_agree_with_verilator() {
    if !available_or_excused() {
        return;
    }
    let kernels = kernels().into_iter();
    let chosen = kernels.filter(|folder| KERNELS.iter().any(|name| folder.ends_with(name)));
    let ready: Result<Vec<Prepared>, String> = chosen.map(|folder| prepared(&folder)).collect();
    let ready = ready.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(ready.len(), KERNELS.len(), "the kernels are there");
    let found = verilator::check(&ready.iter().collect::<Vec<_>>());
    let found = found.unwrap_or_else(|why| panic!("{why}"));
    let wrong: Vec<_> = found.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
