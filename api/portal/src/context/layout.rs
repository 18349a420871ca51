//! The frame of all pages: title, navigation, API calls and downloads.

use api_http::paths;
use api_proteins::ResultFormat;

use crate::context::address::{Pairs, encoded};

/// The parameter with the name of the file of a plot.
pub(crate) const PLOT: &str = "plot";

/// The formats of protein downloads, with their names in the API.
pub(crate) const PROTEIN_FORMATS: [(&str, &str, ResultFormat); 4] = [
    ("FASTA", "fasta", ResultFormat::Fasta),
    ("TSV", "tsv", ResultFormat::Tsv),
    ("NDJSON", "ndjson", ResultFormat::Ndjson),
    ("Parquet", "parquet", ResultFormat::Parquet),
];

#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) title: String,
    /// The prefix of all paths of this server, usually empty.
    pub(crate) root: String,
    /// The prefix of all addresses of this server.
    pub(crate) base: String,
    /// The prefix of the addresses of files.
    pub(crate) assets: String,
    /// `true` if own data are loaded, whose proteins have names.
    pub(crate) finds_names: bool,
    /// `true` if proteins can be found by sequence.
    pub(crate) finds_sequences: bool,
    /// A query with `near` that the demo answers; empty without contigs.
    pub(crate) near_example: &'static str,
    /// `true` if profiles are served.
    pub(crate) has_profiles: bool,
    /// The section of the navigation to which the page belongs.
    pub(crate) section: String,
    pub(crate) calls: Vec<ApiCall>,
    pub(crate) downloads: Vec<Download>,
    /// The scripts of the page, in addition to the script of all pages.
    pub(crate) scripts: &'static [&'static str],
    /// The query of the page; `None` if a form was posted.
    pub(crate) query: Option<String>,
}

/// The data that a plot shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Origin {
    #[default]
    Proteins,
    Catalogue,
}

/// An API call that returns the contents of a page.
#[derive(Clone, Debug)]
pub(crate) struct ApiCall {
    pub(crate) title: String,
    /// The path with the query.
    pub(crate) path: String,
    /// The call as a shell command.
    pub(crate) curl: String,
}

/// A download of the contents of a page.
#[derive(Clone, Debug)]
pub(crate) struct Download {
    pub(crate) format: &'static str,
    pub(crate) path: String,
    /// The size or number of records, if known.
    pub(crate) size: String,
}

impl Layout {
    pub(crate) fn section(mut self, section: &str) -> Self {
        section.clone_into(&mut self.section);
        self
    }

    /// Adds scripts by file name without `.js`.
    pub(crate) fn scripts(mut self, scripts: &'static [&'static str]) -> Self {
        self.scripts = scripts;
        self
    }

    pub(crate) fn download(mut self, format: &'static str, path: &str, size: impl Into<String>) -> Self {
        self.downloads.push(Download { format, path: format!("{}{path}", self.root), size: size.into() });
        self
    }

    /// Adds the downloads of all proteins that match a query of the API.
    pub(crate) fn protein_downloads(self, query: &str, size: &str) -> Self {
        PROTEIN_FORMATS
            .into_iter()
            .fold(self, |layout, (format, name, _)| layout.download(format, &format!("{query}&format={name}"), size))
    }

    /// Adds API calls for the facets of a query and for their enrichment.
    pub(crate) fn facet_calls(self, title: &str, query: &str, by: &str) -> Self {
        let parameters = format!("?q={}&by={by}&top=1000", encoded(query));
        self.call(title, &format!("{}{parameters}", paths::FACETS_ROUTE))
            .call(format!("{title}, compared"), &format!("{}{parameters}", paths::ENRICHMENT_ROUTE))
    }

    /// Adds an API call.
    pub(crate) fn call(self, title: impl Into<String>, path: &str) -> Self {
        self.call_with("", title, path)
    }

    /// Adds an API call that posts a form. Its link leads to the API documentation.
    pub(crate) fn posted_call(mut self, title: &str, path: &str, form: &str) -> Self {
        let curl = format!("curl {form} '{}{path}'", self.base);
        let docs = format!("{}{}{}", self.root, paths::PROTEINS_V2, paths::DOCS);
        self.calls.push(ApiCall { title: title.to_owned(), path: docs, curl });
        self
    }

    pub(crate) fn call_with_token(self, title: impl Into<String>, path: &str) -> Self {
        self.call_with("-H \"Authorization: Bearer $TOKEN\" ", title, path)
    }

    /// Returns the address of the file of a plot, unless the page has none.
    pub(crate) fn plot_file(&self, name: &str, format: &str) -> Option<String> {
        Some(Pairs::parse(self.query.as_ref()?).with(PLOT, &format!("{name}.{format}")).to_query())
    }

    fn call_with(mut self, options: &str, title: impl Into<String>, path: &str) -> Self {
        // A quote would end the shell argument.
        let path = path.replace('\'', "%27");
        let curl = format!("curl {options}'{}{path}'", self.base);
        self.calls.push(ApiCall { title: title.into(), path: format!("{}{path}", self.root), curl });
        self
    }
}
