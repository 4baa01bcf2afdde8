//! Panics of one request or one analysis, which must not end the server.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs something; a panic is an error with its message.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("panic").to_owned()
    })
}
