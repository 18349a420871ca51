//! Going back to an earlier generation.

use std::fs;
use std::io;

use super::{CURRENT, Contents, GenerationName, Generations, Manifest, draft, durable, retention};
use crate::{Error, Result};

/// The file that names the generation that was left last by going back. It goes first when room is made for the next one.
const RETIRED: &str = "RETIRED";

impl Generations {
    /// Makes another published generation current: the youngest one that was not left by going back before, unless one is named. Returns its name,
    /// and that of the one that was current.
    ///
    /// # Errors
    ///
    /// * Another process is building a generation.
    /// * There is no other, or it is not whole.
    pub fn roll_back<C: Contents>(
        &self,
        to: Option<GenerationName>,
    ) -> Result<(GenerationName, Option<GenerationName>)> {
        let no_other = |problem: String| Error::NoOtherGeneration { path: self.root().to_owned(), problem };
        // A folder is not made for nothing.
        if self.names()?.is_empty() {
            return Err(no_other("nothing was published yet".to_owned()));
        }
        let _lock = draft::lock(self)?;
        let left = self.current()?;
        let target = match to {
            Some(name) if Some(name) == left => return Err(no_other(format!("{name} is current already"))),
            Some(name) => name,
            None => retention::previous(self, left)?.ok_or_else(|| no_other(self.why_no_previous(left)))?,
        };
        // The current generation is not given up for a torn one.
        Manifest::<C>::read(&self.path(target))?;
        if let Some(left) = left {
            durable::write(&self.root().join(RETIRED), format!("{left}\n").as_bytes(), self.file_mode())?;
        }
        self.make_current(target)?;
        Ok((target, left))
    }

    /// Returns the generation that was left by going back, if it is still there and was not made current again.
    ///
    /// # Errors
    ///
    /// * The folder cannot be read.
    pub fn retired(&self) -> Result<Option<GenerationName>> {
        let path = self.root().join(RETIRED);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("cannot read", &path)(error)),
        };
        // Nonsense in it names none.
        let named: Option<GenerationName> = text.trim().parse().ok();
        let current = self.current()?;
        Ok(named.filter(|&name| Some(name) != current && self.path(name).is_dir()))
    }

    /// Names a generation in `CURRENT`.
    pub(super) fn make_current(&self, name: GenerationName) -> Result<()> {
        let next = self.write_next(name)?;
        durable::rename(self.root(), &next, &self.root().join(CURRENT))
    }

    /// Tells why there is no generation to go back to.
    fn why_no_previous(&self, current: Option<GenerationName>) -> String {
        match (current, self.retired()) {
            (_, Ok(Some(retired))) => {
                format!("{retired} was left by going back already: name it with --to if it is wanted")
            }
            (Some(current), _) => format!("{current} is the only generation"),
            (None, _) => "there is no generation".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::draft::tests::{Words, publish};
    use super::*;

    #[test]
    fn one_goes_back_and_the_next_publication_removes_what_was_left() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("proteins"));
        let roll_back = |to| generations.roll_back::<Words>(to);
        assert!(roll_back(None).is_err_and(|error| error.to_string().contains("nothing was published")));
        assert!(!generations.root().is_dir(), "nothing is made");
        let first = publish(&generations, "1");
        assert!(roll_back(None).is_err_and(|error| error.to_string().contains("only generation")));
        let second = publish(&generations, "2");
        assert_eq!(roll_back(None).expect("two"), (first, Some(second)));
        assert_eq!(generations.current().expect("readable"), Some(first));
        assert_eq!(generations.retired().expect("readable"), Some(second));
        assert!(roll_back(None).is_err_and(|error| error.to_string().contains("--to")));
        assert!(roll_back(Some(first)).is_err_and(|error| error.to_string().contains("current already")));
        // The good one is kept, also by a build that comes to nothing.
        drop(generations.begin().expect("free"));
        assert_eq!(generations.names().expect("readable"), [first]);
        let third = publish(&generations, "3");
        let mut expected = [first, third];
        expected.sort_unstable();
        assert_eq!(generations.names().expect("readable"), expected);
        assert_eq!(generations.retired().expect("readable"), None);
    }

    #[test]
    fn one_comes_back_by_name_and_never_to_a_torn_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("proteins"));
        let (first, second) = (publish(&generations, "1"), publish(&generations, "2"));
        generations.roll_back::<Words>(None).expect("two");
        assert_eq!(generations.roll_back::<Words>(Some(second)).expect("whole"), (second, Some(first)));
        assert_eq!(generations.retired().expect("readable"), Some(first));
        fs::remove_file(generations.path(first).join("manifest.json")).expect("there");
        assert!(matches!(generations.roll_back::<Words>(Some(first)), Err(Error::Torn { .. })));
        assert_eq!(generations.current().expect("readable"), Some(second));
        fs::remove_file(generations.root().join(CURRENT)).expect("there");
        assert_eq!(generations.roll_back::<Words>(None).expect("whole"), (second, None));
    }
}
