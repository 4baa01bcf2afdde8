//! The Verilator harness of a kernel: C++ text, the stimulus it reads, the answers it prints.
//!
//! Words are hexadecimal. Stimulus: the number of data sets, then per data set one line per argument. Answers: per data set
//! `cycles N`, then one line per result and one per memory argument.

use std::fmt::Write;

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::bits::Bits;

use sluice_dialects::names::legal;

/// What Verilator computed for one data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Results.
    pub results: Vec<Bits>,
    /// Final contents of the memory arguments.
    pub memories: Vec<Vec<Bits>>,
    /// Cycles from `start` to `done`.
    pub cycles: u64,
}

/// The stimulus of data sets: per data set and argument its words (one for a scalar).
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

/// Reads what the harness printed.
///
/// # Errors
/// A line that is not as expected, or the harness's own complaint.
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

/// The C++ program around the Verilated kernel; gives up a data set after `cycle_limit` cycles.
pub fn main_cpp(interface: &Interface, cycle_limit: u64) -> String {
    let mut text = String::from(HEAD);
    let mut declare = String::new();
    let mut read = String::new();
    let mut drive = String::new();
    let mut serve = String::new();
    let mut print = String::new();
    for (i, width_bits) in interface.result_width_bits.iter().enumerate() {
        let _ = writeln!(
            print,
            "    print(get(dut.result{i}, {width_bits})); std::puts(\"\");"
        );
    }
    for argument in &interface.arguments {
        match argument {
            ArgumentPorts::Scalar { name, width_bits } => {
                let port = legal(name);
                let _ = writeln!(declare, "    Word a_{port} = read({width_bits});");
                let _ = writeln!(drive, "    set(dut.{port}, a_{port});");
            }
            ArgumentPorts::Memory {
                name,
                depth_words,
                width_bits,
                read: reads,
                write,
                ..
            } => {
                let port = legal(name);
                let _ = writeln!(declare, "    std::vector<Word> m_{port}({depth_words});");
                let _ = writeln!(read, "    for (auto& w : m_{port}) w = read({width_bits});");
                if *reads {
                    // Read data stands for one cycle; otherwise there is noise that no circuit may depend on.
                    let _ = writeln!(
                        serve,
                        "      Word d_{port} = noise({width_bits});\n      if (dut.{port}_ren) {{ size_t a = dut.{port}_raddr; \
                         d_{port} = a < m_{port}.size() ? m_{port}[a] : Word{{}}; }}"
                    );
                }
                if *write {
                    let _ = writeln!(
                        serve,
                        "      if (dut.{port}_wen) {{ size_t a = dut.{port}_waddr; \
                         if (a < m_{port}.size()) m_{port}[a] = get(dut.{port}_wdata, {width_bits}); }}"
                    );
                }
                let _ = writeln!(
                    print,
                    "    for (auto& w : m_{port}) {{ print(w); std::putchar(' '); }} std::puts(\"\");"
                );
            }
        }
    }
    let mut apply = String::new();
    for argument in &interface.arguments {
        if let ArgumentPorts::Memory {
            name, read: true, ..
        } = argument
        {
            let port = legal(name);
            let _ = writeln!(apply, "      set(dut.{port}_rdata, d_{port});");
        }
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
int main(int argc, char** argv) {{
  in.open(argv[1]);
  size_t n_cases = 0;
  in >> std::dec >> n_cases;
  for (size_t i = 0; i < n_cases; i++) {{
    Vdut dut;
{input}    dut.clock = 0; dut.reset = 1; dut.start = 0;
{drive}    for (int k = 0; k < 2; k++) {{ dut.eval(); dut.clock = 1; dut.eval(); dut.clock = 0; dut.eval(); }}
    dut.reset = 0; dut.start = 1;
    uint64_t cycles = 0;
    for (;; cycles++) {{
      dut.eval();
      if (cycles > 0 && dut.done) break;
      if (cycles > {cycle_limit}ull) {{ std::printf(\"no `done` within %llu cycles\\n\", (unsigned long long)cycles); return 1; }}
{serve}      dut.clock = 1; dut.eval();
{apply}      dut.start = 0;
      dut.clock = 0; dut.eval();
    }}
    std::printf(\"cycles %llu\\n\", (unsigned long long)cycles);
{print}  }}
  return 0;
}}
"
    );
    with_member_names(&text)
}

/// Verilator keeps two underscores in a row for itself: in the class of a model the second is `__05F`.
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

/// Words of any width as 32-bit parts, least significant first.
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
