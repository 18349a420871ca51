//! Pfam families: accessions, names and clans.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use rustc_hash::FxHashMap;

/// The accession of a Pfam family, such as `PF00005`. [`fmt::Display`] pads the number to five
/// digits.
///
/// # Examples
///
/// ```
/// use store::PfamAccession;
///
/// assert_eq!("pf00005".parse(), Ok(PfamAccession(5)));
/// assert_eq!(PfamAccession(5).to_string(), "PF00005");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PfamAccession(pub u64);

/// The error for a text that is not a Pfam accession.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a Pfam accession: expected PF and a number above 0")]
pub struct PfamAccessionError;

impl fmt::Display for PfamAccession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PF{:05}", self.0)
    }
}

impl PfamAccession {
    /// Parses an accession, or only its number, as people write it.
    ///
    /// # Errors
    ///
    /// * The text is neither.
    ///
    /// # Examples
    ///
    /// ```
    /// use store::PfamAccession;
    ///
    /// for text in ["PF00005", "pf5", "5"] {
    ///     assert_eq!(PfamAccession::parse_short(text), Ok(PfamAccession(5)));
    /// }
    /// assert!(PfamAccession::parse_short("CL5").is_err() && PfamAccession::parse_short("0").is_err());
    /// ```
    pub fn parse_short(text: &str) -> Result<Self, PfamAccessionError> {
        text.parse().or_else(|_| Self::from_digits(text))
    }

    /// Returns an accession without the version of its model, which does not distinguish families:
    /// `PF00005` for `PF00005.31`.
    pub fn without_version(text: &str) -> &str {
        let is_version = |version: &str| !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        text.split_once('.').filter(|(_, version)| is_version(version)).map_or(text, |(accession, _)| accession)
    }

    fn from_digits(digits: &str) -> Result<Self, PfamAccessionError> {
        match digits.parse() {
            Ok(number) if number > 0 && digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Self(number)),
            _ => Err(PfamAccessionError),
        }
    }
}

/// Accepts any letter case and a version.
impl FromStr for PfamAccession {
    type Err = PfamAccessionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (_, digits) = Self::without_version(text)
            .split_at_checked(2)
            .filter(|(prefix, _)| prefix.eq_ignore_ascii_case("PF"))
            .ok_or(PfamAccessionError)?;
        Self::from_digits(digits)
    }
}

/// A family of the clans table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The description, such as `ABC transporter`, without trailing white space.
    pub name: Arc<str>,
    /// The accession of the clan, such as `CL0023`, if the family has one.
    pub clan: Option<Arc<str>>,
}

/// The families of a generation by accession.
#[derive(Clone, Debug, Default)]
pub struct FamilyTable {
    families: FxHashMap<PfamAccession, Family>,
    /// The names of clans by accession.
    clans: HashMap<Arc<str>, Arc<str>>,
}

impl FamilyTable {
    /// Adds a family. Returns `false` if it replaces one of the same accession.
    pub fn insert(&mut self, accession: PfamAccession, name: &str, clan: Option<&str>) -> bool {
        let family = Family { name: name.trim_end().into(), clan: clan.map(Into::into) };
        self.families.insert(accession, family).is_none()
    }

    /// Sets the name of a clan, such as `P-loop_NTPase`, unless it has one. Underscores become
    /// spaces.
    pub fn name_clan(&mut self, clan: &str, name: &str) {
        if !self.clans.contains_key(clan) {
            self.clans.insert(clan.into(), name.replace('_', " ").into());
        }
    }

    /// Returns the name of a clan, if it is known.
    pub fn clan_name(&self, clan: &str) -> Option<&str> {
        self.clans.get(clan).map(|name| &**name)
    }

    /// Returns whether a family has this clan.
    pub fn has_clan(&self, clan: &str) -> bool {
        self.families.values().any(|family| family.clan.as_deref() == Some(clan))
    }

    /// Returns the family with an accession.
    pub fn get(&self, accession: PfamAccession) -> Option<&Family> {
        self.families.get(&accession)
    }

    /// Returns all families in ascending order of accession.
    pub fn iter(&self) -> impl Iterator<Item = (PfamAccession, &Family)> {
        let mut accessions: Vec<_> = self.families.keys().copied().collect();
        accessions.sort_unstable();
        accessions.into_iter().map(|accession| (accession, &self.families[&accession]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_accessions() {
        for text in ["PF00005", "pf5", "PF00005.31", "Pf5.0"] {
            assert_eq!(text.parse(), Ok(PfamAccession(5)), "{text}");
        }
        assert_eq!("PF123456".parse::<PfamAccession>().map(|accession| accession.to_string()), Ok("PF123456".into()));
        for text in [
            "",
            "PF",
            "PF0",
            "PF00000",
            "CL0023",
            "5",
            "PF-5",
            "PF+5",
            "PF99999999999999999999999",
            "P５",
            "PF5.",
            "PF5.x",
            "PF5.3.1",
            "PF.3",
        ] {
            assert_eq!(text.parse::<PfamAccession>(), Err(PfamAccessionError), "{text}");
        }
    }

    #[test]
    fn names_lose_their_trailing_space() {
        let mut table = FamilyTable::default();
        assert!(table.insert(PfamAccession(4659), "Archaeal flagella protein ", None));
        assert_eq!(&*table.get(PfamAccession(4659)).expect("inserted").name, "Archaeal flagella protein");
    }
}
