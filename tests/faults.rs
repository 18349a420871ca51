//! Kills, and folders that hold something else than they should: what was acknowledged is kept.

mod profiles_disk;
mod profiles_killed;
mod strangers;
