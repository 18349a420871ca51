//! Adapters to the engines: panics, locks, and folders that are not memory-mapped.

mod build_directory;
pub mod sled_file;

use std::any::Any;
use std::cell::Cell;
use std::ops::Deref;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use crate::{Error, Result};

pub use build_directory::BuildDirectory;

thread_local! {
    /// Set while a panic of this thread becomes an error.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Turns a panic while a generation is read into an error, which is reported only once. The engines
/// panic on some damaged files.
pub fn catch_panics<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                tell(panic);
            }
        }));
    });
    let was_guarded = IS_GUARDED.replace(true);
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(was_guarded);
    read.unwrap_or_else(|panic| {
        let problem = format!("the engine cannot read it: {}", message(&*panic));
        Err(Error::altered(path, problem))
    })
}

/// An open database of an engine that panics if it cannot sync its file when it is closed. Such a
/// panic is ignored: data that must be kept are synced before.
pub struct Closing<T>(Option<T>);

impl<T> Closing<T> {
    /// Wraps an open database.
    pub fn new(database: T) -> Self {
        Self(Some(database))
    }
}

impl<T> Deref for Closing<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is taken out by drop alone")
    }
}

impl<T> Drop for Closing<T> {
    fn drop(&mut self) {
        let database = self.0.take();
        let _ = catch_panics(Path::new(""), move || {
            drop(database);
            Ok(())
        });
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_reason() {
        let of = |read: &dyn Fn() -> Result<u8>| catch_panics(Path::new("here"), read);
        assert_eq!(of(&|| Ok(7)).expect("sound"), 7);
        let error = of(&|| panic!("slot {} is torn", 3)).expect_err("a panic").to_string();
        assert!(error.contains("here") && error.ends_with("the engine cannot read it: slot 3 is torn"), "{error}");
        assert!(!IS_GUARDED.get(), "other panics are reported");
    }

    #[test]
    fn panics_of_a_database_that_is_closed_are_ignored() {
        struct Failing {
            number: u8,
        }
        impl Drop for Failing {
            fn drop(&mut self) {
                panic!("the disk fails");
            }
        }
        let database = Closing::new(Failing { number: 7 });
        assert_eq!(database.number, 7);
        drop(database);
    }
}
