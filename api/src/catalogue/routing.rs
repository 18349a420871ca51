//! Which answer a target is given.

use std::borrow::Cow;

use axum::response::Response;
use store::CatalogueContents;
use store::model::{BIOMES, PIPELINE_TOOLS, STUDIES};

use super::collection::Collection;
use super::context::Context;
use super::problem::CatalogueProblem;
use super::target::Subject;
use super::{list, lookup, related, root, single, top_biomes};
use crate::access::RouteLabel;
use crate::paths;

const QUICK_PARAMETERS: [&str; 3] = ["page", "page_size", "format"];

/// What is asked for, once it is known which collections there are.
#[derive(Clone, Debug)]
pub(super) enum Route {
    Root,
    List(Cow<'static, Collection>),
    Recent(Cow<'static, Collection>),
    /// The choice of biomes.
    TopBiomes(Cow<'static, Collection>),
    Single(Cow<'static, Collection>, String),
    /// What hangs on a resource: its identifier, and the name of the related collection.
    Related(Cow<'static, Collection>, String, String),
}

impl Route {
    /// Returns the route to a subject.
    ///
    /// # Errors
    ///
    /// * There is no such collection, or nothing that hangs on it like that.
    pub(super) fn to(subject: Subject, contents: &CatalogueContents) -> Result<Self, CatalogueProblem> {
        let at_path = |path: &str| lookup::at_path(path, contents).ok_or(CatalogueProblem::NotFound);
        Ok(match subject {
            Subject::Root => Self::Root,
            Subject::List { collection } => Self::List(at_path(&collection)?),
            Subject::Single { collection, id } => match (collection.as_str(), id.as_str()) {
                (STUDIES, "recent") => Self::Recent(at_path(&collection)?),
                (BIOMES, "top10") => Self::TopBiomes(at_path(&collection)?),
                // They have two segments in their path, name and version.
                (PIPELINE_TOOLS, _) => return Err(CatalogueProblem::NotFound),
                _ => Self::Single(at_path(&collection)?, id),
            },
            Subject::Related { collection, id, relation } if collection == PIPELINE_TOOLS => {
                Self::Single(at_path(&collection)?, format!("{}/{relation}", id.to_lowercase()))
            }
            Subject::Related { collection, id, relation } => Self::Related(at_path(&collection)?, id, relation),
        })
    }

    /// Tells whether the answer may take long: it looks at conditions, at an order or at more resources than a page has.
    pub(super) fn may_take_long(&self, context: &Context) -> bool {
        let is_quick = |name: &str| QUICK_PARAMETERS.contains(&name) || name.starts_with("fields");
        match self {
            Self::Root => false,
            Self::List(_) | Self::Recent(_) | Self::Single(..) => {
                context.format.is_stream() || context.query.pairs().any(|(name, _)| !is_quick(name))
            }
            Self::TopBiomes(_) | Self::Related(..) => true,
        }
    }

    /// Answers a request to read.
    ///
    /// # Errors
    ///
    /// * What is asked for is not there, a parameter is refused, or the engine fails.
    pub(super) fn answer(&self, context: &Context) -> Result<Response, CatalogueProblem> {
        match self {
            Self::Root => root::answer(context),
            Self::List(collection) => list::answer(context, collection),
            Self::Recent(collection) => list::recent(context, collection),
            Self::TopBiomes(collection) => top_biomes::answer(context, collection),
            Self::Single(collection, id) => single::answer(context, collection, id),
            Self::Related(collection, id, relation) => related::answer(context, collection, id, relation),
        }
    }
}

/// Returns the route of a path below one of the prefixes, for measurements.
pub(super) fn label(prefix: &str, path: &str) -> RouteLabel {
    let num_segments = path.strip_suffix('/').unwrap_or(path).split('/').count();
    let routes = if prefix == paths::CATALOGUE { paths::CATALOGUE_ROUTES } else { paths::CATALOGUE_LATEST_ROUTES };
    routes.get(num_segments - 1).map_or(RouteLabel::NONE, |route| RouteLabel::Static(route))
}
