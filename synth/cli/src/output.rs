//! Terminal output and input files: the only module that prints, and that reads named files.

use std::io::Write as _;
use std::path::Path;

use sluice_ir::limits::{Limit, Limits};
use sluice_ir::printable::printable_lines;
use sluice_kernel::compiled::Failure;
use sluice_verify::circuit::Bits;

use crate::limiting::read_at_most;

/// An error that ends a command, with its exit code.
pub(crate) struct Stop {
    pub(crate) code: u8,
    pub(crate) message: String,
}

pub(crate) type Done<T> = Result<T, Stop>;

/// Creates an error of the input, or of a failed check.
pub(crate) fn input(message: impl Into<String>) -> Stop {
    Stop {
        code: 1,
        message: message.into(),
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Input(message) => Self { code: 1, message },
            Failure::Internal(message) => Self {
                message: message + &fault().message,
                ..fault()
            },
        }
    }
}

/// Creates an internal error.
pub(crate) fn fault() -> Stop {
    Stop {
        code: 70,
        message:
            "this is a fault of Sluice: please report it with the kernel and its configuration\n"
                .to_owned(),
    }
}

/// Prints text to the standard output; control characters except line ends and tabs become escapes. A closed pipe is not an
/// error, a full disk is one.
pub(crate) fn print(text: &str) {
    print_bytes(printable_lines(text).as_bytes());
}

/// Prints data to the standard output unchanged.
pub(crate) fn print_bytes(data: &[u8]) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(data).and_then(|()| out.flush());
    if let Err(why) = written.or_else(|why| match why.kind() {
        std::io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(why),
    }) {
        error(&format!("error: standard output: {why}"));
        std::process::exit(1);
    }
}

/// Prints to the standard error, with the same escapes as [`print()`].
pub(crate) fn error(text: &str) {
    let text = printable_lines(text);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let _ = std::io::stderr()
        .lock()
        .write_all(format!("{text}{end}").as_bytes());
}

/// Prints remarks and warnings, if there are any.
pub(crate) fn error_text(text: &str) {
    if !text.is_empty() {
        error(text);
    }
}

/// Formats an unsigned value in hexadecimal; one bit as a digit.
pub(crate) fn hexadecimal(value: &Bits) -> String {
    if value.width() <= 1 {
        return u8::from(!value.is_zero()).to_string();
    }
    let limbs = value.limbs().iter().rev();
    let digits: String = limbs.map(|limb| format!("{limb:016x}")).collect();
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

/// Reads the text of a module, or bytecode as text; `-` is the standard input.
pub(crate) fn read(path: &Path, limits: &Limits) -> Done<String> {
    text(path, read_bytes(path, limits)?)
}

/// Reads a file in YAML or JSON.
pub(crate) fn read_config(path: &Path, limits: &Limits) -> Done<String> {
    text(path, bytes(path, limits, Limit::ConfigBytes)?)
}

fn text(path: &Path, data: Vec<u8>) -> Done<String> {
    let file = path.display();
    if sluice_flow::opt::is_bytecode(&data) {
        let text = sluice_flow::opt::text_of_bytecode(data, &file.to_string());
        return text.map_err(input);
    }
    String::from_utf8(data).map_err(|why| {
        let at = why.utf8_error().valid_up_to();
        input(format!(
            "{file}: error: expected UTF-8 text, byte {at} is not"
        ))
    })
}

/// Reads a module; `-` is the standard input.
pub(crate) fn read_bytes(path: &Path, limits: &Limits) -> Done<Vec<u8>> {
    bytes(path, limits, Limit::FileBytes)
}

fn bytes(path: &Path, limits: &Limits, limit: Limit) -> Done<Vec<u8>> {
    let data = read_at_most(path, limits, limit);
    data.map_err(|why| input(format!("{}: error: {why}", path.display())))
}

/// Returns a command line of `sluice` as a shell reads it, with the options that have a value.
pub(crate) fn command_line<'a>(
    command: &str,
    path: &Path,
    options: impl IntoIterator<Item = (&'a str, Option<String>)>,
) -> String {
    let mut line = format!(
        "sluice {command} {}",
        shell_word(&path.display().to_string())
    );
    for (option, value) in options {
        if let Some(value) = value {
            line += &format!(" {option} {}", shell_word(&value));
        }
    }
    line
}

/// Returns a word as a shell reads it.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
