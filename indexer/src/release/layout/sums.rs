//! The MD5 sums that come with a release: a list of all files, `md5sum.txt`, or a file beside each, `mgy_biomes.tsv.gz.md5`.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::input::{ListedSum, Md5Sum};
use crate::{Error, Result};

use super::choice::Chosen;
use super::file_name;

/// The list of all files of a release.
pub(super) const SUMS: &str = "md5sum.txt";

/// What the name of a file with one sum ends with.
const SUM_ENDING: &str = ".md5";

/// The longest list that is read.
const LIST_BYTES_MAX: u64 = 16 << 20;

/// The list of a release.
pub(super) struct Sums {
    /// The folder of the release.
    folder: PathBuf,
    /// The sums by the names that the list gives.
    by_name: BTreeMap<String, Md5Sum>,
    /// The lines that hold no sum, 1-based.
    bad_lines: Vec<usize>,
}

impl Sums {
    /// Reads the list in the folder of a release. Without one, there are no sums in it.
    ///
    /// # Errors
    ///
    /// * It is there, and cannot be read.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut sums = Self { folder: folder.to_owned(), by_name: BTreeMap::new(), bad_lines: Vec::new() };
        let text = read_small(&folder.join(SUMS))?.unwrap_or_default();
        for (line, number) in text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty()) {
            // Behind the sum are a space, and another or an asterisk for a file that is no text.
            match line.split_once(char::is_whitespace).map(|(sum, name)| (Md5Sum::from_hex(sum), name.trim_start())) {
                Some((Some(sum), name)) if !name.is_empty() => {
                    let name = name.strip_prefix('*').unwrap_or(name);
                    sums.by_name.insert(name.strip_prefix("./").unwrap_or(name).to_owned(), sum);
                }
                _ => sums.bad_lines.push(number),
            }
        }
        Ok(sums)
    }

    /// Returns the sum that a file should have, if one is listed: the one beside it, or that of the list.
    ///
    /// # Errors
    ///
    /// * A file with its sum is there, and cannot be read or holds none.
    pub(super) fn of(&self, path: &Path) -> Result<Option<ListedSum>> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(SUM_ENDING);
        let beside = PathBuf::from(beside);
        if let Some(text) = read_small(&beside)? {
            let name = beside.display().to_string();
            let sum = text.split_whitespace().next().and_then(Md5Sum::from_hex);
            let problem = || Error::Table { name: name.clone(), line: 1, problem: "it holds no MD5 sum".to_owned() };
            return Ok(Some(ListedSum { sum: sum.ok_or_else(problem)?, listed_in: name.clone() }));
        }
        let inside = path.strip_prefix(&self.folder).unwrap_or(path).to_string_lossy();
        let sum = self.by_name.get(&*inside).copied();
        Ok(sum.map(|sum| ListedSum { sum, listed_in: self.folder.join(SUMS).display().to_string() }))
    }

    /// Returns what is wrong with the list, and which parts of the chosen tables it names behind the last one that is there.
    pub(super) fn warnings(&self, chosen: &[Chosen]) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(line) = self.bad_lines.first() {
            warnings.push(format!("{SUMS} has lines without an MD5 sum, the first is line {line}"));
        }
        for name in self.by_name.keys() {
            let Some((listed, part)) = file_name::read(name).and_then(|name| Some((name.stem, name.part?))) else {
                continue;
            };
            let table = chosen.iter().find(|table| table.stem == listed);
            if table.and_then(|table| table.parts.last()).is_some_and(|&last| part > last) {
                warnings.push(format!("{SUMS} lists {name}, which is missing: its rows will not be in the index"));
            }
        }
        warnings
    }
}

/// Tells whether a file holds the sum of another.
pub(super) fn is_sum(name: &str) -> bool {
    name.strip_suffix(SUM_ENDING).is_some_and(|name| file_name::read(name).is_some())
}

/// Reads a small text, or returns `None` where it is not there.
fn read_small(path: &Path) -> Result<Option<String>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() <= LIST_BYTES_MAX => {}
        Ok(_) => {
            let problem = "it is no list of MD5 sums".to_owned();
            return Err(Error::Table { name: path.display().to_string(), line: 1, problem });
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("cannot look at", path)(error)),
    }
    let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
