//! Damage on the disk: bits that flip in the files of a generation, and files that are cut while they are served. Each is told; none keeps another
//! service away, and none answers something else in silence.

mod bits;
mod service;
