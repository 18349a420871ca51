//! One data folder of each kind in its format, which was made once and must open as long as that format is the one that is read.

mod catalogue;
mod formats;
mod profiles;
mod proteins;
