//! The targets of the fuzzer: the readers of inputs, and the stages after them for inputs that are accepted.

use std::cell::OnceCell;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use serde_json::{Value, json};
use sluice_config::Config;
use sluice_flow::explore::Space;
use sluice_flow::opt::{Options, run};
use sluice_flow::pipeline::{compile, compile_circuit};
use sluice_flow::schedule_problem;
use sluice_ir::bytecode::WriteOptions;
use sluice_ir::limits::Limits;
use sluice_ir::watch::Watch;
use sluice_kernel::compiled::Compiled;
use sluice_lsp::{Frame, Frames, Server, framed};
use sluice_verify::check::{interpret_within, simulate_within};
use sluice_verify::data::DataFile;

use crate::corpus::{self, Kernel};
use crate::damage::{Random, damaged, damaged_lines};

/// Kinds of inputs, by their names on the command line.
pub(crate) const KINDS: &[&str] = &["text", "bytecode", "yaml", "data", "lsp"];

/// The most operations and cycles of a run on mutated data: scalars may request any number of iterations.
const MAX_STEPS: u64 = 200_000;

/// The time budget of a compilation. The work that is left after it must end within the time limit of an input.
const COMPILE_TIME: Duration = Duration::from_secs(1);

/// The most points of an exploration that are evaluated.
const MAX_POINTS: usize = 1_000;

/// A source of inputs of one kind, and the code that reads them.
pub(crate) enum Target {
    /// Text or bytecode: reader, verifier and both printers.
    Module { corpus: Vec<Vec<u8>>, is_text: bool },
    /// Configurations, explorations and scheduling problems.
    Yaml {
        kernels: Vec<Kernel>,
        configurations: Vec<Vec<u8>>,
    },
    /// Data files of compiled kernels, and the files that they refer to.
    Data {
        kernels: Vec<DataKernel>,
        corpus: Vec<Vec<u8>>,
    },
    /// Messages for the language server.
    Lsp { texts: Vec<Vec<u8>> },
}

/// A kernel and its data file; it is compiled when its first input is drawn.
pub(crate) struct DataKernel {
    kernel: Kernel,
    data: Vec<u8>,
    compiled: OnceCell<Option<Box<Compiled>>>,
}

impl DataKernel {
    fn compiled(&self) -> Option<&Compiled> {
        let text = &self.kernel.text;
        let compile = || {
            compile(text, "kernel.mlir", &Config::default())
                .ok()
                .map(Box::new)
        };
        self.compiled.get_or_init(compile).as_deref()
    }
}

/// An input: its bytes, and the number of the kernel that it belongs to.
pub(crate) struct Input {
    pub(crate) data: Vec<u8>,
    kernel: usize,
    number: u64,
}

impl Target {
    /// Creates the target of a kind; `None` for an unknown kind.
    pub(crate) fn new(kind: &str) -> Option<Self> {
        Some(match kind {
            "text" => Self::Module {
                corpus: corpus::texts(),
                is_text: true,
            },
            "bytecode" => Self::Module {
                corpus: corpus::bytecode(),
                is_text: false,
            },
            "yaml" => Self::Yaml {
                kernels: corpus::kernels(),
                configurations: corpus::yaml(".yaml"),
            },
            "data" => {
                let all = corpus::kernels().into_iter();
                let with_data = all.filter_map(|kernel| {
                    let data = corpus::data_beside(&kernel)?;
                    Some(DataKernel {
                        kernel,
                        data,
                        compiled: OnceCell::new(),
                    })
                });
                Self::Data {
                    kernels: with_data.collect(),
                    corpus: corpus::yaml("data.yaml"),
                }
            }
            "lsp" => Self::Lsp {
                texts: corpus::texts(),
            },
            _ => return None,
        })
    }

    /// Draws the next input.
    pub(crate) fn draw(&self, random: &mut Random, number: u64) -> Input {
        let (data, kernel) = match self {
            Self::Module { corpus, .. } => {
                let file = corpus::any(random, corpus);
                (damaged(random, file, corpus), 0)
            }
            Self::Yaml {
                kernels,
                configurations,
            } => {
                let file = corpus::any(random, configurations);
                let data = damaged_lines(random, file, configurations);
                (data, random.below(kernels.len()))
            }
            Self::Data { kernels, corpus } => {
                let kernel = random.below(kernels.len());
                let data = damaged_lines(random, &kernels[kernel].data, corpus);
                kernels[kernel].compiled();
                (data, kernel)
            }
            Self::Lsp { texts } => (messages(random, texts), 0),
        };
        Input {
            data,
            kernel,
            number,
        }
    }

    /// Runs all readers of an input. Results and errors are both allowed; a panic is a fault.
    pub(crate) fn feed(&self, input: &Input) {
        match self {
            Self::Module { .. } => module(&input.data, input.number),
            Self::Yaml { kernels, .. } => yaml(&input.data, &kernels[input.kernel]),
            Self::Data { kernels, .. } => {
                if let Some(compiled) = kernels[input.kernel].compiled() {
                    data(&input.data, compiled, input.number);
                }
            }
            Self::Lsp { .. } => lsp(&input.data),
        }
    }

    /// Describes the context of an input, such as its kernel.
    pub(crate) fn describe(&self, input: &Input) -> String {
        match self {
            Self::Module { is_text: true, .. } => "text".to_owned(),
            Self::Module { .. } => "bytecode".to_owned(),
            Self::Yaml { kernels, .. } => format!("for {}", kernels[input.kernel].file.display()),
            Self::Data { kernels, .. } => {
                format!("for {}", kernels[input.kernel].kernel.file.display())
            }
            Self::Lsp { .. } => "a stream of messages".to_owned(),
        }
    }
}

/// Reads and verifies a module, and prints it in both forms and as bytecode.
fn module(data: &[u8], number: u64) {
    let mut options = Options {
        allow_unregistered: !number.is_multiple_of(3),
        ..Options::default()
    };
    options.print.generic = number.is_multiple_of(2);
    options.print.locations = number.is_multiple_of(5);
    options.bytecode = (number.is_multiple_of(4)).then(WriteOptions::default);
    run(data.to_vec(), "fuzz", &options);
}

/// Reads a file as a configuration, as an exploration space and as scheduling problems. If it is a valid configuration, compiles
/// the example kernel with it for at most [`COMPILE_TIME`].
fn yaml(data: &[u8], kernel: &Kernel) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(mut config) = Config::from_yaml(text, "kernel.yaml") {
        let watch = Watch::default();
        config.tool_limits.watch = watch.clone();
        within(COMPILE_TIME, &watch, || {
            drop(compile_circuit(&kernel.text, "kernel.mlir", &config));
        });
    }
    if let Ok(space) = Space::from_yaml(text, "explore.yaml", "", None) {
        let points = space.points(&Limits::default()).unwrap_or_default();
        for point in points.iter().take(MAX_POINTS) {
            drop(Config::from_yaml(&point.configuration, "kernel.yaml"));
        }
    }
    let given = schedule_problem::read(text, "problems.yaml", None);
    if let Ok(schedule_problem::Given::Problems(file)) = given {
        for problem in &file.problems {
            drop(problem.check());
        }
    }
}

/// Runs `work`, and signals `watch` when the time is up.
fn within(time: Duration, watch: &Watch, work: impl FnOnce()) {
    std::thread::scope(|scope| {
        let (done, waits) = mpsc::channel::<()>();
        scope.spawn(move || {
            if waits.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                watch.ring();
            }
        });
        work();
        drop(done);
    });
}

/// Reads a data file, and runs its data sets on interpreter and simulator.
fn data(data: &[u8], compiled: &Compiled, number: u64) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let file = if number.is_multiple_of(7) {
        "data.json"
    } else {
        "data.yaml"
    };
    // A file that the data refer to contains the input itself: words in any format, or garbage.
    let mut files = |_: &str| Ok(data.to_vec());
    let Ok(read) = DataFile::read(
        text,
        file,
        &compiled.interface,
        &mut files,
        &Limits::default(),
    ) else {
        return;
    };
    for case in read.cases.iter().take(4) {
        drop(interpret_within(compiled, case, MAX_STEPS));
        drop(simulate_within(compiled, case, MAX_STEPS));
    }
}

/// Returns a session of up to thirty messages to the language server: valid ones with random positions, and mutated ones.
fn messages(random: &mut Random, texts: &[Vec<u8>]) -> Vec<u8> {
    let text = |random: &mut Random| {
        let file = corpus::any(random, texts);
        let file = if random.below(2) == 0 {
            damaged(random, file, texts)
        } else {
            file.to_vec()
        };
        String::from_utf8_lossy(&file).into_owned()
    };
    let encodings = ["utf-8", "utf-16", "utf-32"];
    let encoding = encodings[random.below(encodings.len())];
    let capabilities = json!({"general": {"positionEncodings": [encoding]}});
    let document = json!({"uri": URI, "version": 1, "languageId": "mlir", "text": text(random)});
    let mut all = vec![
        json!({"id": -1, "method": "initialize", "params": {"capabilities": capabilities}}),
        json!({"method": "initialized", "params": {}}),
        json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}),
    ];
    for version in 0..random.below(30) {
        let document = json!({"uri": URI, "version": version + 2});
        let change = match random.below(8) {
            0 => json!({"text": text(random)}),
            1..=3 => {
                let text = PIECES[random.below(PIECES.len())];
                json!({"range": {"start": place(random), "end": place(random)}, "text": text})
            }
            _ => {
                let method = format!("textDocument/{}", REQUESTS[random.below(REQUESTS.len())]);
                let params = json!({
                    "textDocument": document, "position": place(random),
                    "range": {"start": place(random), "end": place(random)},
                    "context": {"includeDeclaration": true, "diagnostics": []},
                    "newName": PIECES[random.below(PIECES.len())],
                    "options": {"tabSize": 2, "insertSpaces": true},
                });
                all.push(json!({"id": version, "method": method, "params": params}));
                continue;
            }
        };
        let params = json!({"textDocument": document, "contentChanges": [change]});
        all.push(json!({"method": "textDocument/didChange", "params": params}));
    }
    for message in &mut all {
        message["jsonrpc"] = json!("2.0");
    }
    let sound: Vec<u8> = all
        .iter()
        .flat_map(|message| framed(&message.to_string()).into_bytes())
        .collect();
    if random.below(4) == 0 {
        damaged(random, &sound, texts)
    } else {
        sound
    }
}

/// The document that all messages refer to.
const URI: &str = "file:///a.mlir";

/// Texts that edits insert.
const PIECES: &[&str] = &[
    "",
    "é",
    "\u{1f600}",
    "\r\n",
    "%",
    "\"",
    "}",
    "func.func @f() {",
];

/// Requests on the document, as `textDocument/...`; the last one is unknown to the server.
const REQUESTS: &[&str] = &[
    "hover",
    "definition",
    "references",
    "documentSymbol",
    "completion",
    "rename",
    "prepareRename",
    "documentHighlight",
    "foldingRange",
    "semanticTokens/full",
    "formatting",
    "codeAction",
    "inlayHint",
    "codeLens",
    "moniker",
];

fn place(random: &mut Random) -> Value {
    let any = |random: &mut Random| match random.below(12) {
        0 => json!(u32::MAX),
        1 => json!(-1),
        2 => json!(null),
        n => json!(random.below(n * n)),
    };
    json!({"line": any(random), "character": any(random)})
}

/// Sends a stream of messages to a server. The server survives a panic, but a panic is still a fault.
fn lsp(data: &[u8]) {
    let mut server = Server::default();
    let mut frames = Frames::default();
    frames.push(data);
    while let Some(frame) = frames.take() {
        let mut sent = match frame {
            Frame::Message(message) => server.receive(&message),
            Frame::Broken(why) => server.broken(&why),
        };
        while let Some(job) = server.next_job() {
            sent.extend(server.finish(job.run()));
        }
        let fault = sent
            .iter()
            .find(|message| message["error"]["code"] == INTERNAL_ERROR);
        if let Some(message) = fault {
            std::panic::panic_any(message.to_string());
        }
    }
}

/// The error code of a request whose handler panicked (JSON-RPC 2.0, section 5.1).
const INTERNAL_ERROR: i64 = -32603;
