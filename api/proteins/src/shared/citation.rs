//! The citation of a release, and of mgdex.

use api_http::readiness::{time_at, written_date};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use store::{GenerationName, grouped};
use store_proteins::{CitedRelease, ProteinGeneration, ReleaseContent};
use time::OffsetDateTime;

/// The header with the names of the release and of the generation.
const RELEASE: HeaderName = HeaderName::from_static("x-release");

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The entries of a bibliography.
const BIBLIOGRAPHY: &str = include_str!("citation.bib");

/// The citation of the release in a generation. Own data beside the release are not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// A line such as `MGnify 2026_07, 58,441 cluster representatives, Pfam 37.0, loaded 27 Nov
    /// 2026`.
    pub line: String,
    /// A sentence for a text that uses the data.
    pub sentence: String,
    /// The entries of a bibliography: the release, the article about MGnify, and mgdex.
    pub bibtex: String,
}

impl Citation {
    /// Returns the citation of a release, or `None` if the generation has only own data.
    pub fn of(generation: &ProteinGeneration) -> Option<Self> {
        let manifest = generation.manifest();
        let num_proteins = manifest.contents.release().num_proteins();
        let loaded = time_at(manifest.origin.finished_unix_s).filter(|_| num_proteins > 0)?;
        Some(Self::new(manifest.contents.cited.as_ref(), num_proteins, loaded, generation.name()))
    }

    fn new(
        cited: Option<&CitedRelease>,
        num_proteins: u64,
        loaded: OffsetDateTime,
        generation: GenerationName,
    ) -> Self {
        let title = cited.map_or_else(|| "a release whose name was not recorded".to_owned(), title);
        let capitalized = [&title[..1].to_ascii_uppercase(), &title[1..]].concat();
        let noun = match cited.map(|cited| cited.content) {
            Some(ReleaseContent::Representatives) => "cluster representative",
            _ => "protein",
        };
        let ending = if num_proteins == 1 { "" } else { "s" };
        let pfam = cited.and_then(|cited| cited.pfam_version.as_deref()).unwrap_or("version not given");
        let contents = format!("{} {noun}{ending}, Pfam {pfam}", grouped(num_proteins));
        let month = cited.map(|cited| &*cited.name).filter(|name| CitedRelease::is_month(name));
        let year = month.map_or_else(|| loaded.year().to_string(), |month| month[..4].to_owned());
        let loaded = written_date(loaded);
        // The title comes last, since it may contain the name of a folder.
        let values = [
            ("<year>", &year),
            ("<contents>", &escaped(&contents)),
            ("<loaded>", &loaded),
            ("<generation>", &generation.to_string()),
            ("<version>", &VERSION.to_owned()),
            ("<title>", &escaped(&capitalized)),
        ];
        let bibtex = values.iter().fold(BIBLIOGRAPHY.to_owned(), |text, (name, value)| text.replace(name, value));
        Self {
            line: format!("{capitalized}, {contents}, loaded {loaded}"),
            sentence: format!(
                "We searched {title} ({contents}, loaded {loaded}; Richardson et al., 2023, \
                 doi:10.1093/nar/gkac1080) with mgdex {VERSION} (generation {generation})."
            ),
            bibtex,
        }
    }
}

fn title(CitedRelease { name, content, .. }: &CitedRelease) -> String {
    match content {
        ReleaseContent::BundledRows => "the sample of MGnify's proteins that mgdex contains".to_owned(),
        ReleaseContent::PortalRows => format!("rows of MGnify's protein portal from {name}"),
        _ if CitedRelease::is_month(name) => format!("MGnify {name}"),
        _ => format!("the release in the folder {name}"),
    }
}

/// Escapes the characters with a meaning in LaTeX. Backslashes and braces are left out, since no
/// name needs them.
fn escaped(text: &str) -> String {
    let text = text.replace(['\\', '{', '}'], "");
    ["_", "%", "&", "#", "$"].iter().fold(text, |text, letter| text.replace(letter, &format!("\\{letter}")))
}

/// Names the release and the generation in an answer, such as `2026_07; generation=gen-…`. With the
/// base URL of the portal, a download also links to the page that says how to cite it.
pub fn name_release(response: &mut Response, generation: &ProteinGeneration, portal: Option<&str>) {
    let cited = generation.manifest().contents.cited.as_ref();
    name_generation(response, cited.map(|cited| &*cited.name), generation.name());
    let content_type = response.headers().get(header::CONTENT_TYPE);
    let is_json = content_type.is_none_or(|value| value.as_bytes().starts_with(b"application/json"));
    if let Some(portal) = portal.filter(|_| response.status() == StatusCode::OK && !is_json)
        && let Ok(link) = HeaderValue::try_from(format!("<{portal}/portal/status#cite>; rel=\"cite-as\""))
    {
        response.headers_mut().append(header::LINK, link);
    }
}

/// Like [`name_release`], for a generation that may not exist any more. An answer that names its
/// generation already is unchanged.
pub(crate) fn name_generation(response: &mut Response, release: Option<&str>, generation: GenerationName) {
    let plain = |letter: char| if letter.is_ascii_graphic() && letter != ';' { letter } else { '_' };
    let release = release.map(|name| format!("{}; ", name.chars().map(plain).collect::<String>())).unwrap_or_default();
    if let Ok(names) = HeaderValue::try_from(format!("{release}generation={generation}")) {
        response.headers_mut().entry(RELEASE).or_insert(names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENERATION: &str = "gen-00000000-0000-0000-0000-000000000001";

    fn citation(name: &str, content: ReleaseContent) -> Citation {
        let cited = CitedRelease { name: name.to_owned(), content, pfam_version: Some("37.0".to_owned()) };
        let loaded = time_at(1_795_737_600).expect("a time");
        Citation::new(Some(&cited), 1234, loaded, GENERATION.parse().expect("a name"))
    }

    #[test]
    fn lines_name_the_release_only_if_it_has_a_name_of_mgnify() {
        for (name, content, expected) in [
            ("2026_07", ReleaseContent::Representatives, "MGnify 2026_07"),
            ("synth", ReleaseContent::AllProteins, "The release in the folder synth"),
            ("rows.csv", ReleaseContent::PortalRows, "Rows of MGnify's protein portal from rows.csv"),
            ("x", ReleaseContent::BundledRows, "The sample of MGnify's proteins that mgdex contains"),
        ] {
            let noun = if name == "2026_07" { "cluster representatives" } else { "proteins" };
            let line = format!("{expected}, 1,234 {noun}, Pfam 37.0, loaded 27 Nov 2026");
            assert_eq!(citation(name, content).line, line);
        }
    }

    #[test]
    fn bibliographies_escape_names() {
        let text = citation("2026_07", ReleaseContent::Representatives).bibtex;
        assert!(text.contains("  title = {MGnify 2026\\_07},\n"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with('@')).count(), 3);
        let odd = citation("50%_{\\input}#1", ReleaseContent::AllProteins).bibtex;
        assert!(odd.contains("{The release in the folder 50\\%\\_input\\#1}"), "{odd}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn headers_are_ascii() {
        let generation = GENERATION.parse().expect("a name");
        for (name, expected) in [(None, ""), (Some("2026_07"), "2026_07; "), (Some("Böden; 1"), "B_den__1; ")] {
            let mut response = Response::default();
            name_generation(&mut response, name, generation);
            let header = response.headers()[RELEASE].to_str().expect("ASCII").to_owned();
            assert_eq!(header, format!("{expected}generation={generation}"));
        }
    }
}
