//! The Verilator harness of a kernel: its C++ text, the stimulus that it reads, the results that it prints.
//!
//! Words are hexadecimal. Stimulus: the number of data sets, then per data set one line per argument. Results: per data set
//! `cycles N`, then one line per result and one per memory argument.
//!
//! Several kernels can share one Verilated model, which saves most of the time that small kernels need: a module around them
//! gives every port a prefix, the stimuli follow each other, and the results of each kernel start with a line `kernel N`.

use std::fmt::Write;

use sluice_dialects::interface::{ArgumentPorts, Interface, MemoryPorts};
use sluice_dialects::partition::Partition;
use sluice_ir::bits::Bits;

use sluice_dialects::names::legal;

/// The results of Verilator for one data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Results.
    pub results: Vec<Bits>,
    /// Final contents of the memory arguments.
    pub memories: Vec<Vec<Bits>>,
    /// Cycles from `start` to `done`.
    pub cycles: u64,
}

/// Formats the stimulus of data sets: per data set and argument its words (one for a scalar).
pub fn stimulus(cases: &[Vec<Vec<Bits>>]) -> String {
    let mut text = format!("{}\n", cases.len());
    for case in cases {
        for argument in case {
            let words: Vec<_> = argument.iter().map(Bits::to_hex_string).collect();
            text += &words.join(" ");
            text.push('\n');
        }
    }
    text
}

/// Parses the output of the harness.
///
/// # Errors
/// A malformed line, or an error message of the harness.
pub fn answers(interface: &Interface, text: &str) -> Result<Vec<Answer>, String> {
    let mut lines = text.lines();
    let mut answers = Vec::new();
    while let Some(line) = lines.next() {
        let cycles = line
            .strip_prefix("cycles ")
            .and_then(|n| n.parse().ok())
            .ok_or_else(|| line.to_owned())?;
        let mut words = |width_bits: u32, n: usize| -> Result<Vec<Bits>, String> {
            let line = lines.next().ok_or("the answers end early")?;
            let words: Option<Vec<_>> = line
                .split_whitespace()
                .map(|w| Bits::parse_hex(w, width_bits))
                .collect();
            words
                .filter(|w| w.len() == n)
                .ok_or_else(|| format!("`{line}` is not {n} words of {width_bits} bits"))
        };
        let mut results = Vec::new();
        for width_bits in &interface.result_width_bits {
            results.extend(words(*width_bits, 1)?);
        }
        let mut memories = Vec::new();
        for argument in &interface.arguments {
            if let ArgumentPorts::Memory {
                depth_words,
                width_bits,
                ..
            } = argument
            {
                memories.push(words(*width_bits, *depth_words as usize)?);
            }
        }
        answers.push(Answer {
            results,
            memories,
            cycles,
        });
    }
    Ok(answers)
}

/// One of several kernels in a model.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// The kernel's ports.
    pub interface: &'a Interface,
    /// Cycles after which a data set is stopped.
    pub cycle_limit: u64,
}

/// Name of the module around several kernels.
pub const SEVERAL: &str = "several";

/// Returns the Verilog module around several kernels, whose own modules have different names.
pub fn module_of_several(benches: &[Bench<'_>]) -> String {
    let (mut ports, mut instances) = (Vec::new(), String::new());
    for (k, bench) in benches.iter().enumerate() {
        let own = module_ports(bench.interface);
        let connections: Vec<_> = own
            .iter()
            .map(|(_, name)| format!(".{name}(k{k}_{name})"))
            .collect();
        ports.extend(
            own.iter()
                .map(|(declaration, name)| format!("  {declaration} k{k}_{name}")),
        );
        let module = legal(&bench.interface.module);
        let _ = writeln!(instances, "  {module} k{k} ({});", connections.join(", "));
    }
    format!(
        "module {SEVERAL} (\n{}\n);\n{instances}endmodule\n",
        ports.join(",\n")
    )
}

/// Returns direction with range, and name, of each port.
fn module_ports(interface: &Interface) -> Vec<(String, String)> {
    let mut ports = Vec::new();
    let mut port = |direction: &str, width_bits: u32, name: String| {
        ports.push((format!("{direction} [{}:0]", width_bits - 1), name));
    };
    for name in ["clock", "reset", "start"] {
        port("input", 1, name.to_owned());
    }
    for name in ["ready", "done"] {
        port("output", 1, name.to_owned());
    }
    for (i, width_bits) in interface.result_width_bits.iter().enumerate() {
        port("output", *width_bits, format!("result{i}"));
    }
    for argument in &interface.arguments {
        if let ArgumentPorts::Scalar { name, width_bits } = argument {
            port("input", *width_bits, legal(name));
        }
        for memory in argument.memories() {
            let (name, width_bits) = (legal(&memory.name), memory.width_bits);
            if memory.stream {
                let (there, back) = match memory.read {
                    true => ("input", "output"),
                    false => ("output", "input"),
                };
                port(there, 1, format!("{name}_valid"));
                port(back, 1, format!("{name}_ready"));
                port(there, width_bits, name);
                continue;
            }
            let address_bits = memory.depth_words.next_power_of_two().ilog2().max(1);
            if memory.read {
                port("output", address_bits, format!("{name}_raddr"));
                port("output", 1, format!("{name}_ren"));
                port("input", width_bits, format!("{name}_rdata"));
            }
            if memory.write {
                port("output", address_bits, format!("{name}_waddr"));
                port("output", 1, format!("{name}_wen"));
                port("output", width_bits, format!("{name}_wdata"));
            }
        }
    }
    ports
}

/// Returns the C++ program around the Verilated kernel; it stops after `cycle_limit` cycles of a data set.
pub fn main_cpp(interface: &Interface, cycle_limit: u64) -> String {
    let run = run_cpp("run0", "", interface, cycle_limit);
    format!("{HEAD}{run}{MAIN_HEAD}  return run0() ? 0 : 1;\n}}\n")
}

/// Returns the C++ program around [`module_of_several`]: a kernel that is stopped does not prevent the others from running.
pub fn main_cpp_of_several(benches: &[Bench<'_>]) -> String {
    let (mut runs, mut calls) = (String::new(), String::new());
    for (k, bench) in benches.iter().enumerate() {
        let (name, prefix) = (format!("run{k}"), format!("k{k}_"));
        runs += &run_cpp(&name, &prefix, bench.interface, bench.cycle_limit);
        let _ = writeln!(calls, "  std::puts(\"kernel {k}\");\n  {name}();");
    }
    format!("{HEAD}{runs}{MAIN_HEAD}{calls}  return 0;\n}}\n")
}

/// Parses the output of the program of [`main_cpp_of_several`].
pub fn answers_of_several(
    interfaces: &[&Interface],
    text: &str,
) -> Vec<Result<Vec<Answer>, String>> {
    let mut parts = vec![None; interfaces.len()];
    let mut current: Option<usize> = None;
    for line in text.lines() {
        match line.strip_prefix("kernel ").and_then(|k| k.parse().ok()) {
            Some(k) => current = Some(k),
            None => {
                let part = current.and_then(|k| parts.get_mut(k));
                if let Some(part) = part {
                    let part: &mut String = part.get_or_insert_default();
                    part.push_str(line);
                    part.push('\n');
                }
            }
        }
    }
    interfaces
        .iter()
        .zip(parts)
        .map(|(interface, part)| match part {
            Some(part) => answers(interface, &part),
            None => Err("no answers".to_owned()),
        })
        .collect()
}

const MAIN_HEAD: &str = "
int main(int argc, char** argv) {
  in.open(argv[argc - 1]);
";

/// Returns a C++ function that runs all data sets of one kernel, whose ports start with `prefix`.
fn run_cpp(function: &str, prefix: &str, interface: &Interface, cycle_limit: u64) -> String {
    let mut text = String::new();
    let mut n_words = 0u64;
    let mut declare = String::new();
    let mut read = String::new();
    let mut drive = String::new();
    let mut serve = String::new();
    let mut print = String::new();
    let mut tables = String::new();
    for (i, width_bits) in interface.result_width_bits.iter().enumerate() {
        let _ = writeln!(
            print,
            "    print(get(dut.{prefix}result{i}, {width_bits})); std::puts(\"\");"
        );
    }
    for argument in &interface.arguments {
        match argument {
            ArgumentPorts::Scalar { name, width_bits } => {
                n_words += 1;
                let port = legal(name);
                let _ = writeln!(declare, "    Word a_{port} = read({width_bits});");
                let _ = writeln!(drive, "    set(dut.{prefix}{port}, a_{port});");
            }
            ArgumentPorts::Memory {
                name,
                depth_words,
                width_bits,
                banks,
                ..
            } => {
                n_words += u64::from(*depth_words);
                let port = legal(name);
                let _ = writeln!(declare, "    std::vector<Word> m_{port}({depth_words});");
                let _ = writeln!(read, "    for (auto& w : m_{port}) w = read({width_bits});");
                let streams = argument.memories().into_iter().filter(|m| m.stream);
                for memory in streams {
                    let at_start = match memory.read {
                        true => format!("dut.{prefix}{port}_valid = 0"),
                        false => format!("dut.{prefix}{port}_ready = 1"),
                    };
                    let _ = writeln!(drive, "    size_t p_{port} = 0; {at_start};");
                }
                for (bank, memory) in (0..).zip(argument.memories()) {
                    // The array stays whole: each bank has a table that maps its addresses to words of the array.
                    let own = legal(&memory.name);
                    let words = banks.as_ref().map(|banks| {
                        let name = format!("{function}_{own}");
                        let _ = writeln!(tables, "{}", table(&name, &banks.partition, bank));
                        name
                    });
                    serve += &serve_memory(prefix, &port, &memory, words.as_deref());
                }
                let _ = writeln!(
                    print,
                    "    for (auto& w : m_{port}) {{ print(w); std::putchar(' '); }} std::puts(\"\");"
                );
            }
        }
    }
    let mut apply = String::new();
    let memories = interface.arguments.iter().flat_map(ArgumentPorts::memories);
    for memory in memories.filter(|memory| memory.read) {
        let port = legal(&memory.name);
        if memory.stream {
            let _ = writeln!(
                apply,
                "      dut.{prefix}{port}_valid = p_{port} < m_{port}.size();\n      \
                 set(dut.{prefix}{port}, p_{port} < m_{port}.size() ? m_{port}[p_{port}] : noise({}));",
                memory.width_bits
            );
            continue;
        }
        let _ = writeln!(apply, "      set(dut.{prefix}{port}_rdata, d_{port});");
    }
    // Arguments come in the order of the kernel: declarations and reads of memories interleave accordingly.
    let mut input = String::new();
    for argument in &interface.arguments {
        let port = legal(match argument {
            ArgumentPorts::Scalar { name, .. } | ArgumentPorts::Memory { name, .. } => name,
        });
        for line in declare.lines().chain(read.lines()) {
            if line.contains(&format!("a_{port} "))
                || line.contains(&format!(" m_{port}("))
                || line.contains(&format!(": m_{port})"))
            {
                let _ = writeln!(input, "{line}");
            }
        }
    }
    let _ = write!(
        text,
        "
{tables}static bool {function}() {{
  size_t n_cases = 0;
  in >> std::dec >> n_cases;
  for (size_t i = 0; i < n_cases; i++) {{
    Vdut dut;
{input}    dut.{prefix}clock = 0; dut.{prefix}reset = 1; dut.{prefix}start = 0;
{drive}    for (int k = 0; k < 2; k++) {{ dut.eval(); dut.{prefix}clock = 1; dut.eval(); dut.{prefix}clock = 0; dut.eval(); }}
    dut.{prefix}reset = 0; dut.{prefix}start = 1;
    uint64_t cycles = 0;
    for (;; cycles++) {{
      dut.eval();
      if (cycles > 0 && dut.{prefix}done) break;
      if (cycles > {cycle_limit}ull) {{ std::printf(\"no `done` within %llu cycles\\n\", (unsigned long long)cycles); \
       std::string skipped; for (size_t k = (n_cases - i - 1) * {n_words}; k > 0; k--) in >> skipped; return false; }}
{serve}      dut.{prefix}clock = 1; dut.eval();
{apply}      dut.{prefix}start = 0;
      dut.{prefix}clock = 0; dut.eval();
    }}
    std::printf(\"cycles %llu\\n\", (unsigned long long)cycles);
{print}  }}
  return true;
}}
"
    );
    with_member_names(&text)
}

/// Returns C++ that serves the ports of one memory from the words `m_{array}`; for a bank, `words` is the table of its word
/// indices.
fn serve_memory(prefix: &str, array: &str, memory: &MemoryPorts, words: Option<&str>) -> String {
    let (port, width_bits) = (legal(&memory.name), memory.width_bits);
    if memory.stream {
        let moves = format!("dut.{prefix}{port}_valid && dut.{prefix}{port}_ready");
        return match memory.read {
            true => format!("      if ({moves}) p_{port}++;\n"),
            false => format!(
                "      if ({moves}) {{ if (p_{port} < m_{port}.size()) m_{port}[p_{port}] = get(dut.{prefix}{port}, {width_bits}); \
                 p_{port}++; }}\n"
            ),
        };
    }
    let address = |suffix: &str| {
        let address = format!("dut.{prefix}{port}_{suffix}");
        words.map_or(address.clone(), |words| format!("at({words}, {address})"))
    };
    let (read_address, write_address) = (address("raddr"), address("waddr"));
    let mut text = String::new();
    if memory.read {
        // Read data is valid for one cycle; in other cycles it is noise, on which no circuit may depend.
        let _ = writeln!(
            text,
            "      Word d_{port} = noise({width_bits});\n      if (dut.{prefix}{port}_ren) {{ size_t a = {read_address}; \
             d_{port} = a < m_{array}.size() ? m_{array}[a] : Word{{}}; }}"
        );
    }
    if memory.write {
        let _ = writeln!(
            text,
            "      if (dut.{prefix}{port}_wen) {{ size_t a = {write_address}; \
             if (a < m_{array}.size()) m_{array}[a] = get(dut.{prefix}{port}_wdata, {width_bits}); }}"
        );
    }
    text
}

/// Returns a C++ table: the index of the array's word at each address of a bank, `SIZE_MAX` for padding.
fn table(name: &str, partition: &Partition, bank: u64) -> String {
    let (depth, n_words) = (partition.bank_words(), partition.n_words());
    let mut words: Vec<String> = (0..depth).map(|_| "SIZE_MAX".to_owned()).collect();
    for word in 0..n_words {
        let (own, address) = partition.place(word);
        if let Some(entry) = usize::try_from(address)
            .ok()
            .filter(|_| own == bank)
            .and_then(|address| words.get_mut(address))
        {
            *entry = word.to_string();
        }
    }
    format!(
        "static const std::vector<size_t> {name} = {{{}}};",
        words.join(", ")
    )
}

/// Replaces two underscores in a row, which Verilator reserves: in the class of a model the second one is `__05F`.
fn with_member_names(text: &str) -> String {
    let mut pieces = text.split("dut.");
    let mut all = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        all.push_str("dut.");
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = piece.find(|c| !is_letter(c)).unwrap_or(piece.len());
        let mut after_underscore = false;
        for c in piece[..end].chars() {
            all.push_str(if c == '_' && after_underscore {
                "__05F"
            } else {
                ""
            });
            if c != '_' || !after_underscore {
                all.push(c);
            }
            after_underscore = c == '_';
        }
        all.push_str(&piece[end..]);
    }
    all
}

/// Start of the C++ program. Words of any width are 32-bit parts, least significant first.
const HEAD: &str = r#"// Made by Sluice: memories, start and done around the kernel.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>
#include "Vdut.h"
#include "verilated.h"

typedef std::vector<uint32_t> Word;
static std::ifstream in;

static Word read(int bits) {
  std::string hex;
  in >> hex;
  Word word((bits + 31) / 32, 0);
  for (size_t i = 0; i < hex.size(); i++) {
    char c = hex[hex.size() - 1 - i];
    uint32_t digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (i / 8 < word.size()) word[i / 8] |= digit << (4 * (i % 8));
  }
  return word;
}

static Word noise(int bits) {
  Word word((bits + 31) / 32, 0x5a5a5a5a);
  if (bits % 32) word.back() &= (1u << (bits % 32)) - 1;
  return word;
}

static void print(const Word& word) {
  bool leading = true;
  for (size_t i = word.size(); i-- > 0;) {
    if (leading && word[i] == 0 && i > 0) continue;
    std::printf(leading ? "%x" : "%08x", word[i]);
    leading = false;
  }
}

static inline size_t at(const std::vector<size_t>& words, size_t address) {
  return address < words.size() ? words[address] : SIZE_MAX;
}

template <class T> static typename std::enable_if<std::is_integral<T>::value>::type set(T& port, const Word& word) {
  uint64_t value = word.empty() ? 0 : word[0];
  if (word.size() > 1) value |= (uint64_t)word[1] << 32;
  port = (T)value;
}

template <class T> static typename std::enable_if<!std::is_integral<T>::value>::type set(T& port, const Word& word) {
  for (size_t i = 0; i < word.size(); i++) port[i] = word[i];
}

template <class T> static typename std::enable_if<std::is_integral<T>::value, Word>::type get(const T& port, int bits) {
  Word word((bits + 31) / 32, 0);
  if (!word.empty()) word[0] = (uint32_t)port;
  if (word.size() > 1) word[1] = (uint32_t)((uint64_t)port >> 32);
  return word;
}

template <class T> static typename std::enable_if<!std::is_integral<T>::value, Word>::type get(const T& port, int bits) {
  Word word((bits + 31) / 32, 0);
  for (size_t i = 0; i < word.size(); i++) word[i] = port[i];
  return word;
}
"#;
