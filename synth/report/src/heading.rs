//! The comment at the beginning of a Verilog file: kernel, device, clock, latency, ports with their meaning, and the command that
//! writes the file again.

use sluice_dialects::interface::{ArgumentPorts, Interface, MemoryPorts};
use sluice_ir::printable::printable;
use sluice_kernel::compiled::Compiled;

use crate::summary;

/// Returns the lines of the comment; `command` is the command line that writes the file.
pub fn heading(compiled: &Compiled, command: &str) -> String {
    let mut lines = vec![String::new()];
    lines.extend(summary(compiled).lines().map(str::to_owned));
    lines.push(String::new());
    lines.push(
        "Ports: inputs are taken at the rising edge of clock; reset is synchronous and active high."
            .to_owned(),
    );
    lines.extend(ports(&compiled.interface));
    lines.push(String::new());
    lines.push(format!("To write this file again: {command}"));
    lines.iter().map(|line| comment(line)).collect()
}

/// Returns a line as a comment. A backslash at its end would make the next line part of it for some tools.
fn comment(line: &str) -> String {
    let line = printable(line.trim_end());
    let end = if line.ends_with('\\') { "." } else { "" };
    match line.is_empty() {
        true => "//\n".to_owned(),
        false => format!("// {line}{end}\n"),
    }
}

fn ports(interface: &Interface) -> Vec<String> {
    let mut lines = vec![
        "- start, ready: the circuit takes start and all scalar arguments in a cycle in which both are 1"
            .to_owned(),
        "- done: 1 for one cycle, when the results are there and all writes are done".to_owned(),
    ];
    for (argument, source) in interface.arguments.iter().zip(&interface.sources) {
        match argument {
            ArgumentPorts::Scalar { name, width_bits } => {
                lines.push(format!(
                    "- {name}: scalar argument %{source}, {}",
                    bits(*width_bits)
                ));
            }
            ArgumentPorts::Memory { shape, banks, .. } => {
                let memories = argument.memories();
                for (bank, memory) in memories.iter().enumerate() {
                    let of = match banks {
                        Some(_) => format!("bank {bank} of %{source}"),
                        None => format!("%{source}"),
                    };
                    lines.extend(memory_ports(memory, &of, shape, banks.is_some()));
                }
            }
        }
    }
    for (number, width_bits) in interface.result_width_bits.iter().enumerate() {
        lines.push(format!(
            "- result{number}: {}, with done",
            bits(*width_bits)
        ));
    }
    lines
}

fn bits(n: u32) -> String {
    match n {
        1 => "1 bit".to_owned(),
        n => format!("{n} bits"),
    }
}

fn memory_ports(memory: &MemoryPorts, of: &str, shape: &[i64], is_bank: bool) -> Vec<String> {
    let MemoryPorts {
        name,
        depth_words,
        width_bits,
        read,
        write,
        stream,
    } = memory;
    let words = match depth_words {
        1 => format!("1 word of {}", bits(*width_bits)),
        n => format!("{n} words of {}", bits(*width_bits)),
    };
    if *stream {
        return vec![
            format!("- stream {of}, {words}"),
            format!(
                "  {name}, {name}_valid, {name}_ready: a word moves in a cycle in which valid and ready are 1"
            ),
        ];
    }
    let rows = match shape.len() > 1 && !is_bank {
        true => {
            let extents: Vec<String> = shape.iter().map(ToString::to_string).collect();
            format!(" ({}, row by row)", extents.join(" x "))
        }
        false => String::new(),
    };
    let use_of = match *read || *write {
        true => "",
        false => ", not used",
    };
    let mut lines = vec![format!("- memory {of}, {words}{rows}{use_of}")];
    if *read {
        lines.push(format!(
            "  {name}_raddr, {name}_ren, {name}_rdata: the word at the address is on {name}_rdata one cycle after {name}_ren"
        ));
    }
    if *write {
        lines.push(format!(
            "  {name}_waddr, {name}_wen, {name}_wdata: the word is written to the address in a cycle in which {name}_wen is 1"
        ));
    }
    lines
}
