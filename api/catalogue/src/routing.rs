//! Routes from targets to answers.

use std::borrow::Cow;

use api_http::access::RouteLabel;
use api_http::paths;
use axum::response::Response;
use store_catalogue::CatalogueContents;
use store_catalogue::model::{BIOMES, PIPELINE_TOOLS, SAMPLES, STUDIES};

use super::collections::collection::Collection;
use super::collections::lookup;
use super::facets::{FACETS, METADATA_KEYS};
use super::pages::search::SEARCH;
use super::pages::{facets, list, root, single, top_biomes};
use super::problem::CatalogueProblem;
use super::relations::related;
use super::request::context::Context;

const QUICK_PARAMETERS: [&str; 6] = ["page", "page_size", "page[number]", "page[size]", "format", "strict"];

/// The most resources of a quick page. A page of 100 analyses takes 0.8 ms of the processor if they
/// are read from the store, and 0.2 ms if not.
const QUICK_RESOURCES: usize = 100;

/// The answer at a path, given the collections of a generation.
#[derive(Clone, Debug)]
pub(super) enum Route {
    Root,
    List(Cow<'static, Collection>),
    Recent(Cow<'static, Collection>),
    /// A list whose parameters are in the body.
    Search(Cow<'static, Collection>),
    /// The resources of a list, counted by their values.
    Facets(Cow<'static, Collection>),
    /// The keys of the metadata of samples.
    MetadataKeys(Cow<'static, Collection>),
    /// The fixed list of biomes.
    TopBiomes(Cow<'static, Collection>),
    Single(Cow<'static, Collection>, String),
    /// The resources related to a resource: its identifier, and the name of the related collection.
    Related(Cow<'static, Collection>, String, String),
}

impl Route {
    pub(super) fn to(segments: &[String], contents: &CatalogueContents) -> Result<Self, CatalogueProblem> {
        let Some((collection, below)) = segments.split_first() else { return Ok(Self::Root) };
        let is_of_tools = collection == PIPELINE_TOOLS;
        let found = lookup::at_path(collection, contents).ok_or(CatalogueProblem::NotFound)?;
        Ok(match below {
            [] => Self::List(found),
            [name] if name == SEARCH => Self::Search(found),
            [name] if name == FACETS => Self::Facets(found),
            [name] if collection == SAMPLES && name == METADATA_KEYS => Self::MetadataKeys(found),
            [name] if collection == STUDIES && name == "recent" => Self::Recent(found),
            [name] if collection == BIOMES && name == "top10" => Self::TopBiomes(found),
            // Tools have two segments in their path, name and version.
            [name, version] if is_of_tools => Self::Single(found, format!("{}/{version}", name.to_lowercase())),
            [id] if !is_of_tools => Self::Single(found, id.clone()),
            // The relations of some types have two segments, such as `taxonomy/ssu`.
            [id, relation @ ..] if (1..=2).contains(&relation.len()) => {
                Self::Related(found, id.clone(), relation.join("/"))
            }
            _ => return Err(CatalogueProblem::NotFound),
        })
    }

    /// Returns whether the answer may take long: it evaluates conditions or an order, or has more
    /// resources than a usual page.
    pub(super) fn may_take_long(&self, context: &Context) -> bool {
        match self {
            Self::Root => false,
            Self::List(collection) | Self::Recent(collection) | Self::Single(collection, _) => {
                // Fields of biomes may be counts, and fields in lists are read from the texts of
                // all resources.
                let are_fields_quick = collection.resource_type != BIOMES && matches!(self, Self::Single(..));
                let is_quick = |name: &str, value: &str| {
                    let is_large =
                        name.starts_with("page") && name.contains("size") && is_above(value, QUICK_RESOURCES);
                    let is_known = QUICK_PARAMETERS.contains(&name) || are_fields_quick && name.starts_with("fields");
                    is_known && !is_large
                };
                context.format.is_stream() || context.query.pairs().any(|(name, value)| !is_quick(name, value))
            }
            Self::TopBiomes(_) | Self::Related(..) | Self::Search(_) | Self::Facets(_) | Self::MetadataKeys(_) => true,
        }
    }

    pub(super) fn answer(&self, context: &Context) -> Result<Response, CatalogueProblem> {
        match self {
            Self::Root => root::answer(context),
            Self::List(collection) | Self::Search(collection) => list::answer(context, collection),
            Self::Recent(collection) => list::recent(context, collection),
            Self::Facets(collection) => facets::answer(context, collection),
            Self::MetadataKeys(_) => facets::metadata_keys(context),
            Self::TopBiomes(collection) => top_biomes::answer(context, collection),
            Self::Single(collection, id) => single::answer(context, collection, id),
            Self::Related(collection, id, relation) => related::answer(context, collection, id, relation),
        }
    }
}

fn is_above(value: &str, max: usize) -> bool {
    value.parse::<usize>().is_ok_and(|number| number > max)
}

/// Returns the route of a path below a prefix, for measurements.
pub(super) fn label(prefix: &str, path: &str) -> RouteLabel {
    let num_segments = path.strip_suffix('/').unwrap_or(path).split('/').count();
    let routes = match prefix {
        paths::CATALOGUE => &paths::CATALOGUE_ROUTES[..],
        paths::CATALOGUE_LATEST => &paths::CATALOGUE_LATEST_ROUTES,
        _ => &paths::CATALOGUE_V2_ROUTES,
    };
    routes.get(num_segments - 1).map_or(RouteLabel::NONE, |route| RouteLabel::Static(route))
}
