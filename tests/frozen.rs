//! One data folder of each kind, which was made once and must open as long as its format is
//! supported.

mod catalogue;
mod formats;
mod profiles;
mod proteins;
