//! Kills, and folders with unexpected contents: acknowledged writes are kept.

mod failing_calls;
mod profiles_disk;
mod profiles_killed;
mod strangers;
