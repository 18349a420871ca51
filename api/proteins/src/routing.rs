//! The operations by their paths.

use api_http::front::{CrossOrigin, Methods};
use api_http::paths;
use api_http::routes::{self, Route};
use axum::http::Method;

use super::refget;

pub(super) const METHODS: Methods = Methods { allowed: &[Method::GET, Method::HEAD], names: "GET,HEAD" };

const POST: Methods = Methods { allowed: &[Method::POST], names: "POST" };

pub(super) const CROSS_ORIGIN: CrossOrigin = CrossOrigin {
    methods: "GET,HEAD,OPTIONS",
    exposed_headers: "content-disposition,etag,link,location,retry-after,x-request-id",
    has_all_options: true,
};

const CROSS_ORIGIN_POST: CrossOrigin = CrossOrigin {
    methods: "POST,OPTIONS",
    exposed_headers: "content-disposition,link,location,retry-after,x-missing,x-request-id",
    ..CROSS_ORIGIN
};

const SEARCH: Methods = Methods { allowed: &[Method::GET, Method::HEAD, Method::DELETE], names: "GET,HEAD,DELETE" };

const CROSS_ORIGIN_SEARCH: CrossOrigin = CrossOrigin { methods: "GET,HEAD,DELETE,OPTIONS", ..CROSS_ORIGIN };

const CROSS_ORIGIN_REFGET: CrossOrigin = CrossOrigin {
    exposed_headers: "accept-ranges,content-range,etag,location,retry-after,x-request-id",
    ..CROSS_ORIGIN
};

/// A version of the interface, or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Version 1.
    V1,
    /// Version 2.
    V2,
    /// Sequences by their digests, as GA4GH has them.
    Refget,
}

/// An operation. The second segment of the path of a protein is its accession, or its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Search,
    /// The parameters are in the body.
    PostedSearch,
    /// The accessions are in the body.
    Batch,
    /// The sequences are in the body.
    Lookup,
    Suggest,
    Facets,
    Enrichment,
    Sources,
    Record,
    Fasta,
    /// The query is in the body.
    Similar,
    SearchState,
    SearchHits,
    Refget(refget::Part),
}

impl Operation {
    /// Returns its methods, and what pages of other origins may do with it.
    pub(super) fn methods(self) -> (Methods, CrossOrigin) {
        match self {
            Self::PostedSearch | Self::Batch | Self::Lookup | Self::Similar => (POST, CROSS_ORIGIN_POST),
            Self::SearchState => (SEARCH, CROSS_ORIGIN_SEARCH),
            Self::Refget(_) => (METHODS, CROSS_ORIGIN_REFGET),
            _ => (METHODS, CROSS_ORIGIN),
        }
    }
}

const ROUTES_V1: [Route<Operation>; 2] = [
    Route::new("/protein/search", paths::PROTEIN_SEARCH_ROUTE, Operation::Search),
    Route::new("/protein/{mgyp}", paths::PROTEIN_DETAIL_ROUTE, Operation::Record),
];

const ROUTES_V2: [Route<Operation>; 13] = [
    Route::new("/proteins", paths::PROTEINS_ROUTE, Operation::Search),
    Route::new("/proteins/search", paths::PROTEINS_SEARCH_ROUTE, Operation::PostedSearch),
    Route::new("/proteins/batch", paths::PROTEINS_BATCH_ROUTE, Operation::Batch),
    Route::new("/sequences/search", paths::SEQUENCES_SEARCH_ROUTE, Operation::Lookup),
    Route::new("/facets", paths::FACETS_ROUTE, Operation::Facets),
    Route::new("/enrichment", paths::ENRICHMENT_ROUTE, Operation::Enrichment),
    Route::new("/sources", paths::SOURCES_ROUTE, Operation::Sources),
    Route::new("/proteins/{accession}.fasta", paths::PROTEIN_FASTA_ROUTE, Operation::Fasta),
    Route::new("/proteins/{accession}", paths::PROTEIN_ROUTE, Operation::Record),
    Route::new("/suggest", paths::SUGGEST_ROUTE, Operation::Suggest),
    Route::new("/searches", paths::SEARCHES_ROUTE, Operation::Similar),
    Route::new("/searches/{id}", paths::SEARCH_ROUTE, Operation::SearchState),
    Route::new("/searches/{id}/hits", paths::SEARCH_HITS_ROUTE, Operation::SearchHits),
];

const ROUTES_REFGET: [Route<Operation>; 3] = [
    Route::new("/sequence/service-info", paths::REFGET_SERVICE_ROUTE, Operation::Refget(refget::Part::Service)),
    Route::new("/sequence/{id}", paths::REFGET_SEQUENCE_ROUTE, Operation::Refget(refget::Part::Sequence)),
    Route::new("/sequence/{id}/metadata", paths::REFGET_METADATA_ROUTE, Operation::Refget(refget::Part::Metadata)),
];

/// The most segments of a path.
const SEGMENTS_MAX: usize = 3;

impl Version {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::V1, Self::V2, Self::Refget];

    /// Returns the prefix of its paths.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::V1 => paths::PROTEINS,
            Self::V2 => paths::PROTEINS_V2,
            Self::Refget => paths::REFGET,
        }
    }

    /// Finds the route of a path below the prefix, and its second segment, or the only one. A slash at the end is ignored.
    pub fn find(self, path: &str) -> Option<(&'static Route<Operation>, &str)> {
        let routes: &[_] = match self {
            Self::V1 => &ROUTES_V1,
            Self::V2 => &ROUTES_V2,
            Self::Refget => &ROUTES_REFGET,
        };
        let mut segments = [""; SEGMENTS_MAX];
        let mut num_segments = 0;
        for segment in path.strip_suffix('/').unwrap_or(path).strip_prefix('/')?.split('/') {
            *segments.get_mut(num_segments)? = segment;
            num_segments += 1;
        }
        let route = routes::find(routes, &segments[..num_segments])?;
        Some((route, segments[usize::from(num_segments > 1)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_operations() {
        let (search, record, fasta) = (Operation::Search, Operation::Record, Operation::Fasta);
        for (version, path, expected) in [
            (Version::V1, "/protein/search", Some((search, "search"))),
            (Version::V1, "/protein/search/", Some((search, "search"))),
            (Version::V1, "/protein/12", Some((record, "12"))),
            (Version::V1, "/protein/12/", Some((record, "12"))),
            (Version::V1, "/protein/", None),
            (Version::V1, "/protein//", None),
            (Version::V1, "/protein/12/x", None),
            (Version::V1, "/protein", None),
            (Version::V1, "//protein/12", None),
            (Version::V1, "", None),
            (Version::V2, "/proteins", Some((search, "proteins"))),
            (Version::V2, "/proteins/", Some((search, "proteins"))),
            (Version::V2, "/proteins/12", Some((record, "12"))),
            (Version::V2, "/proteins/12/", Some((record, "12"))),
            (Version::V2, "/proteins/MGYP12.fasta", Some((fasta, "MGYP12.fasta"))),
            (Version::V2, "/proteins/12/x", None),
            (Version::V2, "/proteins/12/x/y", None),
            (Version::V2, "/sequences/search", Some((Operation::Lookup, "search"))),
            (Version::V2, "/searches", Some((Operation::Similar, "searches"))),
            (Version::V2, "/searches/1", Some((Operation::SearchState, "1"))),
            (Version::V2, "/searches/1/hits", Some((Operation::SearchHits, "1"))),
            (
                Version::Refget,
                "/sequence/service-info",
                Some((Operation::Refget(refget::Part::Service), "service-info")),
            ),
            (Version::Refget, "/sequence/SQ.x", Some((Operation::Refget(refget::Part::Sequence), "SQ.x"))),
            (Version::Refget, "/sequence/12/metadata/", Some((Operation::Refget(refget::Part::Metadata), "12"))),
            (Version::Refget, "/sequence", None),
            (Version::Refget, "/sequence/12/x", None),
            (Version::V2, "/proteinss", None),
            (Version::V2, "/docs", None),
            (Version::V2, "", None),
        ] {
            let found = version.find(path).map(|(route, segment)| (route.target, segment));
            assert_eq!(found, expected, "{path}");
        }
    }
}
