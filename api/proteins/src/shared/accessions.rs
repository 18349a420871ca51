//! Studies and assemblies by their accessions: those of proteins, and those of the catalogue.

use api_http::SourceError;
use store_catalogue::model::{ASSEMBLIES, STUDIES};
use store_proteins::{ProteinGeneration, ProteinQuery, QueryField};

use super::release::Release;

impl Release {
    /// Returns the accession of a study or an assembly by which most of its proteins are found, and their number.
    pub(crate) fn queried(&self, field: QueryField, accessions: Vec<String>) -> Result<(String, u64), SourceError> {
        let mut most = (String::new(), 0);
        for accession in &accessions {
            let count = num_proteins(&self.data, field, accession)?;
            if count > most.1 {
                most = (accession.clone(), count);
            }
        }
        Ok(if most.1 > 0 { most } else { (of_sequences(field, accessions), 0) })
    }
}

/// Returns the number of proteins that occur in a study or an assembly.
pub(super) fn num_proteins(data: &ProteinGeneration, field: QueryField, accession: &str) -> Result<u64, SourceError> {
    let accession = accession.to_owned();
    let query = match field {
        QueryField::Study => ProteinQuery::Study(accession),
        _ => ProteinQuery::Assembly(accession),
    };
    Ok(data.total(&query, 0)?.value)
}

/// Returns the type of the resources of the catalogue that a field is about.
pub(super) fn resource_type(field: QueryField) -> &'static str {
    if field == QueryField::Study { STUDIES } else { ASSEMBLIES }
}

/// Returns whether an accession is of the archives of sequences, such as ERP108403 or ERZ534239: proteins have these.
pub(super) fn is_of_sequences(field: QueryField, accession: &str) -> bool {
    let letter = if field == QueryField::Study { "P" } else { "Z" };
    let number =
        ["ER", "SR", "DR"].into_iter().find_map(|archive| accession.strip_prefix(archive)?.strip_prefix(letter));
    number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the accession of the archives of sequences among all accessions of a thing, or else the first of them.
pub(super) fn of_sequences(field: QueryField, mut accessions: Vec<String>) -> String {
    let position = accessions.iter().position(|accession| is_of_sequences(field, accession));
    if accessions.is_empty() { String::new() } else { accessions.swap_remove(position.unwrap_or_default()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessions_of_sequences_have_a_form() {
        for (field, accession, expected) in [
            (QueryField::Study, "ERP108403", true),
            (QueryField::Study, "SRP1", true),
            (QueryField::Study, "DRP001287", true),
            (QueryField::Study, "ERZ534239", false),
            (QueryField::Study, "ERP", false),
            (QueryField::Study, "ERPX", false),
            (QueryField::Study, "MGYS00002008", false),
            (QueryField::Assembly, "ERZ534239", true),
            (QueryField::Assembly, "SRZ1", true),
            (QueryField::Assembly, "ERP108403", false),
            (QueryField::Assembly, "GCA_900230545", false),
        ] {
            assert_eq!(is_of_sequences(field, accession), expected, "{field} {accession}");
        }
        let all = ["MGYS00002008", "ERP104174", "PRJEB22493"].map(str::to_owned);
        assert_eq!(of_sequences(QueryField::Study, all.into()), "ERP104174");
        assert_eq!(of_sequences(QueryField::Study, vec!["A".to_owned(), "B".to_owned()]), "A");
    }
}
