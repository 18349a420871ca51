//! The paths of all services. They are written only here.

use std::fmt::Display;

macro_rules! proteins {
    ($version:literal, $below:literal) => {
        concat!("/metagenomics/proteins/api/", $version, $below)
    };
}

macro_rules! catalogue {
    ($version:literal) => {
        [
            concat!("/metagenomics/api/", $version),
            concat!("/metagenomics/api/", $version, "/{collection}"),
            concat!("/metagenomics/api/", $version, "/{collection}/{id}"),
            concat!("/metagenomics/api/", $version, "/{collection}/{id}/{relation}"),
        ]
    };
}

/// The prefix of the protein service.
pub const PROTEINS: &str = proteins!("v1", "");

/// The search for proteins, below [`PROTEINS`].
pub const PROTEIN_SEARCH: &str = "/protein/search";

/// The search of version 1.
pub const PROTEIN_SEARCH_ROUTE: &str = proteins!("v1", "/protein/search");

/// A protein in version 1.
pub const PROTEIN_DETAIL_ROUTE: &str = proteins!("v1", "/protein/{mgyp}");

/// The prefix of the second version of the protein service.
pub const PROTEINS_V2: &str = proteins!("v2", "");

/// The search of version 2.
pub const PROTEINS_ROUTE: &str = proteins!("v2", "/proteins");

/// The same, with its parameters in the body.
pub const PROTEINS_SEARCH_ROUTE: &str = proteins!("v2", "/proteins/search");

/// Many proteins at once.
pub const PROTEINS_BATCH_ROUTE: &str = proteins!("v2", "/proteins/batch");

/// Numbers of proteins by their properties.
pub const FACETS_ROUTE: &str = proteins!("v2", "/facets");

/// Properties that are frequent among some proteins.
pub const ENRICHMENT_ROUTE: &str = proteins!("v2", "/enrichment");

/// Properties that are frequent among the genes beside some proteins.
pub const NEIGHBOURHOOD_ROUTE: &str = proteins!("v2", "/neighbourhood");

/// A protein in version 2.
pub const PROTEIN_ROUTE: &str = proteins!("v2", "/proteins/{accession}");

/// The members of the cluster of a protein.
pub const PROTEIN_MEMBERS_ROUTE: &str = proteins!("v2", "/proteins/{accession}/members");

/// The genes around each place of a protein.
pub const PROTEIN_NEIGHBOURS_ROUTE: &str = proteins!("v2", "/proteins/{accession}/neighbours");

/// The genes of a contig.
pub const CONTIG_ROUTE: &str = proteins!("v2", "/contigs/{contig}");

/// The contigs of an assembly.
pub const ASSEMBLY_CONTIGS_ROUTE: &str = proteins!("v2", "/assemblies/{assembly}/contigs");

/// Proteins by their exact sequences.
pub const SEQUENCES_SEARCH_ROUTE: &str = proteins!("v2", "/sequences/search");

/// Searches for similar proteins.
pub const SEARCHES_ROUTE: &str = proteins!("v2", "/searches");

/// A search.
pub const SEARCH_ROUTE: &str = proteins!("v2", "/searches/{id}");

/// The hits of a search.
pub const SEARCH_HITS_ROUTE: &str = proteins!("v2", "/searches/{id}/hits");

/// The prefix of the sequences of proteins in GA4GH refget.
pub const REFGET: &str = "/metagenomics/proteins/refget";

/// The abilities of refget.
pub const REFGET_SERVICE_ROUTE: &str = "/metagenomics/proteins/refget/sequence/service-info";

/// A sequence by its digest.
pub const REFGET_SEQUENCE_ROUTE: &str = "/metagenomics/proteins/refget/sequence/{id}";

/// The names of a sequence.
pub const REFGET_METADATA_ROUTE: &str = "/metagenomics/proteins/refget/sequence/{id}/metadata";

/// The sequence of a protein.
pub const PROTEIN_FASTA_ROUTE: &str = proteins!("v2", "/proteins/{accession}.fasta");

/// The sources of own data.
pub const SOURCES_ROUTE: &str = proteins!("v2", "/sources");

/// Suggestions for the beginning of a word.
pub const SUGGEST_ROUTE: &str = proteins!("v2", "/suggest");

/// The prefix of the catalogue service.
pub const CATALOGUE: &str = CATALOGUE_ROUTES[0];

/// Another name of [`CATALOGUE`]; links never have it.
pub const CATALOGUE_LATEST: &str = CATALOGUE_LATEST_ROUTES[0];

/// The prefix of the catalogue in the form of version 2 of MGnify's API.
pub const CATALOGUE_V2: &str = CATALOGUE_V2_ROUTES[0];

/// Lists, details and everything below them.
pub const CATALOGUE_V2_ROUTES: [&str; 5] = {
    let [root, list, detail, members] = catalogue!("v2");
    [root, list, detail, members, "/metagenomics/api/v2/{collection}/{id}/{relation}/{part}"]
};

/// Root, collection, resource and related collection.
pub const CATALOGUE_ROUTES: [&str; 4] = catalogue!("v1");

/// The same below [`CATALOGUE_LATEST`].
pub const CATALOGUE_LATEST_ROUTES: [&str; 4] = catalogue!("latest");

/// The prefix of profiles by reference, and of the other operations of their service.
pub const PROFILES: &str = "/profiles";

/// The prefix of the profiles of users.
const USERS: &str = "/users";

/// The prefix of the caller's own profile.
pub const MY: &str = "/my";

/// The prefix of the profiles of domains.
pub const DOMAINS: &str = "/domains";

/// All prefixes of the service of profiles, which also answers unknown paths below them.
const OF_PROFILES: [&str; 4] = [USERS, MY, DOMAINS, PROFILES];

/// The prefix of the pages for people.
pub const PORTAL: &str = "/portal";

/// The icon that browsers ask for.
pub const ICON: &str = "/favicon.ico";

pub(crate) const OPENAPI: &str = "/openapi.json";

/// The documentation of a service, below its prefix.
pub const DOCS: &str = "/docs";

/// The manual.
pub const MANUAL: &str = "/docs/manual";

/// The health of the process.
pub const HEALTH: &str = "/healthz";

/// The readiness of the services.
pub const READY: &str = "/readyz";

/// Returns the path of the record of a protein.
pub fn protein_detail(accession: store::ProteinAccession) -> String {
    PROTEIN_DETAIL_ROUTE.replace("{mgyp}", &accession.to_string())
}

/// Returns the path of the record of a protein in the second version.
pub fn protein_v2(accession: store::ProteinAccession) -> String {
    PROTEIN_ROUTE.replace("{accession}", &accession.to_string())
}

/// Returns the path of the members of the cluster of a protein.
pub fn protein_members(accession: store::ProteinAccession) -> String {
    PROTEIN_MEMBERS_ROUTE.replace("{accession}", &accession.to_string())
}

/// Returns the path of the genes around a protein.
pub fn protein_neighbours(accession: store::ProteinAccession) -> String {
    PROTEIN_NEIGHBOURS_ROUTE.replace("{accession}", &accession.to_string())
}

/// Returns the path of the genes of a contig, by its accession or its name, encoded as a segment.
pub fn contig(segment: &str) -> String {
    CONTIG_ROUTE.replace("{contig}", segment)
}

/// Returns the path of a search for similar proteins.
pub fn search(id: impl Display) -> String {
    SEARCH_ROUTE.replace("{id}", &id.to_string())
}

/// Returns the path of the sequence of a protein in refget.
pub fn refget_sequence(accession: store::ProteinAccession) -> String {
    REFGET_SEQUENCE_ROUTE.replace("{id}", &accession.to_string())
}

/// Returns the rest of a path after a prefix: nothing, or a slash and more.
pub fn below<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns whether a path is answered by the service of profiles.
pub fn is_profiles_path(path: &str) -> bool {
    OF_PROFILES.into_iter().any(|prefix| below(path, prefix).is_some())
}

/// Returns the path of a profile.
pub fn profile(reference: store::ProfileReference) -> String {
    format!("{PROFILES}/{reference}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_paths_match_their_route() {
        let accession = store::ProteinAccession::new(12).expect("in range");
        assert_eq!(protein_detail(accession), "/metagenomics/proteins/api/v1/protein/MGYP000000000012");
    }

    #[test]
    fn paths_of_profiles_are_whole_segments() {
        for path in ["/users", "/users/profile/email", "/my/", "/domains/x", "/profiles"] {
            assert!(is_profiles_path(path), "{path}");
        }
        for path in ["/", "/usersx", "/x/users", "/metagenomics/api/v1/profiles", "/healthz"] {
            assert!(!is_profiles_path(path), "{path}");
        }
    }
}
