//! Terminal and files: the only place that prints or writes.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use sluice_flow::circuit::Bits;
use sluice_flow::pipeline::Failure;
use sluice_ir::limits::{Limit, Limits};

use crate::limiting::read_at_most;

/// Why a command stops, with its exit code.
pub(crate) struct Stop {
    pub(crate) code: u8,
    pub(crate) message: String,
}

pub(crate) type Done<T> = Result<T, Stop>;

/// The user's input is wrong, or a check failed.
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

/// A fault of Sluice.
pub(crate) fn fault() -> Stop {
    Stop {
        code: 70,
        message:
            "this is a fault of Sluice: please report it with the kernel and its configuration\n"
                .to_owned(),
    }
}

/// Prints to standard output. A pipe that is closed wants no more, which is no error; a full disk is one.
pub(crate) fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// As `print`, of bytes.
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

/// Prints to standard error.
pub(crate) fn error(text: &str) {
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

/// A value without sign; one bit as a digit.
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

/// Writes one file, under a temporary name first; what is no plain file, such as `/dev/null`, is written to as it is.
pub(crate) fn write_file(path: &Path, data: &[u8]) -> Done<()> {
    let failed = |why: std::io::Error| input(format!("{}: error: {why}", path.display()));
    if std::fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return std::fs::write(path, data).map_err(failed);
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut file = temporary(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    file.write_all(data).map_err(failed)?;
    file.persist(path).map_err(|why| failed(why.error))?;
    Ok(())
}

/// A file that is written piece by piece, under a temporary name until it is whole; what is no plain file is written to as it is.
pub(crate) struct Growing {
    path: PathBuf,
    file: File,
}

enum File {
    Temporary(tempfile::NamedTempFile),
    AsItIs(std::fs::File),
}

impl Growing {
    /// An empty one.
    pub(crate) fn new(path: &Path) -> Done<Self> {
        let is_special = std::fs::metadata(path).is_ok_and(|known| !known.is_file());
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let file = match is_special {
            true => std::fs::File::create(path).map(File::AsItIs),
            false => temporary(folder.unwrap_or(Path::new("."))).map(File::Temporary),
        };
        Ok(Self {
            file: file.map_err(|why| input(format!("{}: error: {why}", path.display())))?,
            path: path.to_owned(),
        })
    }

    fn failed(&self, why: &std::io::Error) -> Stop {
        input(format!("{}: error: {why}", self.path.display()))
    }

    /// Puts something behind the rest.
    pub(crate) fn append(&mut self, data: &[u8]) -> Done<()> {
        let outcome = match &mut self.file {
            File::Temporary(file) => file.write_all(data),
            File::AsItIs(file) => file.write_all(data),
        };
        outcome.map_err(|why| self.failed(&why))
    }

    /// Gives it its name.
    pub(crate) fn finish(self) -> Done<()> {
        match self.file {
            File::Temporary(file) => {
                let named = file.persist(&self.path);
                let failed = |why: tempfile::PersistError| {
                    input(format!("{}: error: {}", self.path.display(), why.error))
                };
                named.map(|_| ()).map_err(failed)
            }
            File::AsItIs(_) => Ok(()),
        }
    }
}

/// Writes files into a folder: all to temporary names first, then all renamed, so that a failure leaves what was there.
pub(crate) fn write_all(folder: &Path, files: &[(String, String)]) -> Done<()> {
    let failed =
        |what: &Path, why: std::io::Error| input(format!("{}: error: {why}", what.display()));
    std::fs::create_dir_all(folder).map_err(|why| failed(folder, why))?;
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        let mut file = temporary(folder).map_err(|why| failed(&path, why))?;
        file.write_all(text.as_bytes())
            .map_err(|why| failed(&path, why))?;
        written.push((file, path));
    }
    for (file, path) in written {
        file.persist(&path)
            .map_err(|why| failed(&path, why.error))?;
    }
    Ok(())
}

/// A temporary file that, unlike others, everybody may read as far as the owner's mask says: it becomes a result.
fn temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
