//! Folders as inputs: all files in them and below.

use std::fs;
use std::path::{Path, PathBuf};

use super::Input;
use crate::{Error, Result};

/// The prefix of the names of a harvester's own files and folders, which are next to the harvested
/// files.
const HARVESTER_PREFIX: &str = "harvest.";

/// Replaces folders by the files in them and below, in the natural order of their names. Hidden
/// files, those of the harvester, and entries that are neither files nor folders are left out.
pub fn expand(inputs: &[Input]) -> Result<Vec<Input>> {
    let mut files = Vec::new();
    for input in inputs {
        match input {
            Input::Path(path) if path.is_dir() => walk(path, &mut files)?,
            file => files.push(file.clone()),
        }
    }
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<Input>) -> Result<()> {
    for (name, path) in visible(folder, "cannot read")? {
        if is_of_harvester(&name) {
            continue;
        }
        let kind = fs::symlink_metadata(&path).map_err(Error::io("cannot read", &path))?;
        // A symbolic link to a folder could lead to a cycle; a link to a file is followed.
        if kind.is_dir() {
            walk(&path, files)?;
        } else if path.is_file() {
            files.push(Input::Path(path));
        }
    }
    Ok(())
}

/// Returns whether a file or folder with a name is the harvester's own.
pub fn is_of_harvester(name: &str) -> bool {
    name.starts_with(HARVESTER_PREFIX)
}

/// Lists a folder in natural order, without hidden files. If it cannot be read, the error names the
/// action that failed.
pub fn visible(folder: &Path, action: &'static str) -> Result<Vec<(String, PathBuf)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io(action, folder))? {
        let entry = entry.map_err(Error::io(action, folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            entries.push((name, entry.path()));
        }
    }
    entries.sort_by_cached_key(|(name, _)| natural_key(name));
    Ok(entries)
}

/// Returns the key by which names are compared, so that `page_2` sorts before `page_10`: each text
/// with the number after it, and the whole name.
fn natural_key(name: &str) -> (Vec<(String, u128)>, String) {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let is_digit = |letter: char| letter.is_ascii_digit();
        let (text, from_digit) = rest.split_at(rest.find(is_digit).unwrap_or(rest.len()));
        let end = from_digit.find(|letter| !is_digit(letter)).unwrap_or(from_digit.len());
        let (digits, after) = from_digit.split_at(end);
        key.push((text.to_owned(), if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u128::MAX) }));
        rest = after;
    }
    (key, name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_natural_order() {
        let sorted =
            ["", "a", "page", "page_02", "page_2", "page_10", "page_10.json", "page_10b", "page_a", "q1x3", "q1x20"];
        for (rank, one) in sorted.iter().enumerate() {
            for (other_rank, other) in sorted.iter().enumerate() {
                assert_eq!(natural_key(one).cmp(&natural_key(other)), rank.cmp(&other_rank), "{one} {other}");
            }
        }
    }

    #[test]
    fn folders_become_their_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in [
            "page_10.json",
            "page_2.json",
            ".hidden",
            "below/b.json",
            "below/.hidden/c.json",
            "z.json",
            "harvest.json",
            "harvest.unfinished/a.json",
        ] {
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
