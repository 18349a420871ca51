//! The files that are read: those that were named, and all in the folders that were named.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use crate::input::Input;
use crate::{Error, Result};

/// Replaces folders by the files in them and below, in the natural order of their names. Hidden ones are left out, and so is what is
/// neither a file nor a folder.
///
/// # Errors
///
/// * An input is missing, or a folder cannot be read.
pub(super) fn expand(inputs: &[Input]) -> Result<Vec<Input>> {
    let mut files = Vec::new();
    for input in inputs {
        match input {
            Input::Path(path) if path.is_dir() => walk(path, &mut files)?,
            file => files.push(file.clone()),
        }
    }
    Ok(files)
}

/// Appends the files of a folder.
fn walk(folder: &Path, files: &mut Vec<Input>) -> Result<()> {
    let cannot_read = |source| Error::io("cannot read", folder)(source);
    let mut entries: Vec<(String, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot_read)? {
        let entry = entry.map_err(cannot_read)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            entries.push((name, entry.path()));
        }
    }
    entries.sort_by(|(one, _), (other, _)| natural(one, other));
    for (_, path) in entries {
        let kind = fs::symlink_metadata(&path).map_err(Error::io("cannot read", &path))?;
        // A link to a folder may lead in a circle; one to a file is as good as the file.
        if kind.is_dir() {
            walk(&path, files)?;
        } else if path.is_file() {
            files.push(Input::Path(path));
        }
    }
    Ok(())
}

/// Compares names so that `page_2` comes before `page_10`. No two different names are equal.
fn natural(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let by_text = text(&mut left).cmp(text(&mut right));
        let by_number = by_text.then_with(|| number(&mut left).cmp(&number(&mut right)));
        if by_number.is_ne() {
            return by_number;
        }
        if left.is_empty() && right.is_empty() {
            return one.cmp(other);
        }
    }
}

/// Takes the letters up to the next digit.
fn text<'a>(rest: &mut &'a str) -> &'a str {
    take(rest, |letter| !letter.is_ascii_digit())
}

/// Takes the digits up to the next letter, as what compares like their number: how many there are, and they themselves.
fn number<'a>(rest: &mut &'a str) -> (usize, &'a str) {
    let digits = take(rest, |letter| letter.is_ascii_digit()).trim_start_matches('0');
    (digits.len(), digits)
}

/// Takes the letters that are wanted.
fn take<'a>(rest: &mut &'a str, is_wanted: impl Fn(char) -> bool) -> &'a str {
    let end = rest.find(|letter| !is_wanted(letter)).unwrap_or(rest.len());
    let (taken, left) = rest.split_at(end);
    *rest = left;
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_natural_order() {
        let sorted =
            ["", "a", "page", "page_2", "page_02", "page_10", "page_10.json", "page_10b", "page_a", "q1x3", "q1x20"];
        for (rank, one) in sorted.iter().enumerate() {
            for (other_rank, other) in sorted.iter().enumerate() {
                let expected = if (*one, *other) == ("page_2", "page_02") {
                    "page_2".cmp("page_02")
                } else if (*one, *other) == ("page_02", "page_2") {
                    "page_02".cmp("page_2")
                } else {
                    rank.cmp(&other_rank)
                };
                assert_eq!(natural(one, other), expected, "{one} {other}");
            }
        }
    }

    #[test]
    fn folders_become_their_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["page_10.json", "page_2.json", ".hidden", "below/b.json", "below/.hidden/c.json", "z.json"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            fs::write(path, "").expect("writable");
        }
        let stated = [Input::Stdin, Input::Path(folder.path().to_owned()), Input::Path("missing".into())];
        let names: Vec<String> = expand(&stated).expect("readable").iter().map(Input::name).collect();
        let inside = |name: &str| folder.path().join(name).display().to_string();
        let expected = [
            "standard input".to_owned(),
            inside("below/b.json"),
            inside("page_2.json"),
            inside("page_10.json"),
            inside("z.json"),
            "missing".to_owned(),
        ];
        assert_eq!(names, expected);
    }
}
