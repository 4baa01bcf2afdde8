//! Pipes to a program that answers requests. Neither a full nor an empty pipe blocks the caller for longer than its time limit.

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 1 << 16;

/// The reason for a missing answer.
pub(crate) enum Silence {
    /// The program ended, or closed its pipe.
    Ended,
    /// The program still runs, but the time limit is reached.
    TooLate,
}

/// The pipes of a running program.
pub(crate) struct Pipes {
    requests: Sender<Vec<u8>>,
    answers: Receiver<Vec<u8>>,
    /// Bytes that were read and belong to the next answer.
    rest: Vec<u8>,
}

impl Pipes {
    /// Takes the pipes of a program; `None` if it has none.
    pub(crate) fn of(child: &mut Child) -> Option<Self> {
        let (stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
        let (requests, to_send) = channel();
        let (read, answers) = channel();
        std::thread::Builder::new()
            .spawn(move || send(stdin, &to_send))
            .ok()?;
        std::thread::Builder::new()
            .spawn(move || receive(stdout, &read))
            .ok()?;
        Some(Self {
            requests,
            answers,
            rest: Vec::new(),
        })
    }

    /// Sends bytes asynchronously. If they do not arrive, the next answer fails.
    pub(crate) fn ask(&self, data: Vec<u8>) {
        let _ = self.requests.send(data);
    }

    /// Reads the next bytes of the answer into `answer`.
    pub(crate) fn answer(&mut self, answer: &mut [u8], patience: Duration) -> Result<(), Silence> {
        let start = Instant::now();
        let mut n_filled = 0;
        while n_filled < answer.len() {
            if self.rest.is_empty() {
                let left = patience.saturating_sub(start.elapsed());
                self.rest = self.answers.recv_timeout(left).map_err(|why| match why {
                    RecvTimeoutError::Disconnected => Silence::Ended,
                    RecvTimeoutError::Timeout => Silence::TooLate,
                })?;
            }
            let n_taken = self.rest.len().min(answer.len() - n_filled);
            answer[n_filled..n_filled + n_taken].copy_from_slice(&self.rest[..n_taken]);
            self.rest.drain(..n_taken);
            n_filled += n_taken;
        }
        Ok(())
    }
}

/// Writes requests until there are no more, or the reader has ended; then closes the pipe.
fn send(mut stdin: ChildStdin, requests: &Receiver<Vec<u8>>) {
    for data in requests {
        if stdin.write_all(&data).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads answers until there are no more, or the receiver has ended.
fn receive(mut stdout: ChildStdout, answers: &Sender<Vec<u8>>) {
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match stdout.read(&mut chunk) {
            Ok(0) | Err(_) => return,
            Ok(n) if answers.send(chunk[..n].to_vec()).is_err() => return,
            Ok(_) => {}
        }
    }
}
