//! The operations by their paths.

use api_http::front::{CrossOrigin, Methods};
use api_http::paths;
use api_http::routes::{self, Route};
use axum::body::Body;
use axum::http::Method;
use futures_util::future::BoxFuture;

use super::question::{Answer, Operation, Question, Tagged, Work};
use super::similar::operations as similar;
use super::{ProteinService, v1, v2};

const POST: Methods = Methods { allowed: &[Method::POST], names: "POST" };

pub(super) const OPEN: CrossOrigin = CrossOrigin {
    methods: "GET,HEAD,OPTIONS",
    exposed_headers: "content-disposition,etag,link,location,retry-after,x-release,x-request-id",
    has_all_options: true,
};

const OPEN_POST: CrossOrigin = CrossOrigin {
    methods: "POST,OPTIONS",
    exposed_headers: "content-disposition,link,location,retry-after,x-missing,x-release,x-request-id",
    ..OPEN
};

const READ_OR_REMOVE: Methods =
    Methods { allowed: &[Method::GET, Method::HEAD, Method::DELETE], names: "GET,HEAD,DELETE" };

const OPEN_REMOVE: CrossOrigin = CrossOrigin { methods: "GET,HEAD,DELETE,OPTIONS", ..OPEN };

const OPEN_REFGET: CrossOrigin = CrossOrigin {
    exposed_headers: "accept-ranges,content-range,etag,location,retry-after,x-release,x-request-id",
    ..OPEN
};

/// A version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Version 1.
    V1,
    /// Version 2.
    V2,
    /// Sequences by their digests, as specified by GA4GH.
    Refget,
}

const fn read(tagged: Tagged, work: Work) -> Operation {
    Operation { methods: Methods::READ, cross_origin: OPEN, tagged, work }
}

const fn refget(work: Work) -> Operation {
    Operation { methods: Methods::READ, cross_origin: OPEN_REFGET, tagged: Tagged::Proteins, work }
}

/// Returns an operation on a body.
const fn posted(answer: for<'a> fn(&'a ProteinService, Question<'a>, Body) -> BoxFuture<'a, Answer>) -> Operation {
    Operation { methods: POST, cross_origin: OPEN_POST, tagged: Tagged::No, work: Work::Waits(answer) }
}

static ROUTES_V1: [Route<Operation>; 2] = [
    Route::new("/protein/search", paths::PROTEIN_SEARCH_ROUTE, read(Tagged::Proteins, Work::Short(v1::search))),
    Route::new("/protein/{mgyp}", paths::PROTEIN_DETAIL_ROUTE, read(Tagged::Proteins, Work::Short(v1::record))),
];

static ROUTES_V2: [Route<Operation>; 18] = [
    Route::new("/proteins", paths::PROTEINS_ROUTE, read(Tagged::Release, Work::Page(v2::search))),
    Route::new("/proteins/search", paths::PROTEINS_SEARCH_ROUTE, posted(v2::posted_search)),
    Route::new("/proteins/batch", paths::PROTEINS_BATCH_ROUTE, posted(v2::batch)),
    Route::new("/sequences/search", paths::SEQUENCES_SEARCH_ROUTE, posted(v2::lookup)),
    Route::new("/facets", paths::FACETS_ROUTE, read(Tagged::Release, Work::Turns(v2::facets))),
    Route::new("/enrichment", paths::ENRICHMENT_ROUTE, read(Tagged::Release, Work::Turns(v2::enrichment))),
    Route::new("/neighbourhood", paths::NEIGHBOURHOOD_ROUTE, read(Tagged::Release, Work::Turns(v2::neighbourhood))),
    Route::new("/sources", paths::SOURCES_ROUTE, read(Tagged::Proteins, Work::Short(v2::sources))),
    Route::new(
        "/proteins/{accession}.fasta",
        paths::PROTEIN_FASTA_ROUTE,
        read(Tagged::Proteins, Work::Short(v2::fasta)),
    ),
    Route::new("/proteins/{accession}", paths::PROTEIN_ROUTE, read(Tagged::Proteins, Work::Short(v2::record))),
    Route::new(
        "/proteins/{accession}/members",
        paths::PROTEIN_MEMBERS_ROUTE,
        read(Tagged::Proteins, Work::Short(v2::members)),
    ),
    Route::new(
        "/proteins/{accession}/neighbours",
        paths::PROTEIN_NEIGHBOURS_ROUTE,
        read(Tagged::Proteins, Work::Turn(v2::neighbours)),
    ),
    Route::new("/contigs/{contig}", paths::CONTIG_ROUTE, read(Tagged::Proteins, Work::Turn(v2::contig))),
    Route::new(
        "/assemblies/{assembly}/contigs",
        paths::ASSEMBLY_CONTIGS_ROUTE,
        read(Tagged::Proteins, Work::Turn(v2::assembly_contigs)),
    ),
    Route::new("/suggest", paths::SUGGEST_ROUTE, read(Tagged::Release, Work::Turn(v2::suggest))),
    Route::new("/searches", paths::SEARCHES_ROUTE, posted(similar::submit)),
    Route::new(
        "/searches/{id}",
        paths::SEARCH_ROUTE,
        Operation {
            methods: READ_OR_REMOVE,
            cross_origin: OPEN_REMOVE,
            tagged: Tagged::No,
            work: Work::Waits(similar::one),
        },
    ),
    Route::new("/searches/{id}/hits", paths::SEARCH_HITS_ROUTE, read(Tagged::No, Work::Waits(similar::hits_of_one))),
];

static ROUTES_REFGET: [Route<Operation>; 3] = [
    Route::new("/sequence/service-info", paths::REFGET_SERVICE_ROUTE, refget(Work::Short(super::refget::service_info))),
    Route::new("/sequence/{id}", paths::REFGET_SEQUENCE_ROUTE, refget(Work::Short(super::refget::sequence))),
    // The metadata list all proteins of a sequence.
    Route::new("/sequence/{id}/metadata", paths::REFGET_METADATA_ROUTE, refget(Work::Turn(super::refget::metadata))),
];

/// The most segments of a path.
const SEGMENTS_MAX: usize = 3;

impl Version {
    /// All versions.
    pub const ALL: [Self; 3] = [Self::V1, Self::V2, Self::Refget];

    /// Returns the prefix of the paths of this version.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::V1 => paths::PROTEINS,
            Self::V2 => paths::PROTEINS_V2,
            Self::Refget => paths::REFGET,
        }
    }

    /// Returns the format, the part and the base URL of links, by which answers to one address
    /// differ.
    pub(super) fn variant(self, question: &Question) -> String {
        let Question { parts, base, .. } = question;
        match self {
            Self::V1 => String::new(),
            Self::V2 => v2::variant(&parts.headers, base),
            Self::Refget => super::refget::variant(&parts.headers, base),
        }
    }

    /// Finds the route of a path below the prefix, and its second segment, or the first if it is
    /// the only one. A slash at the end is ignored.
    pub(super) fn find(self, path: &str) -> Option<(&'static Route<Operation>, &str)> {
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
        for (version, path, expected) in [
            (Version::V1, "/protein/search", Some((paths::PROTEIN_SEARCH_ROUTE, "search"))),
            (Version::V1, "/protein/search/", Some((paths::PROTEIN_SEARCH_ROUTE, "search"))),
            (Version::V1, "/protein/12", Some((paths::PROTEIN_DETAIL_ROUTE, "12"))),
            (Version::V1, "/protein/12/", Some((paths::PROTEIN_DETAIL_ROUTE, "12"))),
            (Version::V2, "/proteins", Some((paths::PROTEINS_ROUTE, "proteins"))),
            (Version::V2, "/proteins/", Some((paths::PROTEINS_ROUTE, "proteins"))),
            (Version::V2, "/proteins/12", Some((paths::PROTEIN_ROUTE, "12"))),
            (Version::V2, "/proteins/12/", Some((paths::PROTEIN_ROUTE, "12"))),
            (Version::V2, "/proteins/MGYP12.fasta", Some((paths::PROTEIN_FASTA_ROUTE, "MGYP12.fasta"))),
            (Version::V2, "/proteins/12/members", Some((paths::PROTEIN_MEMBERS_ROUTE, "12"))),
            (Version::V2, "/proteins/12/neighbours", Some((paths::PROTEIN_NEIGHBOURS_ROUTE, "12"))),
            (Version::V2, "/contigs/MGYC12/", Some((paths::CONTIG_ROUTE, "MGYC12"))),
            (Version::V2, "/assemblies/ERZ1/contigs", Some((paths::ASSEMBLY_CONTIGS_ROUTE, "ERZ1"))),
            (Version::V2, "/sequences/search", Some((paths::SEQUENCES_SEARCH_ROUTE, "search"))),
            (Version::V2, "/searches", Some((paths::SEARCHES_ROUTE, "searches"))),
            (Version::V2, "/searches/1", Some((paths::SEARCH_ROUTE, "1"))),
            (Version::V2, "/searches/1/hits", Some((paths::SEARCH_HITS_ROUTE, "1"))),
            (Version::Refget, "/sequence/service-info", Some((paths::REFGET_SERVICE_ROUTE, "service-info"))),
            (Version::Refget, "/sequence/SQ.x", Some((paths::REFGET_SEQUENCE_ROUTE, "SQ.x"))),
            (Version::Refget, "/sequence/12/metadata/", Some((paths::REFGET_METADATA_ROUTE, "12"))),
        ] {
            let found = version.find(path).map(|(route, segment)| (route.label, segment));
            assert_eq!(found, expected, "{path}");
        }
    }
}
