//! Kills, and folders with unexpected contents: acknowledged writes are kept.

mod profiles_disk;
mod profiles_killed;
mod strangers;
