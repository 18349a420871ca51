//! Data folders of older formats, which must open for ever.

mod catalogue;
mod profiles;
mod proteins;
