//! Skipping damaged profiles in an export.

use store::Error;

/// Passes lines and errors on. Damaged profiles are errors, or they are logged, counted and
/// skipped.
pub(super) struct UndamagedLines<I> {
    lines: I,
    skips_damaged: bool,
    num_skipped: u64,
    last_problem: Option<String>,
}

impl<I> UndamagedLines<I> {
    pub(super) fn new(lines: I, skips_damaged: bool) -> Self {
        Self { lines, skips_damaged, num_skipped: 0, last_problem: None }
    }

    pub(super) fn num_skipped(&self) -> u64 {
        self.num_skipped
    }
}

impl<I: Iterator<Item = store::Result<Vec<u8>>>> Iterator for UndamagedLines<I> {
    /// A line, or an error that makes the export fail.
    type Item = store::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let problem = match self.lines.next() {
                Some(Err(Error::ProfilesDamaged { problem, .. })) if self.skips_damaged => problem,
                other => return other,
            };
            if self.last_problem.as_ref() == Some(&problem) {
                // The problem names the profile: the same problem twice means that the database
                // itself cannot continue.
                tracing::error!("no profile after this one can be read");
                return None;
            }
            self.num_skipped += 1;
            tracing::error!("left out: {problem}");
            self.last_problem = Some(problem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn damaged(problem: &str) -> store::Result<Vec<u8>> {
        Err(Error::ProfilesDamaged { path: "profiles".into(), problem: problem.to_owned() })
    }

    /// Returns the lines that are passed on, errors as their texts, and the number of skipped
    /// profiles.
    fn read(lines: Vec<store::Result<Vec<u8>>>, skips_damaged: bool) -> (Vec<String>, u64) {
        let mut lines = UndamagedLines::new(lines.into_iter(), skips_damaged);
        let text = |line: store::Result<Vec<u8>>| match line {
            Ok(line) => String::from_utf8(line).expect("text"),
            Err(error) => error.to_string(),
        };
        (lines.by_ref().map(text).collect(), lines.num_skipped())
    }

    #[test]
    fn damaged_profiles_are_left_out_and_counted() {
        let lines = vec![damaged("A"), Ok(b"1".to_vec()), damaged("B"), damaged("C"), Ok(b"2".to_vec()), damaged("D")];
        assert_eq!(read(lines, true), (vec!["1".to_owned(), "2".to_owned()], 4));
        assert_eq!(read(vec![Ok(b"1".to_vec())], true), (vec!["1".to_owned()], 0));
    }

    #[test]
    fn errors_name_the_flag_that_skips_damaged_profiles() {
        let (read, num_skipped) = read(vec![Ok(b"1".to_vec()), damaged("B"), Ok(b"2".to_vec())], false);
        assert_eq!((&*read[0], num_skipped), ("1", 0));
        assert!(read[1].contains('B') && read[1].contains("mgdex profiles export --skip-damaged"), "{read:?}");
    }

    #[test]
    fn other_errors_are_passed_on() {
        let failed = Error::ProfilesFailed("the disk".to_owned());
        let (read, num_skipped) = read(vec![damaged("A"), Err(failed)], true);
        assert!(read.len() == 1 && read[0].contains("the disk"), "{read:?}");
        assert_eq!(num_skipped, 1);
    }

    #[test]
    fn stuck_databases_end_the_lines() {
        let endless =
            [Ok(b"1".to_vec()), damaged("A")].into_iter().chain(std::iter::repeat_with(|| damaged("database")));
        let mut lines = UndamagedLines::new(endless, true);
        assert_eq!((lines.by_ref().count(), lines.num_skipped()), (1, 2));
    }
}
