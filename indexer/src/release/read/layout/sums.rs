//! The MD5 sums that come with a release: a list of all files, `md5sum.txt`, or a file beside each, `mgy_biomes.tsv.gz.md5`.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::input::{ListedSum, Md5Sum};
use crate::{Error, Result};

use super::choice::Chosen;
use super::file_name::{self, SUM_ENDING, SUMS};

const LIST_BYTES_MAX: u64 = 16 << 20;

/// The MD5 sums of the list of a release.
pub(super) struct Sums {
    folder: PathBuf,
    by_name: BTreeMap<String, Md5Sum>,
    bad_lines: Vec<usize>,
}

impl Sums {
    /// Reads the list in the folder of a release. Without a list there are no sums.
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

    /// Returns the sum that a file should have, if one is listed: the one in the file beside it, which must hold one, or that of the list.
    pub(super) fn of(&self, path: &Path) -> Result<Option<ListedSum>> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(SUM_ENDING);
        let beside = PathBuf::from(beside);
        if let Some(text) = read_small(&beside)? {
            let name = beside.display().to_string();
            let sum = text.split_whitespace().next().and_then(Md5Sum::from_hex);
            let sum = sum.ok_or_else(|| Error::table(&name, 1, "it holds no MD5 sum"))?;
            return Ok(Some(ListedSum { sum, listed_in: name }));
        }
        let inside = path.strip_prefix(&self.folder).unwrap_or(path).to_string_lossy();
        let sum = self.by_name.get(&*inside).copied();
        Ok(sum.map(|sum| ListedSum { sum, listed_in: self.folder.join(SUMS).display().to_string() }))
    }

    /// Returns what is wrong with the list, and which parts of the chosen tables it names after the last one that exists.
    pub(super) fn warnings(&self, chosen: &[Chosen]) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(line) = self.bad_lines.first() {
            warnings.push(format!("{SUMS} has lines without an MD5 sum, the first is line {line}"));
        }
        for name in self.by_name.keys() {
            let Some((listed, part)) = file_name::parse(name).and_then(|name| Some((name.stem, name.part?))) else {
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

fn read_small(path: &Path) -> Result<Option<String>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() <= LIST_BYTES_MAX => {}
        Ok(_) => return Err(Error::table(&path.display().to_string(), 1, "it is no list of MD5 sums")),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("cannot look at", path)(error)),
    }
    let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
