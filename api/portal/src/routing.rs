//! The pages of the portal by their paths.

use api_http::access::NO_ROUTE;
use api_http::front::Methods;
use api_http::paths;
use api_http::routes::{self, Route};
use axum::http::Method;
use axum::response::Response;
use percent_encoding::percent_decode_str;

use crate::context::page_context::{PageContext, redirect};
use crate::context::problem::PortalProblem;
use crate::pages::{
    architectures, biome, clan, compare, contrast, family, find, glossary, home, places, profile, protein, resource,
    resources, status,
};
use crate::parts::completion;
use crate::{search, v2_details};

const METHODS: Methods = Methods { allowed: &[Method::GET, Method::HEAD], names: "GET,HEAD" };

const METHODS_OF_FORMS: Methods =
    Methods { allowed: &[Method::GET, Method::HEAD, Method::POST], names: "GET,HEAD,POST" };

/// The target of a route.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Page(fn(&PageContext) -> Result<Response, PortalProblem>),
    /// A page with a form that can also be posted.
    Form(fn(&PageContext) -> Result<Response, PortalProblem>),
    /// A page that can change while the generations stay the same.
    Live(fn(&PageContext) -> Result<Response, PortalProblem>),
    /// A page about the thing named by the last segment.
    Named(fn(&PageContext, &str) -> Result<Response, PortalProblem>),
    /// A search for similar proteins: the form, or the search named by the last segment. Both
    /// accept forms.
    Similar,
    /// A resource of a collection, by its identifier.
    Resource,
    /// The related resources of a resource.
    Related,
    /// The URLs of the files of a resource, or of its related resources.
    Urls,
    /// A file used by pages.
    File,
    /// A redirect to the first page, from outside the prefix.
    Entry,
    /// No such page.
    Unknown,
}

static ENTRY: Route<Target> = Route::new("", "/", Target::Entry);

static UNKNOWN: Route<Target> = Route::new("", NO_ROUTE, Target::Unknown);

/// The pages below the prefix. The first matching route is used.
static ROUTES: [Route<Target>; 27] = [
    // The version changes with the files, so browsers may cache them forever.
    Route::new("/assets/{version}/{name}", "/portal/assets", Target::File),
    Route::new("", "/portal", Target::Page(home::answer)),
    Route::new("/find", "/portal/find", Target::Form(find::answer)),
    Route::new("/completion", "/portal/completion", Target::Page(completion::answer)),
    Route::new("/completion/{kind}", "/portal/completion/{kind}", Target::Named(completion::of_kind)),
    Route::new("/search", "/portal/search", Target::Page(search::answer)),
    Route::new("/architectures", "/portal/architectures", Target::Page(architectures::answer)),
    Route::new("/similar", "/portal/similar", Target::Similar),
    Route::new("/similar/{id}", "/portal/similar/{id}", Target::Similar),
    Route::new("/proteins/{accession}", "/portal/proteins/{accession}", Target::Named(protein::answer)),
    Route::new("/biomes", "/portal/biomes", Target::Page(biome::tree)),
    Route::new("/biomes/{lineage}", "/portal/biomes/{lineage}", Target::Named(biome::answer)),
    Route::new("/families", "/portal/families", Target::Page(family::list)),
    Route::new("/families/{family}", "/portal/families/{family}", Target::Named(family::answer)),
    Route::new("/clans/{clan}", "/portal/clans/{clan}", Target::Named(clan::answer)),
    Route::new("/compare", "/portal/compare", Target::Form(compare::answer)),
    Route::new("/contrast", "/portal/contrast", Target::Page(contrast::answer)),
    Route::new("/profile", "/portal/profile", Target::Page(profile::own)),
    Route::new("/domains/{domain}", "/portal/domains/{domain}", Target::Named(profile::of_domain)),
    Route::new("/status", "/portal/status", Target::Live(status::answer)),
    Route::new("/glossary", "/portal/glossary", Target::Page(glossary::answer)),
    // The places of samples, for the map.
    Route::new("/places", "/portal/places", Target::Page(places::answer)),
    Route::new("/{collection}", "/portal/{collection}", Target::Named(list)),
    Route::new("/{collection}/{id}", "/portal/{collection}/{id}", Target::Resource),
    Route::new("/{collection}/{id}/downloads.txt", "/portal/{collection}/{id}/downloads.txt", Target::Urls),
    Route::new(
        "/{collection}/{id}/{relation}/downloads.txt",
        "/portal/{collection}/{id}/{relation}/downloads.txt",
        Target::Urls,
    ),
    Route::new("/{collection}/{id}/{*relation}", "/portal/{collection}/{id}/{relation}", Target::Related),
];

fn list(context: &PageContext, collection: &str) -> Result<Response, PortalProblem> {
    resources::answer(context, collection, None)
}

/// A route with the decoded segments of its path.
#[derive(Debug)]
pub struct PortalRoute {
    route: &'static Route<Target>,
    segments: Vec<String>,
}

impl PortalRoute {
    pub(crate) fn entry() -> Self {
        Self { route: &ENTRY, segments: Vec::new() }
    }

    /// Finds the route of a path below the prefix. A slash at its end is ignored.
    pub(crate) fn find(path: &str) -> Self {
        let path = path.strip_suffix('/').unwrap_or(path);
        if path == paths::ICON {
            return Self { route: &ROUTES[0], segments: vec!["favicon.ico".to_owned()] };
        }
        let decode = |segment| percent_decode_str(segment).decode_utf8().ok().map(String::from);
        let segments: Option<Vec<String>> = path.split('/').skip(1).map(decode).collect();
        let segments = segments.unwrap_or_else(|| vec![String::new()]);
        Self { route: routes::find(&ROUTES, &segments).unwrap_or(&UNKNOWN), segments }
    }

    /// Returns the label of the route in metrics.
    pub(crate) fn label(&self) -> &'static str {
        self.route.label
    }

    /// Returns whether the page stays the same as long as the generations do.
    pub(crate) fn may_be_cached(&self) -> bool {
        !matches!(self.route.target, Target::Live(_) | Target::Unknown)
    }

    /// Returns the methods of the page.
    pub(crate) fn methods(&self) -> Methods {
        if matches!(self.route.target, Target::Similar | Target::Form(_)) { METHODS_OF_FORMS } else { METHODS }
    }

    pub(crate) fn is_similar(&self) -> bool {
        matches!(self.route.target, Target::Similar)
    }

    /// Returns the second segment, if there is one.
    pub(crate) fn id(&self) -> Option<&str> {
        self.segments.get(1).map(String::as_str)
    }

    pub(crate) fn segments(&self) -> &[String] {
        &self.segments
    }

    /// Returns the name of the requested file, unless it is a page.
    pub(crate) fn file(&self) -> Option<&str> {
        matches!(self.route.target, Target::File).then(|| self.last())
    }

    pub(crate) fn answer(&self, context: &PageContext) -> Result<Response, PortalProblem> {
        match (self.route.target, &*self.segments) {
            (Target::Page(answer) | Target::Form(answer) | Target::Live(answer), _) => answer(context),
            (Target::Named(answer), _) => answer(context, self.last()),
            (Target::Resource, [collection, id]) => resource::answer(context, collection, id),
            (Target::Related, [collection, id, relation @ ..]) => {
                resources::answer(context, collection, Some((id, &relation.join("/"))))
            }
            (Target::Urls, [collection, id, relation @ .., _]) => {
                v2_details::urls(context, collection, id, &relation.join("/"))
            }
            (Target::Entry, _) => Ok(redirect(&format!("{}{}/", context.root(), paths::PORTAL))),
            _ => Err(PortalProblem::no_page()),
        }
    }

    fn last(&self) -> &str {
        self.segments.last().map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_routes() {
        for (path, expected) in [
            ("", "/portal"),
            ("/", "/portal"),
            ("/search", "/portal/search"),
            ("/search/", "/portal/search"),
            ("/similar", "/portal/similar"),
            ("/similar/1", "/portal/similar/{id}"),
            ("/proteins/MGYP1", "/portal/proteins/{accession}"),
            ("/biomes/root:A%20(%3E9)", "/portal/biomes/{lineage}"),
            ("/samples", "/portal/{collection}"),
            ("/samples/a%2Fb", "/portal/{collection}/{id}"),
            ("/studies/MGYS1/samples", "/portal/{collection}/{id}/{relation}"),
            ("/analyses/MGYA1/taxonomy/ssu", "/portal/{collection}/{id}/{relation}"),
            ("/studies/MGYS1/downloads.txt", "/portal/{collection}/{id}/downloads.txt"),
            ("/studies/MGYS1/analyses/downloads.txt", "/portal/{collection}/{id}/{relation}/downloads.txt"),
            ("/assets/1234/portal.css", "/portal/assets"),
            ("/favicon.ico", "/portal/assets"),
        ] {
            assert_eq!(PortalRoute::find(path).label(), expected, "{path}");
        }
        assert_eq!(PortalRoute::find("/biomes/root:A%20(%3E9)").last(), "root:A (>9)");
        assert_eq!(PortalRoute::find("/assets/1234/portal.css").file(), Some("portal.css"));
    }
}
