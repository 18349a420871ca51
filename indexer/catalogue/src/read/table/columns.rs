//! The columns of a table, by their titles.

use store_catalogue::model::{METADATA_ATTRIBUTES, METADATA_KEYS};

use super::TableType;
use super::cells::Form;

const SAMPLE_ATTRIBUTES: [(&str, Form); 14] = [
    ("longitude", Form::Longitude),
    ("biosample", Form::Text),
    ("latitude", Form::Latitude),
    ("analysis-completed", Form::Date),
    ("collection-date", Form::Date),
    ("geo-loc-name", Form::Text),
    ("sample-desc", Form::Text),
    ("environment-biome", Form::Text),
    ("environment-feature", Form::Text),
    ("environment-material", Form::Text),
    ("sample-name", Form::Name),
    ("sample-alias", Form::Name),
    ("host-tax-id", Form::Count),
    ("species", Form::Text),
];

const STUDY_ATTRIBUTES: [(&str, Form); 7] = [
    ("bioproject", Form::Text),
    ("samples-count", Form::Count),
    ("secondary-accession", Form::Text),
    ("centre-name", Form::Name),
    ("public-release-date", Form::Date),
    ("study-abstract", Form::Text),
    ("study-name", Form::Name),
];

/// Identifiers that the archives give. A table has no columns for them.
const OF_ARCHIVES: [&str; 3] = ["biosample", "bioproject", "secondary-accession"];

const LAST_UPDATE: (&str, Form) = ("last-update", Form::Date);

/// Additional titles for attributes of samples, from other sheets: those of ENA's checklists,
/// `MIxS`, NCBI, Darwin Core and Qiita.
const OTHER_TITLES: [(&str, &str); 15] = [
    ("geographic location (latitude)", "latitude"),
    ("geographic location (longitude)", "longitude"),
    ("geographic location (country and/or sea)", "geo-loc-name"),
    ("broad-scale environmental context", "environment-biome"),
    ("env broad scale", "environment-biome"),
    ("local environmental context", "environment-feature"),
    ("env local scale", "environment-feature"),
    ("environmental medium", "environment-material"),
    ("env medium", "environment-material"),
    ("host scientific name", "species"),
    ("host taxid", "host-tax-id"),
    ("decimalLatitude", "latitude"),
    ("decimalLongitude", "longitude"),
    ("eventDate", "collection-date"),
    ("collection timestamp", "collection-date"),
];

/// Titles of both coordinates in one column.
const PLACES: [&str; 3] = ["lat-lon", "location", "latitude-and-longitude"];

/// The beginnings of titles whose brackets do not contain a unit.
const NAMES_WITH_BRACKETS: [&str; 2] = ["geographic location (", "environment ("];

/// The suffix of the title of a metadata column whose name another column already has, as in wide
/// tables.
const METADATA: &str = " (metadata)";

/// The meaning of a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Column {
    Accession,
    Biome,
    Study,
    Attribute(&'static str, Form),
    /// Metadata that are also an attribute.
    Known(String, &'static str, Form),
    /// Metadata with both coordinates.
    Place(String),
    /// Key and unit of metadata.
    Metadata(String, Option<String>),
    /// Nothing: spreadsheets may write an extra tab.
    Blank,
}

impl TableType {
    pub(super) fn attributes(self) -> impl Iterator<Item = (&'static str, Form)> {
        let attributes = match self {
            Self::Samples => &SAMPLE_ATTRIBUTES[..],
            Self::Studies => &STUDY_ATTRIBUTES,
        };
        attributes.iter().copied().chain([LAST_UPDATE])
    }

    /// Returns the meaning of each column.
    pub(super) fn columns<'a>(self, header: impl Iterator<Item = &'a str>) -> Result<Vec<Column>, String> {
        let mut columns = Vec::new();
        for title in header {
            let column = self.column(title)?;
            if column != Column::Blank && columns.contains(&column) {
                return Err(format!("the column {title:?} occurs twice"));
            }
            columns.push(column);
        }
        if columns.contains(&Column::Accession) { Ok(columns) } else { Err("no column is named accession".to_owned()) }
    }

    fn column(self, title: &str) -> Result<Column, String> {
        let name = plain(title);
        let attributes = || self.attributes().filter(|(known, _)| !OF_ARCHIVES.contains(known));
        let attribute = attributes().find(|(known, _)| *known == name);
        Ok(match (&*name, attribute) {
            ("accession" | "id", _) => Column::Accession,
            ("biome", _) => Column::Biome,
            ("", _) => Column::Blank,
            ("study" | "studies", _) if self == Self::Samples => Column::Study,
            (_, Some((known, form))) => Column::Attribute(known, form),
            (name, None) if self == Self::Samples => self.column_of_metadata(title, name),
            _ => {
                let known: Vec<_> = attributes().map(|(known, _)| known).collect();
                return Err(format!("studies have no column {title:?}, only accession, biome, {}", known.join(", ")));
            }
        })
    }

    fn column_of_metadata(self, title: &str, name: &str) -> Column {
        if PLACES.contains(&name) {
            return Column::Place(title.to_owned());
        }
        let is_named = |known: &str| plain(known) == name;
        let version_1_key = METADATA_KEYS.iter().find(|(known, _)| is_named(known));
        let version_2_key = METADATA_ATTRIBUTES
            .iter()
            .find(|(key, _)| is_named(key) || version_1_key.is_some_and(|(_, name)| name == key));
        let other_title = OTHER_TITLES.iter().find(|(known, _)| is_named(known));
        let attribute = other_title.or(version_2_key).map(|(_, attribute)| *attribute);
        let form = attribute.and_then(|attribute| self.attributes().find(|(known, _)| *known == attribute));
        if let Some((attribute, form)) = form.filter(|(known, _)| !OF_ARCHIVES.contains(known)) {
            return Column::Known(title.to_owned(), attribute, form);
        }
        if let Some(key) = title.strip_suffix(METADATA) {
            return Column::Metadata(key.to_owned(), None);
        }
        let is_name =
            version_1_key.is_some() || NAMES_WITH_BRACKETS.iter().any(|start| title.to_lowercase().starts_with(start));
        let unit = title.strip_suffix(')').and_then(|title| title.rsplit_once(" (")).filter(|_| !is_name);
        let (key, unit) = unit.map_or((title, None), |(key, unit)| (key, Some(unit.to_owned())));
        Column::Metadata(key.to_owned(), unit)
    }
}

/// Returns a title in lower case, with dashes between its words.
fn plain(title: &str) -> String {
    title.to_lowercase().replace(['_', ' '], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_other_sheets_are_known() {
        let known = |title: &str, attribute, form| (title.to_owned(), Column::Known(title.to_owned(), attribute, form));
        let metadata = |title: &str, key: &str, unit: Option<&str>| {
            (title.to_owned(), Column::Metadata(key.to_owned(), unit.map(str::to_owned)))
        };
        for (title, column) in [
            known("geographic location (latitude)", "latitude", Form::Latitude),
            known("Geographic_location_(longitude)", "longitude", Form::Longitude),
            known("geographic location (country and/or sea)", "geo-loc-name", Form::Text),
            known("geographic location (country and/or sea,region)", "geo-loc-name", Form::Text),
            known("environment (biome)", "environment-biome", Form::Text),
            known("env_broad_scale", "environment-biome", Form::Text),
            known("lat", "latitude", Form::Latitude),
            known("sample_title", "sample-name", Form::Name),
            known("host_taxid", "host-tax-id", Form::Count),
            known("decimalLatitude", "latitude", Form::Latitude),
            known("collection_timestamp", "collection-date", Form::Date),
            ("lat_lon".to_owned(), Column::Place("lat_lon".to_owned())),
            ("collection date".to_owned(), Column::Attribute("collection-date", Form::Date)),
            metadata("geographic location (depth)", "geographic location (depth)", None),
            metadata("geographic location (region and locality)", "geographic location (region and locality)", None),
            metadata("depth (m)", "depth", Some("m")),
            metadata("species (metadata)", "species", None),
            metadata("sample_accession", "sample_accession", None),
        ] {
            assert_eq!(TableType::Samples.column(&title), Ok(column), "{title}");
        }
        assert_eq!(TableType::Studies.column(""), Ok(Column::Blank));
    }
}
