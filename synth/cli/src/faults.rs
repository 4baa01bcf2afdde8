//! Catches panics of the compiler and distinguishes them by their source location.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A panic of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panic {
    /// File, line and column in the sources of the compiler.
    pub(crate) place: String,
    pub(crate) message: String,
}

/// The first panic, on any thread, since the last guard was set.
static KEPT: Mutex<Option<Panic>> = Mutex::new(None);

static IS_GUARDED: AtomicBool = AtomicBool::new(false);

/// Installs a hook that stores panics during `guarded` instead of printing them.
pub(crate) fn keep_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !IS_GUARDED.load(Ordering::SeqCst) {
            return print(info);
        }
        let payload = info.payload();
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied());
        let panic = Panic {
            place: info
                .location()
                .map_or_else(String::new, ToString::to_string),
            message: message.unwrap_or_default().to_owned(),
        };
        if let Ok(mut kept) = KEPT.lock() {
            kept.get_or_insert(panic);
        }
    }));
}

/// Runs a function and returns its panic as an error; only one call at a time.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Panic> {
    let take = || KEPT.lock().ok().and_then(|mut kept| kept.take());
    take();
    IS_GUARDED.store(true, Ordering::SeqCst);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    IS_GUARDED.store(false, Ordering::SeqCst);
    outcome.map_err(|_| {
        take().unwrap_or_else(|| Panic {
            place: String::new(),
            message: "panic".to_owned(),
        })
    })
}

/// Runs a function; `None` if it panics. The hook has printed the message.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}
