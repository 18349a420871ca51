//! A counter that keeps the first names it counts.

const NAMES_MAX: usize = 5;

#[derive(Clone, Debug, Default)]
pub(crate) struct Examples {
    pub(crate) number: u64,
    pub(crate) names: Vec<String>,
}

impl Examples {
    pub(crate) fn add(&mut self, name: String) {
        self.number += 1;
        if self.names.len() < NAMES_MAX {
            self.names.push(name);
        }
    }
}
