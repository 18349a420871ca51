//! The citation of a release, and of mgdex.

use std::fmt;

use api_http::readiness::time_at;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use store::GenerationName;
use store_proteins::{CitedRelease, ProteinGeneration, ReleaseContent};

/// The header with the names of the release and of the generation.
const RELEASE: HeaderName = HeaderName::from_static("x-release");

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The article about MGnify.
const ARTICLE: [(&str, &str); 8] = [
    ("author", "Richardson, Lorna and others"),
    ("title", "{MGnify}: the microbiome sequence data analysis resource in 2023"),
    ("journal", "Nucleic Acids Research"),
    ("year", "2023"),
    ("volume", "51"),
    ("number", "D1"),
    ("pages", "D753--D759"),
    ("doi", "10.1093/nar/gkac1080"),
];

/// The citation of the release in a generation. Own data beside the release are not part of it.
///
/// As a text, it is a line such as `MGnify 2026_07, 58,441 cluster representatives, Pfam 37.0,
/// loaded 27 Nov 2026`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The name of the release in a sentence, such as `MGnify 2026_07`.
    title: String,
    /// The number of proteins and the version of Pfam.
    contents: String,
    year: String,
    loaded: String,
    generation: GenerationName,
}

impl Citation {
    /// Returns the citation of a release, or `None` if the generation has only own data.
    pub fn of(generation: &ProteinGeneration) -> Option<Self> {
        let manifest = generation.manifest();
        let (cited, number) = (manifest.contents.cited.as_ref(), manifest.contents.release().num_proteins());
        if number == 0 {
            return None;
        }
        let loaded = time_at(manifest.origin.finished_unix_s)?;
        let month = cited.map(|cited| &*cited.name).filter(|name| CitedRelease::is_month(name));
        let noun = match cited.map(|cited| cited.content) {
            Some(ReleaseContent::Representatives) => "cluster representative",
            _ => "protein",
        };
        let ending = if number == 1 { "" } else { "s" };
        let pfam = cited.and_then(|cited| cited.pfam_version.as_deref()).unwrap_or("version not given");
        Some(Self {
            title: cited.map_or_else(|| "a release whose name was not recorded".to_owned(), title),
            contents: format!("{} {noun}{ending}, Pfam {pfam}", grouped(number)),
            year: month.map_or_else(|| loaded.year().to_string(), |month| month[..4].to_owned()),
            loaded: format!("{} {} {}", loaded.day(), &loaded.month().to_string()[..3], loaded.year()),
            generation: generation.name(),
        })
    }

    /// Returns a sentence for a text that uses the data.
    pub fn sentence(&self) -> String {
        let Self { title, contents, loaded, generation, .. } = self;
        format!(
            "We searched {title} ({contents}, loaded {loaded}; Richardson et al., 2023, doi:10.1093/nar/gkac1080) \
             with mgdex {VERSION} (generation {generation})."
        )
    }

    /// Returns the entries of a bibliography: the release, the article about MGnify, and mgdex.
    pub fn bibtex(&self) -> String {
        let Self { contents, year, loaded, generation, .. } = self;
        let (title, contents) = (escaped(&self.capitalized_title()), escaped(contents));
        let note = format!("{contents}, loaded {loaded} as {generation}");
        let url = "https://www.ebi.ac.uk/metagenomics";
        let data = [("author", "{MGnify}"), ("title", &title), ("year", year), ("url", url), ("note", &note)];
        let note = format!("Version {VERSION}");
        let program = [("author", "{The mgdex authors}"), ("title", "mgdex"), ("year", "2026"), ("note", &note)];
        [
            entry("misc", "mgnify-proteins", &data),
            entry("article", "mgnify-2023", &ARTICLE),
            entry("misc", "mgdex", &program),
        ]
        .join("\n")
    }

    fn capitalized_title(&self) -> String {
        let mut letters = self.title.chars();
        letters.next().into_iter().map(|first| first.to_ascii_uppercase()).chain(letters).collect()
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, loaded {}", self.capitalized_title(), self.contents, self.loaded)
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

/// Returns a number with a comma between each three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.char_indices() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn entry(kind: &str, key: &str, fields: &[(&str, &str)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("  {name} = {{{value}}}")).collect();
    format!("@{kind}{{{key},\n{}\n}}\n", fields.join(",\n"))
}

/// Escapes the characters with a meaning in LaTeX. Backslashes and braces are left out, since no
/// name needs them.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars().filter(|letter| !matches!(letter, '\\' | '{' | '}')) {
        safe.extend(matches!(letter, '_' | '%' | '&' | '#' | '$').then_some('\\'));
        safe.push(letter);
    }
    safe
}

/// Names the release and the generation in an answer, such as `2026_07; generation=gen-…`.
pub fn name_release(response: &mut Response, generation: &ProteinGeneration) {
    let cited = generation.manifest().contents.cited.as_ref();
    name_generation(response, cited.map(|cited| &*cited.name), generation.name());
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

/// Links a download of proteins to the page that says how to cite them. `base` makes the base URL
/// of links.
pub fn link_download(response: &mut Response, base: impl FnOnce() -> String) {
    let headers = response.headers();
    let is_json =
        headers.get(header::CONTENT_TYPE).is_none_or(|value| value.as_bytes().starts_with(b"application/json"));
    if response.status() == StatusCode::OK
        && headers.contains_key(RELEASE)
        && !is_json
        && let Ok(link) = HeaderValue::try_from(format!("<{}/portal/status#cite>; rel=\"cite-as\"", base()))
    {
        response.headers_mut().append(header::LINK, link);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn citation(name: &str, content: ReleaseContent) -> Citation {
        let cited = CitedRelease { name: name.to_owned(), content, pfam_version: None };
        Citation {
            title: title(&cited),
            contents: "1,234 proteins, Pfam 37.0".to_owned(),
            year: "2026".to_owned(),
            loaded: "27 Nov 2026".to_owned(),
            generation: "gen-00000000-0000-0000-0000-000000000001".parse().expect("a name"),
        }
    }

    #[test]
    fn lines_name_the_release_only_if_it_has_a_name_of_mgnify() {
        for (name, content, expected) in [
            ("2026_07", ReleaseContent::Representatives, "MGnify 2026_07"),
            ("synth", ReleaseContent::AllProteins, "The release in the folder synth"),
            ("rows.csv", ReleaseContent::PortalRows, "Rows of MGnify's protein portal from rows.csv"),
            ("x", ReleaseContent::BundledRows, "The sample of MGnify's proteins that mgdex contains"),
        ] {
            let line = citation(name, content).to_string();
            assert_eq!(line, format!("{expected}, 1,234 proteins, Pfam 37.0, loaded 27 Nov 2026"));
        }
    }

    #[test]
    fn bibliographies_escape_names() {
        let text = citation("2026_07", ReleaseContent::Representatives).bibtex();
        assert!(text.contains("  title = {MGnify 2026\\_07},\n"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with('@')).count(), 3);
        let odd = citation("50%_{\\input}#1", ReleaseContent::AllProteins).bibtex();
        assert!(odd.contains("{The release in the folder 50\\%\\_input\\#1}"), "{odd}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn numbers_are_grouped() {
        let numbers = [0, 999, 1_000, 58_441, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "58,441", "1,234,567"]);
    }

    #[test]
    fn headers_are_ascii() {
        let generation = "gen-00000000-0000-0000-0000-000000000001".parse().expect("a name");
        for (name, expected) in [(None, ""), (Some("2026_07"), "2026_07; "), (Some("Böden; 1"), "B_den__1; ")] {
            let mut response = Response::default();
            name_generation(&mut response, name, generation);
            let header = response.headers()[RELEASE].to_str().expect("ASCII").to_owned();
            assert_eq!(header, format!("{expected}generation={generation}"));
        }
    }
}
