//! An independent reference: runs a function of any MLIR text through `mlir-opt-19` and `mlir-cpu-runner-19`.
//!
//! It uses no code of Sluice. The kernel's text is passed unchanged, together with a generated entry function. That function
//! holds the inputs as constants, calls the kernel and prints results and memories in 64-bit chunks.
//!
//! Not here: memory layouts other than row-major, dynamic shapes, checks for undefined behaviour. A kernel that divides by zero
//! or accesses memory out of bounds gives an error or arbitrary results, as any compiled program does.

use std::fmt::Write as _;
use std::process::{Command, Output};
use std::str::FromStr;
use std::sync::OnceLock;

use num_bigint::{BigInt, BigUint, Sign};

/// The bits of one value, in 64-bit limbs, lowest first; bits above the width are zero.
pub type Limbs = Vec<u64>;

/// The type of a scalar, or of the elements of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// A signless integer.
    Integer {
        /// At least one bit.
        width_bits: u32,
    },
    /// The `index` type, 64 bits wide here.
    Index,
    /// `f32` or `f64`, passed as its bits.
    Float {
        /// 32 or 64.
        width_bits: u32,
    },
}

/// The type of one argument of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A value.
    Scalar(Element),
    /// A memory with a static shape.
    Memref {
        /// The extent of each dimension, outermost first.
        shape: Vec<u64>,
        /// The type of its elements.
        element: Element,
    },
}

/// The types of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// In the kernel's order.
    pub arguments: Vec<Argument>,
    /// In the kernel's order.
    pub results: Vec<Element>,
}

/// The inputs of one call: for each argument its elements, row-major; a scalar has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// In the kernel's order.
    pub arguments: Vec<Vec<Limbs>>,
}

/// The result of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The results, in the kernel's order.
    pub results: Vec<Limbs>,
    /// The final contents of each memref argument, in order; scalars are left out.
    pub memories: Vec<Vec<Limbs>>,
}

/// Returns whether both tools can be run.
pub fn available() -> bool {
    tools().is_some()
}

/// Returns whether a test must fail if a tool is missing, instead of being skipped: in CI and in the test command.
pub fn required() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
        || std::env::var("SLUICE_REQUIRE_TOOLS").is_ok_and(|value| value == "1")
}

/// A kernel to call once per case.
#[derive(Debug, Clone, Copy)]
pub struct Kernel<'a> {
    /// MLIR text. If several kernels are run together, it contains only functions and tables, without a module around them, and
    /// with unique names.
    pub text: &'a str,
    /// The function to call.
    pub function: &'a str,
    /// Its types.
    pub signature: &'a Signature,
    /// Inputs.
    pub cases: &'a [Case],
}

/// Calls `function` of the module in `kernel` once per case, all in one process.
///
/// # Errors
///
/// The description of invalid inputs, or the error output of the tool.
pub fn run(
    kernel: &str,
    function: &str,
    signature: &Signature,
    cases: &[Case],
) -> Result<Vec<Answer>, String> {
    let kernel = Kernel {
        text: kernel,
        function,
        signature,
        cases,
    };
    let mut answers = run_several(&[kernel])?;
    Ok(answers.pop().expect("one kernel gives one list of answers"))
}

/// Runs several kernels in one module and one process.
///
/// # Errors
///
/// As [`run`]; one kernel that cannot be run prevents all from running.
pub fn run_several(kernels: &[Kernel<'_>]) -> Result<Vec<Vec<Answer>>, String> {
    let tools = tools()
        .ok_or("`mlir-opt-19` or `mlir-cpu-runner-19` is missing: install `mlir-19-tools`")?;
    for kernel in kernels {
        check(kernel.signature, kernel.cases)?;
    }
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let source_path = folder.path().join("source.mlir");
    let lowered_path = folder.path().join("lowered.mlir");
    let texts: Vec<&str> = kernels.iter().map(|kernel| kernel.text).collect();
    let source = insert(&texts.join("\n"), &entry(kernels));
    std::fs::write(&source_path, source)
        .map_err(|error| format!("{}: {error}", source_path.display()))?;

    let mut lower = limited(&tools.opt);
    lower
        .arg(&source_path)
        .args(LOWERING)
        .arg("-o")
        .arg(&lowered_path);
    finish("mlir-opt-19", lower)?;
    let mut execute = limited(&tools.runner);
    execute
        .arg(&lowered_path)
        .args(["-e", ENTRY, "-entry-point-result=void"]);
    let output = finish("mlir-cpu-runner-19", execute)?;
    read(&String::from_utf8_lossy(&output.stdout), kernels)
}

impl Element {
    /// Returns the number of bits of a value; 64 for `index`.
    pub fn width_bits(self) -> u32 {
        match self {
            Self::Integer { width_bits } | Self::Float { width_bits } => width_bits,
            Self::Index => 64,
        }
    }

    fn type_text(self) -> String {
        match self {
            Self::Integer { width_bits } => format!("i{width_bits}"),
            Self::Index => "index".to_string(),
            Self::Float { width_bits } => format!("f{width_bits}"),
        }
    }

    fn n_limbs(self) -> usize {
        usize::try_from(self.width_bits().div_ceil(64)).expect("a width of 32 bits fits in usize")
    }

    /// Returns a literal for the value: an attribute of type `index` must be in the signed range, the others are bit patterns.
    fn literal(self, limbs: &[u64]) -> String {
        match self {
            Self::Index => limbs_to_decimal(limbs, 64),
            Self::Integer { .. } => format!("0x{:X}", to_unsigned(limbs)),
            Self::Float { width_bits } => {
                let n_digits =
                    usize::try_from(width_bits / 4).expect("a width of 32 bits fits in usize");
                format!("0x{:0n_digits$X}", to_unsigned(limbs))
            }
        }
    }
}

impl Argument {
    /// Returns the number of values that a case has for the argument.
    pub fn n_elements(&self) -> u64 {
        match self {
            Self::Scalar(_) => 1,
            Self::Memref { shape, .. } => shape.iter().product(),
        }
    }

    /// Returns the type of the value or of its elements.
    pub fn element(&self) -> Element {
        match self {
            Self::Scalar(element) | Self::Memref { element, .. } => *element,
        }
    }

    fn type_text(&self) -> String {
        match self {
            Self::Scalar(element) => element.type_text(),
            Self::Memref { shape, element } => {
                let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
                format!("memref<{extents}{}>", element.type_text())
            }
        }
    }
}

/// Reads a decimal number, possibly negative, as the bits of a value.
///
/// # Errors
///
/// If the text is no number, or does not fit the width as either a signed or an unsigned value.
pub fn limbs_from_decimal(text: &str, width_bits: u32) -> Result<Limbs, String> {
    let value = BigInt::from_str(text).map_err(|error| format!("`{text}`: {error}"))?;
    let modulus = BigInt::from(1) << width_bits;
    let lowest = -(BigInt::from(1) << (width_bits - 1));
    if value < lowest || value >= modulus {
        return Err(format!("`{text}` does not fit in {width_bits} bits"));
    }
    let pattern = if value.sign() == Sign::Minus {
        value + modulus
    } else {
        value
    };
    let mut limbs = pattern.magnitude().to_u64_digits();
    limbs.resize(Element::Integer { width_bits }.n_limbs(), 0);
    Ok(limbs)
}

/// Returns the bits as a signed decimal number.
pub fn limbs_to_decimal(limbs: &[u64], width_bits: u32) -> String {
    let pattern = to_unsigned(limbs);
    let negative = pattern.bit(u64::from(width_bits) - 1);
    let value = BigInt::from(pattern);
    (if negative {
        value - (BigInt::from(1) << width_bits)
    } else {
        value
    })
    .to_string()
}

/// The passes from the kernel's dialects to the LLVM dialect, in order.
const LOWERING: [&str; 15] = [
    "--convert-linalg-to-loops",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-math-to-funcs",
    "--arith-expand",
    "--memref-expand",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-math-to-llvm",
    "--convert-index-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-arith-to-llvm",
    "--reconcile-unrealized-casts",
];

/// Enough for any example on a slow machine; a program that runs longer is assumed not to terminate.
const TIME_LIMIT_SECONDS: &str = "120";

/// The exit code of `timeout` when the limit was reached.
const TIMED_OUT: i32 = 124;

/// The prefix of all generated symbols, so that they do not clash with those of the kernel.
const ENTRY: &str = "sluice_oracle_entry";

struct Tools {
    opt: String,
    runner: String,
}

fn tools() -> Option<&'static Tools> {
    static TOOLS: OnceLock<Option<Tools>> = OnceLock::new();
    TOOLS
        .get_or_init(|| {
            Some(Tools {
                opt: find("mlir-opt")?,
                runner: find("mlir-cpu-runner")?,
            })
        })
        .as_ref()
}

/// Returns the command that runs mlir-opt 19, if it is installed.
pub fn mlir_opt() -> Option<&'static str> {
    tools().map(|tools| tools.opt.as_str())
}

fn find(tool: &str) -> Option<String> {
    [format!("{tool}-19"), format!("/usr/lib/llvm-19/bin/{tool}")]
        .into_iter()
        .find(|command| {
            Command::new(command)
                .arg("--version")
                .output()
                .is_ok_and(|output| output.status.success())
        })
}

fn limited(tool: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args([TIME_LIMIT_SECONDS, tool]);
    command
}

fn finish(tool: &str, mut command: Command) -> Result<Output, String> {
    let output = command
        .output()
        .map_err(|error| format!("{tool}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    if output.status.code() == Some(TIMED_OUT) {
        return Err(format!(
            "{tool}: stopped after {TIME_LIMIT_SECONDS} seconds"
        ));
    }
    Err(format!(
        "{tool}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    ))
}

fn check(signature: &Signature, cases: &[Case]) -> Result<(), String> {
    for (case_idx, case) in cases.iter().enumerate() {
        if case.arguments.len() != signature.arguments.len() {
            let (given, expected) = (case.arguments.len(), signature.arguments.len());
            return Err(format!(
                "case {case_idx}: {given} arguments given, {expected} expected"
            ));
        }
        for (argument_idx, (values, argument)) in
            case.arguments.iter().zip(&signature.arguments).enumerate()
        {
            let place = format!("case {case_idx}, argument {argument_idx}");
            if u64::try_from(values.len()) != Ok(argument.n_elements()) {
                return Err(format!(
                    "{place}: {} elements given, {} expected",
                    values.len(),
                    argument.n_elements()
                ));
            }
            let element = argument.element();
            let fits = |limbs: &Limbs| {
                limbs.len() == element.n_limbs()
                    && to_unsigned(limbs).bits() <= u64::from(element.width_bits())
            };
            if let Some(element_idx) = values.iter().position(|limbs| !fits(limbs)) {
                return Err(format!(
                    "{place}, element {element_idx}: wider than {} bits",
                    element.width_bits()
                ));
            }
        }
    }
    Ok(())
}

/// Inserts the generated operations into the kernel's module: before its closing brace if it has one, else after the last
/// function.
fn insert(kernel: &str, generated: &str) -> String {
    let first_operation = kernel.lines().map(str::trim_start).find(|line| {
        !line.is_empty()
            && !["//", "#", "!"]
                .iter()
                .any(|prefix| line.starts_with(prefix))
    });
    let explicit = ["module", "builtin.module", "\"builtin.module\""];
    let is_module =
        first_operation.is_some_and(|line| explicit.iter().any(|name| line.starts_with(name)));
    match kernel.rfind('}') {
        Some(position) if is_module => {
            let (before, after) = kernel.split_at(position);
            format!("{before}\n{generated}{after}")
        }
        _ => format!("{kernel}\n{generated}"),
    }
}

/// Returns the text of the entry function and of everything it needs: one function per kernel, called in order.
fn entry(kernels: &[Kernel<'_>]) -> String {
    let mut text = String::from(PRINT_CHUNK);
    let mut printed: Vec<Element> = Vec::new();
    for kernel in kernels {
        printed.extend(kernel.signature.arguments.iter().map(Argument::element));
        printed.extend(&kernel.signature.results);
    }
    printed.sort();
    printed.dedup();
    for element in printed {
        push_print_value(&mut text, element);
    }
    for (kernel_idx, kernel) in kernels.iter().enumerate() {
        for (argument_idx, argument) in kernel.signature.arguments.iter().enumerate() {
            push_print_memory(
                &mut text,
                &memory_symbol(kernel_idx, argument_idx),
                argument,
            );
        }
        for (case_idx, case) in kernel.cases.iter().enumerate() {
            push_constants(&mut text, kernel_idx, case_idx, kernel.signature, case);
        }
        line(
            &mut text,
            &format!("func.func private @{ENTRY}{kernel_idx}() {{"),
        );
        for case_idx in 0..kernel.cases.len() {
            push_call(&mut text, kernel_idx, case_idx, *kernel);
        }
        line(&mut text, "  return\n}");
    }
    line(&mut text, &format!("func.func @{ENTRY}() {{"));
    for kernel_idx in 0..kernels.len() {
        line(
            &mut text,
            &format!("  func.call @{ENTRY}{kernel_idx}() : () -> ()"),
        );
    }
    line(&mut text, "  return\n}");
    text
}

fn memory_symbol(kernel_idx: usize, argument_idx: usize) -> String {
    format!("sluice_oracle_print_memory{kernel_idx}_{argument_idx}")
}

/// Prints one chunk per line; `printf` is resolved in the process of the runner.
const PRINT_CHUNK: &str = r#"
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @sluice_oracle_format("%llx\0A\00") {addr_space = 0 : i32}
func.func private @sluice_oracle_print_chunk(%chunk: i64) {
  %format = llvm.mlir.addressof @sluice_oracle_format : !llvm.ptr
  %written = llvm.call @printf(%format, %chunk) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  return
}
"#;

/// Appends a function that prints one value, the lowest chunk first.
fn push_print_value(text: &mut String, element: Element) {
    let type_text = element.type_text();
    let width_bits = element.width_bits();
    line(
        text,
        &format!("func.func private @sluice_oracle_print_{type_text}(%value: {type_text}) {{"),
    );
    let bits = match element {
        Element::Integer { .. } => "%value",
        Element::Index => {
            line(text, "  %bits = arith.index_cast %value : index to i64");
            "%bits"
        }
        Element::Float { .. } => {
            line(
                text,
                &format!("  %bits = arith.bitcast %value : {type_text} to i{width_bits}"),
            );
            "%bits"
        }
    };
    for limb_idx in 0..element.n_limbs() {
        let chunk = match width_bits {
            64 => bits.to_string(),
            0..64 => {
                line(
                    text,
                    &format!("  %chunk = arith.extui {bits} : i{width_bits} to i64"),
                );
                "%chunk".to_string()
            }
            65.. => {
                let offset = 64 * limb_idx;
                line(
                    text,
                    &format!("  %offset{limb_idx} = arith.constant {offset} : i{width_bits}"),
                );
                line(
                    text,
                    &format!(
                        "  %high{limb_idx} = arith.shrui {bits}, %offset{limb_idx} : i{width_bits}"
                    ),
                );
                line(
                    text,
                    &format!(
                        "  %chunk{limb_idx} = arith.trunci %high{limb_idx} : i{width_bits} to i64"
                    ),
                );
                format!("%chunk{limb_idx}")
            }
        };
        line(
            text,
            &format!("  call @sluice_oracle_print_chunk({chunk}) : (i64) -> ()"),
        );
    }
    line(text, "  return\n}");
}

/// Appends a function that prints all elements of a memory in row-major order; scalars need none.
fn push_print_memory(text: &mut String, symbol: &str, argument: &Argument) {
    let Argument::Memref { shape, element } = argument else {
        return;
    };
    let (memory_type, element_type) = (argument.type_text(), element.type_text());
    line(
        text,
        &format!("func.func private @{symbol}(%memory: {memory_type}) {{"),
    );
    for (dimension, extent) in shape.iter().enumerate() {
        line(
            text,
            &format!("  affine.for %i{dimension} = 0 to {extent} {{"),
        );
    }
    let subscripts = (0..shape.len())
        .map(|dimension| format!("%i{dimension}"))
        .collect::<Vec<_>>()
        .join(", ");
    line(
        text,
        &format!("  %value = memref.load %memory[{subscripts}] : {memory_type}"),
    );
    line(
        text,
        &format!(
            "  func.call @sluice_oracle_print_{element_type}(%value) : ({element_type}) -> ()"
        ),
    );
    for _ in shape {
        line(text, "  }");
    }
    line(text, "  return\n}");
}

/// Appends the initial contents of the memories of one case.
fn push_constants(
    text: &mut String,
    kernel_idx: usize,
    case_idx: usize,
    signature: &Signature,
    case: &Case,
) {
    for (argument_idx, (argument, values)) in
        signature.arguments.iter().zip(&case.arguments).enumerate()
    {
        let Argument::Memref { shape, element } = argument else {
            continue;
        };
        let literals: Vec<String> = values.iter().map(|limbs| element.literal(limbs)).collect();
        let (symbol, type_text) = (
            data_symbol(kernel_idx, case_idx, argument_idx),
            argument.type_text(),
        );
        let contents = nested(&literals, shape);
        line(
            text,
            &format!(
                "memref.global \"private\" constant @{symbol} : {type_text} = dense<{contents}>"
            ),
        );
    }
}

fn data_symbol(kernel_idx: usize, case_idx: usize, argument_idx: usize) -> String {
    format!("sluice_oracle_data{kernel_idx}_{case_idx}_{argument_idx}")
}

/// Returns the literals in brackets, one level per dimension.
fn nested(literals: &[String], shape: &[u64]) -> String {
    match shape {
        [] => literals.concat(),
        [_] => format!("[{}]", literals.join(", ")),
        [_, inner @ ..] => {
            let n_inner = usize::try_from(inner.iter().product::<u64>())
                .expect("not more than the number of literals");
            let rows: Vec<String> = literals
                .chunks(n_inner.max(1))
                .map(|row| nested(row, inner))
                .collect();
            format!("[{}]", rows.join(", "))
        }
    }
}

/// Appends the code that allocates and fills the memories, calls the kernel, and prints first the results, then the memories.
fn push_call(text: &mut String, kernel_idx: usize, case_idx: usize, kernel: Kernel<'_>) {
    let (function, signature) = (kernel.function, kernel.signature);
    let case = &kernel.cases[case_idx];
    let operand = |argument_idx: usize| format!("%case{case_idx}_argument{argument_idx}");
    for (argument_idx, (argument, values)) in
        signature.arguments.iter().zip(&case.arguments).enumerate()
    {
        let (name, type_text) = (operand(argument_idx), argument.type_text());
        match argument {
            Argument::Scalar(element) => {
                let literal = element.literal(&values[0]);
                line(
                    text,
                    &format!("  {name} = arith.constant {literal} : {type_text}"),
                );
            }
            Argument::Memref { .. } => {
                let symbol = data_symbol(kernel_idx, case_idx, argument_idx);
                line(
                    text,
                    &format!("  {name}_data = memref.get_global @{symbol} : {type_text}"),
                );
                line(text, &format!("  {name} = memref.alloc() : {type_text}"));
                line(
                    text,
                    &format!("  memref.copy {name}_data, {name} : {type_text} to {type_text}"),
                );
            }
        }
    }
    let operands: Vec<String> = (0..signature.arguments.len()).map(operand).collect();
    let types: Vec<String> = signature
        .arguments
        .iter()
        .map(|argument| argument.type_text())
        .collect();
    let result_types: Vec<String> = signature
        .results
        .iter()
        .map(|element| element.type_text())
        .collect();
    let results = match result_types.len() {
        0 => String::new(),
        n_results => format!("%case{case_idx}_results:{n_results} = "),
    };
    line(
        text,
        &format!(
            "  {results}func.call @{function}({}) : ({}) -> ({})",
            operands.join(", "),
            types.join(", "),
            result_types.join(", ")
        ),
    );
    for (result_idx, result_type) in result_types.iter().enumerate() {
        let value = format!("%case{case_idx}_results#{result_idx}");
        line(
            text,
            &format!(
                "  func.call @sluice_oracle_print_{result_type}({value}) : ({result_type}) -> ()"
            ),
        );
    }
    for (argument_idx, argument) in signature.arguments.iter().enumerate() {
        if let Argument::Memref { .. } = argument {
            let (name, type_text) = (operand(argument_idx), argument.type_text());
            let symbol = memory_symbol(kernel_idx, argument_idx);
            line(
                text,
                &format!("  func.call @{symbol}({name}) : ({type_text}) -> ()"),
            );
            line(text, &format!("  memref.dealloc {name} : {type_text}"));
        }
    }
}

/// Parses the printed chunks.
fn read(printed: &str, kernels: &[Kernel<'_>]) -> Result<Vec<Vec<Answer>>, String> {
    let mut chunks = printed.lines();
    let mut value = |element: Element| -> Result<Limbs, String> {
        let chunk = || -> Result<u64, String> {
            let text = chunks
                .next()
                .ok_or("mlir-cpu-runner-19 printed too little")?;
            u64::from_str_radix(text, 16)
                .map_err(|_| format!("mlir-cpu-runner-19 printed `{text}`, not a number"))
        };
        std::iter::repeat_with(chunk)
            .take(element.n_limbs())
            .collect()
    };
    let mut all = Vec::with_capacity(kernels.len());
    for kernel in kernels {
        let mut answers = Vec::with_capacity(kernel.cases.len());
        for _ in kernel.cases {
            let results = kernel
                .signature
                .results
                .iter()
                .map(|element| value(*element))
                .collect::<Result<_, _>>()?;
            let mut memories = Vec::new();
            for argument in &kernel.signature.arguments {
                if let Argument::Memref { element, .. } = argument {
                    memories.push(
                        (0..argument.n_elements())
                            .map(|_| value(*element))
                            .collect::<Result<_, _>>()?,
                    );
                }
            }
            answers.push(Answer { results, memories });
        }
        all.push(answers);
    }
    match chunks.next() {
        None => Ok(all),
        Some(rest) => Err(format!(
            "mlir-cpu-runner-19 printed too much, from `{rest}` on"
        )),
    }
}

fn to_unsigned(limbs: &[u64]) -> BigUint {
    let halves = limbs.iter().flat_map(|limb| {
        let low = u32::try_from(limb & u64::from(u32::MAX)).expect("masked to 32 bits");
        let high = u32::try_from(limb >> 32).expect("32 bits are left");
        [low, high]
    });
    BigUint::new(halves.collect())
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("writing to a string cannot fail");
}

#[cfg(test)]
#[path = "oracle_tests.rs"]
mod tests;
