//! `sluice lsp`

mod compiling;
mod errands;

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::Value;
use sluice_ir::limits::Limits;
use sluice_lsp::{
    Compilation, Compiled, Errand, Finished, Frame, Frames, Job, Report, Server, framed,
};

use crate::limiting::Limiting;
use crate::output::{Done, Stop, input};
use compiling::Canceller;

/// Maximum number of queued messages, and of messages that are processed before an analysis starts.
const MAX_WAITING: usize = 1000;

/// A pause in typing, after which a kernel is compiled.
const PAUSE: Duration = Duration::from_millis(100);

/// Arguments of `lsp`.
#[derive(Args)]
pub(crate) struct Lsp {
    /// Use the standard input and output; this is always so, the option is accepted because editors pass it
    #[arg(long)]
    stdio: bool,
    /// Load the dialects that this file defines in the dialect irdl; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(in crate::commands) irdl_file: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::commands) limiting: Limiting,
}

/// An event for the main loop of the server.
enum Event {
    Frame(Frame),
    /// The end of the client's messages, with the reason if it is an error.
    End(Option<String>),
    Finished(Box<Finished>),
    Report(Report),
    Compiled(Box<Compiled>),
}

fn failed(why: impl std::fmt::Display) -> Stop {
    input(format!("error: language server: {why}"))
}

impl Lsp {
    pub(crate) fn run(self) -> Done<()> {
        let (sender, events) = sync_channel(MAX_WAITING);
        let reader = sender.clone();
        let reading = thread::Builder::new().spawn(move || read(&reader));
        reading.map_err(failed)?;
        serve(&sender, &events, &self.limiting.limits())
    }
}

/// Reads messages from the standard input until it ends.
fn read(events: &SyncSender<Event>) {
    let mut stream = std::io::stdin().lock();
    let mut frames = Frames::default();
    let mut piece = vec![0; 1 << 16];
    loop {
        let end = match stream.read(&mut piece) {
            Ok(0) => Some(None),
            Ok(n) => {
                frames.push(piece.get(..n).unwrap_or_default());
                None
            }
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => None,
            Err(why) => Some(Some(format!("standard input: {why}"))),
        };
        while let Some(frame) = frames.take() {
            if events.send(Event::Frame(frame)).is_err() {
                return;
            }
        }
        if let Some(why) = end {
            let _ = events.send(Event::End(why));
            return;
        }
    }
}

fn serve(sender: &SyncSender<Event>, events: &Receiver<Event>, limits: &Limits) -> Done<()> {
    let mut server = Server::default();
    let mut canceller = Canceller::default();
    let mut pause = Pause::default();
    while server.ended().is_none() {
        let left = pause.left(server.awaits_pause());
        if left == Some(Duration::ZERO)
            && let Some(work) = server.next_compilation()
        {
            canceller = Canceller::default();
            if let Some(compiled) = compile(work, &canceller, sender, limits) {
                send(&server.compiled(compiled))?;
            }
            continue;
        }
        let first = match next_event(events, left) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Err(failed("no more messages")),
        };
        // All available edits are applied before the text is analysed.
        let more = events.try_iter().take(MAX_WAITING);
        for event in std::iter::once(first).chain(more) {
            let sent = match event {
                Event::Frame(Frame::Message(message)) => server.receive(&message),
                Event::Frame(Frame::Broken(why)) => server.broken(&why),
                Event::Finished(finished) => server.finish(*finished),
                Event::Report(report) => server.report(report),
                Event::Compiled(compiled) => server.compiled(*compiled),
                Event::End(Some(why)) => return Err(failed(why)),
                Event::End(None) => {
                    server.disconnect();
                    Vec::new()
                }
            };
            send(&sent)?;
            if server.ended().is_some() {
                break;
            }
        }
        if server.is_compilation_outdated() {
            canceller.cancel();
        }
        while let Some(errand) = server.next_errand() {
            if let Some(report) = begin(errand, sender, limits) {
                send(&server.report(report))?;
            }
        }
        while let Some(job) = server.next_job() {
            if let Some(finished) = start(job, sender) {
                send(&server.finish(finished))?;
            }
        }
    }
    match server.ended() {
        Some(false) => Err(failed("the client ended without `shutdown`")),
        _ => Ok(()),
    }
}

/// The pause since the newest text that waits for its compilation.
#[derive(Default)]
struct Pause(Option<(u64, Instant)>);

impl Pause {
    /// Returns the time that is left of the pause for a text; `None` if no text waits.
    fn left(&mut self, text: Option<u64>) -> Option<Duration> {
        let known = self.0.filter(|(known, _)| Some(*known) == text);
        self.0 = text.map(|text| known.unwrap_or_else(|| (text, Instant::now())));
        self.0
            .map(|(_, begin)| PAUSE.saturating_sub(begin.elapsed()))
    }
}

/// Waits for the next event, or for the rest of a pause.
fn next_event(events: &Receiver<Event>, left: Option<Duration>) -> Result<Event, RecvTimeoutError> {
    match left {
        Some(left) => events.recv_timeout(left),
        None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

/// Compiles a kernel in a thread of its own, or in this one if no thread can start.
fn compile(
    work: Compilation,
    canceller: &Canceller,
    sender: &SyncSender<Event>,
    limits: &Limits,
) -> Option<Compiled> {
    let (again, sender) = (work.clone(), sender.clone());
    let (for_thread, limits_of_thread) = (canceller.clone(), limits.clone());
    let running = thread::Builder::new()
        .stack_size(crate::limiting::stack_bytes(1))
        .spawn(move || {
            let compiled = compiling::run(work, &for_thread, &limits_of_thread);
            // Without a receiver the session has ended.
            let _ = sender.send(Event::Compiled(Box::new(compiled)));
        });
    running
        .err()
        .map(|_| compiling::run(again, canceller, limits))
}

/// Does an errand in its own thread, or in this one if no thread can start.
fn begin(errand: Errand, sender: &SyncSender<Event>, limits: &Limits) -> Option<Report> {
    let (sender, for_thread) = (sender.clone(), limits.clone());
    let again = errand.clone();
    let running = thread::Builder::new().spawn(move || {
        let report = errands::run(errand, &for_thread);
        // Without a receiver the session has ended.
        let _ = sender.send(Event::Report(report));
    });
    running.err().map(|_| errands::run(again, limits))
}

/// Runs an analysis in its own thread, or in this one if no thread can start.
fn start(job: Job, sender: &SyncSender<Event>) -> Option<Finished> {
    let (give, take) = sync_channel::<Job>(1);
    let sender = sender.clone();
    let running = thread::Builder::new()
        .stack_size(crate::limiting::stack_bytes(1))
        .spawn(move || {
            if let Ok(job) = take.recv() {
                let finished = Box::new(job.run());
                // Without a receiver the session has ended.
                let _ = sender.send(Event::Finished(finished));
            }
        });
    match running {
        Ok(_) => give.send(job).err().map(|unsent| unsent.0.run()),
        Err(_) => Some(job.run()),
    }
}

fn send(messages: &[Value]) -> Done<()> {
    let mut out = std::io::stdout().lock();
    for message in messages {
        let text = framed(&message.to_string());
        out.write_all(text.as_bytes()).map_err(failed)?;
    }
    out.flush().map_err(failed)
}
