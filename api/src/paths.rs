//! The paths of all services, spelt nowhere else.

/// The prefix of the protein service.
pub const PROTEINS: &str = "/metagenomics/proteins/api/v1";

/// The search for proteins, below [`PROTEINS`].
pub const PROTEIN_SEARCH: &str = "/protein/search";

/// The record of a protein, below [`PROTEINS`].
pub(crate) const PROTEIN_DETAIL: &str = "/protein/{mgyp}";

/// The prefix of the catalogue service.
pub const CATALOGUE: &str = "/metagenomics/api/v1";

/// Another name of [`CATALOGUE`]; links never have it.
pub const CATALOGUE_LATEST: &str = "/metagenomics/api/latest";

/// The description of a service, below its prefix.
pub(crate) const OPENAPI: &str = "/openapi.json";

/// The interactive documentation of a service, below its prefix.
pub(crate) const DOCS: &str = "/docs";

/// Tells whether the process accepts requests.
pub(crate) const HEALTH: &str = "/healthz";

/// Tells which services have data.
pub(crate) const READY: &str = "/readyz";

/// Returns the path of the record of a protein.
pub fn protein_detail(accession: store::ProteinAccession) -> String {
    format!("{PROTEINS}{}", PROTEIN_DETAIL.replace("{mgyp}", &accession.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_record_is_that_of_its_route() {
        let accession = store::ProteinAccession::new(12).expect("in range");
        assert_eq!(protein_detail(accession), "/metagenomics/proteins/api/v1/protein/MGYP000000000012");
    }
}
