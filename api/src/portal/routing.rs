//! Which page a path leads to.

use axum::response::Response;
use percent_encoding::percent_decode_str;

use super::problem::PortalProblem;
use super::visit::Visit;
use super::{
    biome, clan, compare, completion, family, find, home, lead_to, places, profile, protein, resource, resources,
    search, status,
};

/// What is asked for below the prefix of the portal. Texts are decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// Leads from outside the prefix to the first page.
    Entry,
    Home,
    /// Leads to the page of what was typed.
    Find,
    /// Suggestions for what is being typed.
    Completion,
    Search,
    Protein(String),
    Biomes,
    Biome(String),
    Families,
    Family(String),
    Clan(String),
    Compare,
    Profile,
    Domain(String),
    Status,
    /// Where samples were taken, for the map.
    Places,
    /// A collection of the catalogue.
    List(String),
    /// A resource of a collection, by its identifier.
    Resource(String, String),
    /// What hangs on a resource.
    Related(String, String, String),
    /// A file that pages need.
    Asset(String),
}

impl Route {
    /// Reads a path below the prefix. A slash at its end is as if it were not there.
    pub(super) fn at(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        if path == crate::paths::ICON {
            return Some(Self::Asset("favicon.ico".to_owned()));
        }
        let decode = |segment| percent_decode_str(segment).decode_utf8().ok().map(String::from);
        let segments: Vec<String> = path.split('/').skip(1).map(decode).collect::<Option<_>>()?;
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        if segments.iter().any(|segment| segment.is_empty()) {
            return None;
        }
        let owned = |text: &&str| (*text).to_owned();
        Some(match segments.as_slice() {
            [] => Self::Home,
            ["find"] => Self::Find,
            ["completion"] => Self::Completion,
            ["search"] => Self::Search,
            ["proteins", accession] => Self::Protein(owned(accession)),
            ["biomes"] => Self::Biomes,
            ["biomes", lineage] => Self::Biome(owned(lineage)),
            ["families"] => Self::Families,
            ["families", family] => Self::Family(owned(family)),
            ["clans", clan] => Self::Clan(owned(clan)),
            ["compare"] => Self::Compare,
            ["profile"] => Self::Profile,
            ["domains", domain] => Self::Domain(owned(domain)),
            ["status"] => Self::Status,
            ["places"] => Self::Places,
            // The second part changes with the files, so that browsers may keep them for ever.
            ["assets", _, name] => Self::Asset(owned(name)),
            [collection] => Self::List(owned(collection)),
            [collection, id] => Self::Resource(owned(collection), owned(id)),
            [collection, id, relation @ ..] => Self::Related(owned(collection), owned(id), relation.join("/")),
        })
    }

    /// Returns the route for measurements.
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::Entry => "/",
            Self::Home => "/portal",
            Self::Find => "/portal/find",
            Self::Completion => "/portal/completion",
            Self::Search => "/portal/search",
            Self::Protein(_) => "/portal/proteins/{accession}",
            Self::Biomes => "/portal/biomes",
            Self::Biome(_) => "/portal/biomes/{lineage}",
            Self::Families => "/portal/families",
            Self::Family(_) => "/portal/families/{family}",
            Self::Clan(_) => "/portal/clans/{clan}",
            Self::Compare => "/portal/compare",
            Self::Profile => "/portal/profile",
            Self::Domain(_) => "/portal/domains/{domain}",
            Self::Status => "/portal/status",
            Self::Places => "/portal/places",
            Self::List(_) => "/portal/{collection}",
            Self::Resource(..) => "/portal/{collection}/{id}",
            Self::Related(..) => "/portal/{collection}/{id}/{relation}",
            Self::Asset(_) => "/portal/assets",
        }
    }

    /// Tells whether the page is the same as long as the generations are.
    pub(super) fn may_be_kept(&self) -> bool {
        *self != Self::Status
    }

    pub(super) fn answer(&self, visit: &Visit) -> Result<Response, PortalProblem> {
        match self {
            Self::Entry => Ok(lead_to(&format!("{}{}/", visit.root(), crate::paths::PORTAL))),
            Self::Home => home::answer(visit),
            Self::Find => find::answer(visit),
            Self::Completion => completion::answer(visit),
            Self::Search => search::answer(visit),
            Self::Protein(accession) => protein::answer(visit, accession),
            Self::Biomes => biome::tree(visit),
            Self::Biome(lineage) => biome::answer(visit, lineage),
            Self::Families => family::list(visit),
            Self::Family(family) => family::answer(visit, family),
            Self::Clan(clan) => clan::answer(visit, clan),
            Self::Compare => compare::answer(visit),
            Self::Profile => profile::own(visit),
            Self::Domain(domain) => profile::of_domain(visit, domain),
            Self::Status => status::answer(visit),
            Self::Places => places::answer(visit),
            Self::List(collection) => resources::answer(visit, collection, None),
            Self::Resource(collection, id) => resource::answer(visit, collection, id),
            Self::Related(collection, id, relation) => {
                resources::answer(visit, collection, Some((id.as_str(), relation.as_str())))
            }
            Self::Asset(_) => Err(PortalProblem::no_page()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_pages() {
        for (path, expected) in [
            ("", Some(Route::Home)),
            ("/", Some(Route::Home)),
            ("/search", Some(Route::Search)),
            ("/search/", Some(Route::Search)),
            ("/proteins/MGYP1", Some(Route::Protein("MGYP1".into()))),
            ("/biomes/root:A%20(%3E9)", Some(Route::Biome("root:A (>9)".into()))),
            ("/samples", Some(Route::List("samples".into()))),
            ("/studies/MGYS1/samples", Some(Route::Related("studies".into(), "MGYS1".into(), "samples".into()))),
            (
                "/analyses/MGYA1/taxonomy/ssu",
                Some(Route::Related("analyses".into(), "MGYA1".into(), "taxonomy/ssu".into())),
            ),
            ("/assets/1234/portal.css", Some(Route::Asset("portal.css".into()))),
            ("/favicon.ico", Some(Route::Asset("favicon.ico".into()))),
            ("//", None),
            ("/proteins//x", None),
            ("/%FF", None),
        ] {
            assert_eq!(Route::at(path), expected, "{path}");
        }
    }
}
