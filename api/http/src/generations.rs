//! The generations that an answer depends on.

use std::fmt;

use store::GenerationName;

/// The name of a generation, and that of a second one that the answer also depends on.
#[derive(Clone, Copy, Debug)]
pub struct Generations(pub GenerationName, pub Option<GenerationName>);

impl fmt::Display for Generations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        self.1.map_or(Ok(()), |other| write!(f, "+{other}"))
    }
}
