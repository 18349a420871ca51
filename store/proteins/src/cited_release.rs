//! The names by which a release is cited.

use serde::{Deserialize, Serialize};

/// The names of a release, recorded when it was loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedRelease {
    /// The name of the release, such as `2026_07`, or that of the file with its rows.
    pub name: String,
    /// The choice of proteins.
    pub content: ReleaseContent,
    /// The version of Pfam whose families the release has, such as `37.0`, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pfam_version: Option<String>,
}

/// The proteins of a release that are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleaseContent {
    /// The representatives of all clusters.
    Representatives,
    /// All members of all clusters.
    AllProteins,
    /// Rows of the protein portal's export.
    PortalRows,
    /// The rows that mgdex contains for its demo.
    BundledRows,
}

impl CitedRelease {
    /// Returns whether a text is the year and month after which MGnify names a release.
    ///
    /// ```
    /// use store_proteins::CitedRelease;
    ///
    /// assert!(CitedRelease::is_month("2026_07"));
    /// assert!(!CitedRelease::is_month("2026_13") && !CitedRelease::is_month("release"));
    /// ```
    pub fn is_month(text: &str) -> bool {
        let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
        text.split_once('_').is_some_and(|(year, month)| {
            let is_year = year.len() == 4 && year.starts_with("20") && is_number(year);
            is_year && month.len() == 2 && is_number(month) && ("01"..="12").contains(&month)
        })
    }
}
