//! Routes from paths to answers.

use std::borrow::Cow;

use api_http::front::Methods;
use axum::response::Response;
use percent_encoding::percent_decode_str;
use store_catalogue::model::{ASSEMBLIES, BIOMES, CONTAINED_GENOMES, GENOME_LINKS, GENOMES, RUNS, STUDIES};
use store_catalogue::{Condition, LinkStyle};

use super::kinds::{Id, Kind, Sublist};
use super::list_request::List;
use super::refusal::{NOT_FOUND, Refusal};
use super::values::{PAGING, Reader};
use super::{Context, details, facets, lists, news, parts};
use crate::facets::{FACETS, METADATA_KEYS};
use crate::relations::linked;
use crate::render::headers::{POSTING, READING};
use crate::render::resource::Resource;
use crate::request::parameters::STRICT;

/// The answer at a path, with its decoded parts.
#[derive(Debug)]
pub(super) enum Route {
    List(&'static Kind),
    Detail(&'static Kind, String),
    Members(&'static Kind, String, &'static Sublist),
    /// The study with an accession of the European Nucleotide Archive.
    StudyOf(String),
    /// An analysis with its annotations.
    Annotations(String),
    AnnotationsOf(String, String),
    AnnotationsOfGenome(String),
    AnnotationsOfPublication(String),
    /// The part of an assembly that is stored as a hidden type.
    Items(&'static str, String),
    News,
    /// The items of a list, counted by their values.
    Facets(&'static Kind),
    /// The keys of the metadata of samples.
    MetadataKeys,
    MyStudies,
    /// An operation of the real service that this service lacks.
    NotServed,
    /// The status or the results of such an operation, which never exist.
    Nothing,
}

/// The paths of the operations that are not served.
pub(super) const NOT_SERVED: [&str; 5] =
    ["/auth/sliding", "/auth/sliding/refresh", "/auth/verify", "/genome-search", "/genomes-search/gather"];

impl Route {
    /// Reads a path below the prefix. A slash at its end has no effect, except for two paths that
    /// the real service reads as the names of resources.
    pub(super) fn to(path: &str) -> Option<Self> {
        let (whole, has_slash) = path.strip_suffix('/').map_or((path, false), |path| (path, true));
        if NOT_SERVED.contains(&whole) {
            return Some(Self::NotServed);
        }
        let decode = |segment| percent_decode_str(segment).decode_utf8().ok().map(Cow::into_owned);
        let segments: Vec<String> = whole.strip_prefix('/')?.split('/').map(decode).collect::<Option<_>>()?;
        if segments.iter().any(String::is_empty) {
            return None;
        }
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let of = |path| Kind::at(path).filter(|kind| kind.id != Id::None);
        Some(match segments[..] {
            ["genomes", "catalogues"] if !has_slash => Self::Detail(Kind::at("genomes")?, "catalogues".to_owned()),
            ["genomes", "catalogues"] => Self::List(Kind::at("genomes/catalogues")?),
            ["genomes", "catalogues", FACETS] => Self::Facets(Kind::at("genomes/catalogues")?),
            ["genomes", "catalogues", id] => Self::Detail(Kind::at("genomes/catalogues")?, id.to_owned()),
            ["genomes", "catalogues", id, name] => Self::below(Kind::at("genomes/catalogues")?, id, name)?,
            ["genomes-search", "status" | "results", _] => Self::Nothing,
            ["studies", "insdc", accession] => Self::StudyOf(accession.to_owned()),
            ["analyses", id, "annotations"] => Self::Annotations(id.to_owned()),
            ["analyses", id, "annotations", name] => Self::AnnotationsOf(id.to_owned(), name.to_owned()),
            ["genomes", id, "annotations"] => Self::AnnotationsOfGenome(id.to_owned()),
            ["publications", id, "annotations"] => Self::AnnotationsOfPublication(id.to_owned()),
            ["assemblies", id, "genome-links"] => Self::Items(GENOME_LINKS, id.to_owned()),
            ["assemblies", id, "additional-contained-genomes"] => Self::Items(CONTAINED_GENOMES, id.to_owned()),
            ["rss", "studies"] => Self::News,
            ["my-data", "studies"] => Self::MyStudies,
            ["samples", METADATA_KEYS] => Self::MetadataKeys,
            [name] => Self::List(Kind::at(name)?),
            [name, FACETS] => Self::Facets(of(name)?),
            [name, id] => Self::Detail(of(name)?, id.to_owned()),
            [name, id, sublist] => Self::below(of(name)?, id, sublist)?,
            _ => return None,
        })
    }

    fn below(kind: &'static Kind, id: &str, name: &str) -> Option<Self> {
        let sublist = kind.sublists.iter().find(|sublist| sublist.name == name)?;
        Some(Self::Members(kind, id.to_owned(), sublist))
    }

    pub(super) fn methods(&self) -> Methods {
        if matches!(self, Self::NotServed) { POSTING } else { READING }
    }

    /// Returns whether the answer is quick: a document, or a page of usual size of a whole list in
    /// its default order. 25 analyses with their embedded resources take 0.3 ms of the processor,
    /// and 1.3 ms if they are read from the store.
    pub(super) fn is_quick(&self, context: &Context) -> bool {
        match self {
            Self::List(kind) => {
                let size = context.query.last("page_size").map_or(Some(kind.page_size), |size| size.parse().ok());
                // All biomes are read to put the repeated ones in their positions.
                kind.resource_type != BIOMES
                    && size.is_some_and(|size: usize| size <= kind.page_size)
                    && context.query.pairs().all(|(name, _)| PAGING.contains(&name))
            }
            // The details of other types embed lists of any length.
            Self::Detail(kind, _) => [STUDIES, RUNS, ASSEMBLIES, GENOMES].contains(&kind.resource_type),
            Self::StudyOf(_) => true,
            _ => false,
        }
    }

    /// Returns the parameters of an answer that is not a list of resources. Lists read their own
    /// parameters.
    fn parameters(&self) -> Option<&'static [&'static str]> {
        Some(match self {
            Self::List(_) | Self::Members(..) | Self::Facets(_) | Self::MetadataKeys => return None,
            Self::Detail(kind, _) if kind.resource_type == GENOMES => &["fields", "catalogue_id"],
            Self::Detail(..) | Self::Annotations(_) => &["fields"],
            Self::AnnotationsOf(..) | Self::Items(..) => &PAGING,
            Self::AnnotationsOfGenome(_) => &["catalogue_id"],
            _ => &[],
        })
    }

    pub(super) fn answer(&self, context: &Context) -> Result<Response, Refusal> {
        if let Some(names) = self.parameters().filter(|_| context.is_strict) {
            let mut reader = Reader::new(&context.query);
            reader.refuse_others(|name| names.contains(&name) || name == STRICT, names);
            reader.finish()?;
        }
        match self {
            Self::List(kind) => {
                let list = List { kind, is_whole: kind.is_listed_whole, is_selected: true };
                lists::answer(context, list, None)
            }
            Self::Detail(kind, id) => details::answer(context, kind, id),
            Self::Members(kind, id, sublist) => {
                let list = List {
                    kind: Kind::of(sublist.resource_type),
                    is_whole: sublist.is_whole,
                    is_selected: sublist.is_selected,
                };
                lists::answer(context, list, Some(members(context, kind, id, sublist)?))
            }
            Self::StudyOf(accession) => details::study_of(context, accession),
            Self::Annotations(id) => parts::annotations(context, id),
            Self::AnnotationsOf(id, name) => parts::annotations_of_type(context, id, name),
            Self::AnnotationsOfGenome(id) => parts::genome_annotations(context, id),
            Self::AnnotationsOfPublication(id) => parts::publication_annotations(context, id),
            Self::Items(hidden_type, id) => parts::items(context, hidden_type, id),
            Self::News => news::answer(context),
            Self::Facets(kind) => facets::answer(context, kind),
            Self::MetadataKeys => facets::metadata_keys(context),
            Self::MyStudies => Err(Refusal::Unauthorized),
            Self::NotServed => Err(Refusal::NotServed),
            Self::Nothing => Err(Refusal::NotFound(NOT_FOUND.to_owned())),
        }
    }
}

/// Returns the condition for the members of a list below a resource.
pub(super) fn members(context: &Context, kind: &Kind, id: &str, sublist: &Sublist) -> Result<Condition, Refusal> {
    let body = details::find(context, kind, id)?;
    let parent = Resource::render(&body, &LinkStyle::default())?;
    Ok(linked::condition(&parent, sublist.resource_type, sublist.name)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_at_the_end_has_no_effect() {
        for path in [
            "/studies",
            "/studies/MGYS1",
            "/studies/MGYS1/samples",
            "/studies/insdc/ERP1",
            "/genomes/catalogues/x",
            "/genomes/catalogues/x/genomes",
            "/analyses/a/annotations/pfams",
            "/assemblies/a/genome-links",
            "/biomes",
            "/rss/studies",
            "/auth/verify",
            "/samples/a%20b",
        ] {
            let without = format!("{:?}", Route::to(path).expect(path));
            assert_eq!(format!("{:?}", Route::to(&format!("{path}/")).expect(path)), without, "{path}");
        }
    }

    #[test]
    fn two_paths_without_a_slash_are_names_of_resources() {
        for (path, id) in [("/genomes/catalogues", "catalogues"), ("/studies/insdc", "insdc")] {
            let Some(Route::Detail(_, found)) = Route::to(path) else { panic!("{path}") };
            assert_eq!(found, id);
        }
        assert!(matches!(Route::to("/genomes/catalogues/"), Some(Route::List(_))));
    }
}
