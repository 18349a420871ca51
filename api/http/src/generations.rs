//! The generations that an answer is made from.

use std::fmt;

use store::GenerationName;

/// The name of a generation, and that of another one of which the answer is, too.
#[derive(Clone, Copy, Debug)]
pub struct Generations(pub GenerationName, pub Option<GenerationName>);

impl fmt::Display for Generations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        self.1.map_or(Ok(()), |other| write!(f, "+{other}"))
    }
}
