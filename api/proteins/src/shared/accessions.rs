//! Accessions of studies and assemblies, in the proteins and in the catalogue.

use api_http::SourceError;
use store_catalogue::model::{ASSEMBLIES, STUDIES};
use store_proteins::{ProteinGeneration, ProteinQuery, QueryField};

use super::release::Release;

impl Release {
    /// Returns the accession of a study or an assembly that finds the most proteins, and their
    /// number.
    pub(crate) fn queried(&self, field: QueryField, accessions: Vec<String>) -> Result<(String, u64), SourceError> {
        let mut most = (String::new(), 0);
        for accession in &accessions {
            let count = num_proteins(&self.data, field, accession)?;
            if count > most.1 {
                most = (accession.clone(), count);
            }
        }
        Ok(if most.1 > 0 { most } else { (archive_accession(field, accessions), 0) })
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

/// Returns the type of the resources in the catalogue for a field.
pub(super) fn resource_type(field: QueryField) -> &'static str {
    if field == QueryField::Study { STUDIES } else { ASSEMBLIES }
}

/// Returns whether an accession is from the archives of sequences, such as ERP108403 or ERZ534239.
/// Proteins have such accessions.
pub(super) fn is_archive_accession(field: QueryField, accession: &str) -> bool {
    let letter = if field == QueryField::Study { "P" } else { "Z" };
    let number =
        ["ER", "SR", "DR"].into_iter().find_map(|archive| accession.strip_prefix(archive)?.strip_prefix(letter));
    number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the accession from the archives of sequences, or otherwise the first accession.
pub(super) fn archive_accession(field: QueryField, mut accessions: Vec<String>) -> String {
    let position = accessions.iter().position(|accession| is_archive_accession(field, accession));
    if accessions.is_empty() { String::new() } else { accessions.swap_remove(position.unwrap_or_default()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archive_accessions_are_recognized() {
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
            assert_eq!(is_archive_accession(field, accession), expected, "{field} {accession}");
        }
        let all = ["MGYS00002008", "ERP104174", "PRJEB22493"].map(str::to_owned);
        assert_eq!(archive_accession(QueryField::Study, all.into()), "ERP104174");
        assert_eq!(archive_accession(QueryField::Study, vec!["A".to_owned(), "B".to_owned()]), "A");
    }
}
