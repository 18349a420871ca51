//! The MD5 sums of a release: a list of all files, `md5sum.txt`, or a file next to each,
//! `mgy_biomes.tsv.gz.md5`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use indexer::input::{ListedSum, Md5Sum};
use indexer::{Error, Result};

use super::choice::Chosen;
use super::file_name::{self, SUM_ENDING, SUMS};

const LIST_BYTES_MAX: u64 = 16 << 20;

/// The MD5 sums of the list of a release.
pub(super) struct Sums {
    folder: PathBuf,
    /// The listed names with their folders, which may be those of the original server.
    listed: Vec<(PathBuf, Md5Sum)>,
    bad_lines: Vec<usize>,
}

impl Sums {
    /// Reads the list in the folder of a release. Without a list there are no sums.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        // The names of the folder and of its parents distinguish files of the same name.
        let named = folder.canonicalize().map_err(Error::io("cannot look at", folder))?;
        let mut sums = Self { folder: named, listed: Vec::new(), bad_lines: Vec::new() };
        let text = read_small(&folder.join(SUMS))?.unwrap_or_default();
        for (line, number) in text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty()) {
            match parse(line) {
                Some((Some(name), sum)) => sums.listed.push((name.into(), sum)),
                _ => sums.bad_lines.push(number),
            }
        }
        Ok(sums)
    }

    /// Returns the sum that a file of `folder` should have, if one is listed: the sum in the file
    /// next to it, which must have one, otherwise the one in the list.
    pub(super) fn expected(&self, folder: &Path, path: &Path) -> Result<Option<ListedSum>> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(SUM_ENDING);
        let beside = PathBuf::from(beside);
        if let Some(text) = read_small(&beside)? {
            let name = beside.display().to_string();
            let sum = text.lines().next().and_then(|line| parse(line.trim()));
            let (_, sum) = sum.ok_or_else(|| Error::table(&name, 1, "it has no MD5 sum"))?;
            return Ok(Some(ListedSum { sum, listed_in: name }));
        }
        let sum = self.find(path.strip_prefix(folder).unwrap_or(path));
        Ok(sum.map(|sum| ListedSum { sum, listed_in: folder.join(SUMS).display().to_string() }))
    }

    /// Returns the sum of a file, by its path in the release: that of the listed file whose path
    /// ends most like its own.
    fn find(&self, inside: &Path) -> Option<Md5Sum> {
        let whole = self.folder.join(inside);
        let num_inside = inside.components().count();
        // A list may name a file of the release from any parent folder: all of the shorter path has
        // to agree.
        let likeness = |listed: &Path| {
            let common = parts(listed).zip(parts(&whole)).take_while(|(listed, own)| listed == own).count();
            (common >= num_inside).then_some((common, parts(listed).count() == num_inside))
        };
        let alike = || self.listed.iter().filter_map(|(name, sum)| Some((likeness(name)?, *sum)));
        // The last of several lines about one file counts.
        let (best, sum) = alike().max_by_key(|&(likeness, _)| likeness)?;
        let is_certain = best.1 || alike().all(|(likeness, other)| likeness < best || other == sum);
        is_certain.then_some(sum)
    }

    /// Returns the problems of the list: it does not name any chosen table, or names parts of them
    /// after the last one that exists.
    pub(super) fn warnings(&self, folder: &Path, chosen: &[Chosen]) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(line) = self.bad_lines.first() {
            warnings.push(format!("{SUMS} has lines without an MD5 sum, the first is line {line}"));
        }
        let mut files = chosen.iter().flat_map(|table| &table.files);
        let is_listed = |path: &Path| self.find(path.strip_prefix(folder).unwrap_or(path)).is_some();
        if !self.listed.is_empty() && !files.any(|file| is_listed(&file.path)) {
            warnings.push(format!("{SUMS} lists none of the files that are read: none of its sums is compared"));
        }
        for name in self.listed.iter().filter_map(|(name, _)| name.file_name()?.to_str()) {
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

/// Returns the parts of a path from its end.
fn parts(path: &Path) -> impl Iterator<Item = Component<'_>> {
    path.components().rev().filter(|part| !matches!(part, Component::CurDir | Component::RootDir))
}

/// Parses a line such as `d41d8cd98f00b204e9800998ecf8427e  mgy_biomes.tsv.gz`, in which the name
/// may be missing, or `MD5 (mgy_biomes.tsv.gz) = d41d8cd98f00b204e9800998ecf8427e`, as BSD and
/// OpenSSL write it.
fn parse(line: &str) -> Option<(Option<&str>, Md5Sum)> {
    if let Some(named) = line.strip_prefix("MD5").and_then(|rest| rest.trim_start().strip_prefix('(')) {
        let (name, sum) = named.rsplit_once('=')?;
        return Some((Some(name.trim_end().strip_suffix(')')?), Md5Sum::from_hex(sum.trim_start())?));
    }
    let (sum, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    // After the sum follow a space, and another space or an asterisk for a binary file.
    let name = name.trim_start();
    let name = name.strip_prefix('*').unwrap_or(name);
    Some(((!name.is_empty()).then_some(name), Md5Sum::from_hex(sum)?))
}

fn read_small(path: &Path) -> Result<Option<String>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() <= LIST_BYTES_MAX => {}
        Ok(_) => return Err(Error::table(&path.display().to_string(), 1, "it is not a list of MD5 sums")),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("cannot look at", path)(error)),
    }
    let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "d41d8cd98f00b204e9800998ecf8427e";
    const OTHER: &str = "900150983cd24fb0d6963f7d28e17f72";

    fn sum_of(list: &str, path: &str) -> Option<String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let release = folder.path().join("2026_07");
        fs::create_dir(&release).expect("new");
        fs::write(release.join(SUMS), list).expect("writable");
        let sums = Sums::read(&release).expect("readable");
        sums.expected(&release, &release.join(path)).expect("readable").map(|listed| listed.sum.to_string())
    }

    #[test]
    fn names_are_listed_with_and_without_folders_in_either_form() {
        let file = "mgy_biomes.parquet";
        for name in [file, "./mgy_biomes.parquet", "2026_07/mgy_biomes.parquet", "/pub/2026_07/mgy_biomes.parquet"] {
            for line in [format!("{ONE}  {name}"), format!("{ONE} *{name}"), format!("MD5 ({name}) = {ONE}")] {
                let list = format!("{OTHER}  mgy_counts.parquet\r\n{line}\r\n");
                assert_eq!(sum_of(&list, file).as_deref(), Some(ONE), "{line}");
            }
        }
        assert_eq!(sum_of(&format!("MD5({file})= {ONE}"), file).as_deref(), Some(ONE));
        for other in ["my_mgy_biomes.parquet", "mgy_biomes.parquet/part-0.parquet", ""] {
            assert_eq!(sum_of(&format!("{ONE}  {other}"), file), None, "{other}");
        }
    }

    #[test]
    fn folders_distinguish_files_of_the_same_name() {
        for (list, expected) in [
            (format!("{OTHER}  /pub/2025_01/a.tsv\n{ONE}  /pub/2026_07/a.tsv\n{OTHER}  /pub/old/a.tsv\n"), ONE),
            (format!("{OTHER}  /pub/2025_01/a.tsv\n{ONE}  a.tsv\n{OTHER}  /pub/2024_04/a.tsv\n"), ONE),
            (format!("{OTHER}  a.tsv\n{ONE}  a.tsv\n"), ONE),
        ] {
            assert_eq!(sum_of(&list, "a.tsv").as_deref(), Some(expected), "{list}");
        }
        let ambiguous = format!("{OTHER}  /pub/2025_01/a.tsv\n{ONE}  /pub/2024_04/a.tsv\n");
        assert_eq!(sum_of(&ambiguous, "a.tsv"), None);
        let parts = format!("{OTHER}  /pub/mgy_biomes.parquet/0.parquet\n{ONE}  /pub/mgy_counts.parquet/0.parquet\n");
        assert_eq!(sum_of(&parts, "mgy_counts.parquet/0.parquet").as_deref(), Some(ONE));
    }
}
