//! Catches panics of one request or one analysis, so that they do not end the server.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a function; turns a panic into an error with the panic's message.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("panic").to_owned()
    })
}
