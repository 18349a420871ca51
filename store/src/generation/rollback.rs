//! Rolling back to an earlier generation.

use super::{CURRENT, GenerationKind, GenerationName, Generations, draft, retention};
use crate::{Error, Result, durable};

/// The file with the name of the generation that the last rollback left. That generation is removed
/// first.
const RETIRED: &str = "RETIRED";

impl Generations {
    /// Makes another published generation current: `to`, or otherwise the youngest one that is
    /// neither current nor retired, if `check` accepts it. Returns its name and the name of the
    /// generation that was current.
    ///
    /// # Errors
    ///
    /// * Another process is building a generation.
    /// * The other generation is missing or torn, or the check has failed. The current
    ///   generation stays.
    pub fn roll_back(
        &self,
        kind: &GenerationKind,
        to: Option<GenerationName>,
        check: impl FnOnce(GenerationName) -> Result<()>,
    ) -> Result<(GenerationName, Option<GenerationName>)> {
        let no_other = |problem: String| Error::NoOtherGeneration { path: self.root.clone(), problem };
        // Acquiring the lock would create the folder.
        if self.names()?.is_empty() {
            return Err(no_other("nothing was published yet".to_owned()));
        }
        let _lock = draft::lock(self)?;
        let left = self.current()?;
        let target = match to {
            Some(name) if Some(name) == left => return Err(no_other(format!("{name} is already current"))),
            Some(name) if !self.names()?.contains(&name) => {
                return Err(no_other(format!("no generation is named {name}: `mgdex generations` lists them")));
            }
            Some(name) => name,
            None => retention::previous(self, left)?.ok_or_else(|| no_other(self.no_previous_reason(left)))?,
        };
        // A damaged generation must not replace the current one.
        kind.read_manifest(&self.path(target))?;
        check(target)?;
        if let Some(left) = left {
            durable::write(&self.root.join(RETIRED), format!("{left}\n").as_bytes(), self.file_mode)?;
        }
        let next = self.write_next(target)?;
        durable::rename(&self.root, &next, &self.root.join(CURRENT))?;
        Ok((target, left))
    }

    /// Returns the generation that the last rollback left, unless it was removed or made current
    /// again.
    pub fn retired(&self) -> Result<Option<GenerationName>> {
        let Some(text) = self.read_text(RETIRED)? else { return Ok(None) };
        // A text that is not a name is ignored.
        let named: Option<GenerationName> = text.parse().ok();
        let current = self.current()?;
        Ok(named.filter(|&name| Some(name) != current && self.path(name).is_dir()))
    }

    fn no_previous_reason(&self, current: Option<GenerationName>) -> String {
        match (current, self.retired()) {
            (_, Ok(Some(retired))) => {
                format!("a rollback has already left {retired}: name it with --to if you want it")
            }
            (Some(current), _) => format!("{current} is the only generation"),
            (None, _) => "no generation exists".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::draft::tests::{Words, publish};
    use super::*;

    #[test]
    fn a_rollback_retires_a_generation_and_the_next_publication_removes_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("proteins"));
        let roll_back = |to| generations.roll_back(&GenerationKind::of::<Words>(), to, |_| Ok(()));
        assert!(roll_back(None).is_err_and(|error| error.to_string().contains("nothing was published")));
        assert!(!generations.root().is_dir(), "nothing is made");
        let first = publish(&generations, "1");
        assert!(roll_back(None).is_err_and(|error| error.to_string().contains("only generation")));
        let second = publish(&generations, "2");
        assert_eq!(roll_back(None).expect("two"), (first, Some(second)));
        assert_eq!(generations.current().expect("readable"), Some(first));
        assert_eq!(generations.retired().expect("readable"), Some(second));
        assert!(roll_back(None).is_err_and(|error| error.to_string().contains("--to")));
        assert!(roll_back(Some(first)).is_err_and(|error| error.to_string().contains("already current")));
        // The good one is kept, also by a build that fails.
        drop(generations.begin().expect("free"));
        assert_eq!(generations.names().expect("readable"), [first]);
        let third = publish(&generations, "3");
        let mut expected = [first, third];
        expected.sort_unstable();
        assert_eq!(generations.names().expect("readable"), expected);
        assert_eq!(generations.retired().expect("readable"), None);
    }

    #[test]
    fn a_rollback_accepts_a_name_but_no_torn_generation() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("proteins"));
        let (first, second) = (publish(&generations, "1"), publish(&generations, "2"));
        let roll_back = |to| generations.roll_back(&GenerationKind::of::<Words>(), to, |_| Ok(()));
        roll_back(None).expect("two");
        assert_eq!(roll_back(Some(second)).expect("whole"), (second, Some(first)));
        assert_eq!(generations.retired().expect("readable"), Some(first));
        fs::remove_file(generations.path(first).join("manifest.json")).expect("there");
        assert!(matches!(roll_back(Some(first)), Err(Error::Torn { .. })));
        assert_eq!(generations.current().expect("readable"), Some(second));
        let unknown = "gen-00000000-0000-0000-0000-000000000007".parse().expect("a name");
        assert!(roll_back(Some(unknown)).is_err_and(|error| error.to_string().contains("is named gen-0")));
        fs::remove_file(generations.root().join(CURRENT)).expect("there");
        assert_eq!(roll_back(None).expect("whole"), (second, None));
    }

    #[test]
    fn a_generation_that_fails_its_check_never_becomes_current() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("proteins"));
        let (first, second) = (publish(&generations, "1"), publish(&generations, "2"));
        let kind = GenerationKind::of::<Words>();
        let refused = generations.roll_back(&kind, None, |name| Err(Error::altered(generations.path(name), "a flip")));
        assert!(refused.is_err_and(|error| error.to_string().contains("a flip")));
        assert_eq!(
            (generations.current().expect("readable"), generations.retired().expect("readable")),
            (Some(second), None)
        );
        generations.mark_damaged(first, "bad.fast: a flip").expect("writable");
        let error = generations.roll_back(&kind, None, |_| Ok(())).expect_err("it was found damaged").to_string();
        assert!(error.contains("bad.fast") && error.contains("remove its file DAMAGED"), "{error}");
        assert_eq!(generations.earlier().expect("readable"), [first]);
    }
}
