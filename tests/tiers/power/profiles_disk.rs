//! Profiles when the disk is full or fails.

mod failing_disk;
mod full_disk;
