//! The frame of all pages: title, navigation, calls of the interface, downloads.

use api_http::paths;

use crate::context::address::encoded;
use crate::context::assets;

/// The formats of downloads of proteins by their names, here and in the interface.
pub(crate) const PROTEIN_FORMATS: [(&str, &str); 3] = [("FASTA", "fasta"), ("TSV", "tsv"), ("NDJSON", "ndjson")];

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) title: String,
    /// The prefix of all paths of this server; mostly empty.
    pub(crate) root: String,
    /// The prefix of the addresses of files.
    pub(crate) assets: String,
    /// Whether there are proteins of own data, which have names.
    pub(crate) finds_names: bool,
    /// Whether proteins are found by their sequences.
    pub(crate) finds_sequences: bool,
    /// Set where profiles are served.
    pub(crate) has_profiles: bool,
    /// The part of the navigation that the page belongs to.
    pub(crate) section: &'static str,
    pub(crate) calls: Vec<ApiCall>,
    pub(crate) downloads: Vec<Download>,
    /// The scripts of the page, beside the one that all have.
    pub(crate) scripts: &'static [&'static str],
}

/// A request to the interface for the contents of a page.
#[derive(Clone, Debug)]
pub(crate) struct ApiCall {
    pub(crate) what: String,
    /// The path, with the query.
    pub(crate) path: String,
    /// The same as a line for a shell.
    pub(crate) curl: String,
}

/// The contents of a page as a file.
#[derive(Clone, Debug)]
pub(crate) struct Download {
    pub(crate) format: &'static str,
    pub(crate) path: String,
    /// Its size or number of records, if known.
    pub(crate) size: String,
}

impl Layout {
    pub(crate) fn new(title: String, root: &str) -> Self {
        Self {
            title,
            root: root.to_owned(),
            assets: assets::prefix(root),
            finds_names: false,
            finds_sequences: false,
            has_profiles: false,
            section: "",
            calls: Vec::new(),
            downloads: Vec::new(),
            scripts: &[],
        }
    }

    pub(crate) fn section(mut self, section: &'static str) -> Self {
        self.section = section;
        self
    }

    /// Adds scripts, by the names of their files without `.js`.
    pub(crate) fn scripts(mut self, scripts: &'static [&'static str]) -> Self {
        self.scripts = scripts;
        self
    }

    pub(crate) fn download(mut self, format: &'static str, path: &str, size: impl Into<String>) -> Self {
        self.downloads.push(Download { format, path: format!("{}{path}", self.root), size: size.into() });
        self
    }

    /// Adds the downloads of all proteins of a query in the interface.
    pub(crate) fn protein_downloads(self, query: &str, size: &str) -> Self {
        PROTEIN_FORMATS
            .into_iter()
            .fold(self, |layout, (format, name)| layout.download(format, &format!("{query}&format={name}"), size))
    }

    /// Adds the requests for the values of a query and for their comparison with those of other proteins.
    pub(crate) fn facet_calls(self, what: &str, base: &str, query: &str, by: &str) -> Self {
        let parameters = format!("?q={}&by={by}&top=1000", encoded(query));
        self.call(what, base, &format!("{}{parameters}", paths::FACETS_ROUTE)).call(
            format!("{what}, compared"),
            base,
            &format!("{}{parameters}", paths::ENRICHMENT_ROUTE),
        )
    }

    /// Adds a request to the interface; `base` is the prefix of all addresses of this server.
    pub(crate) fn call(self, what: impl Into<String>, base: &str, path: &str) -> Self {
        self.call_with("", what, base, path)
    }

    /// Adds a request that sends a form. Its link leads to the description.
    pub(crate) fn posted_call(mut self, what: &str, base: &str, path: &str, form: &str) -> Self {
        let curl = format!("curl {form} '{base}{path}'");
        let docs = format!("{}{}{}", self.root, paths::PROTEINS_V2, paths::DOCS);
        self.calls.push(ApiCall { what: what.to_owned(), path: docs, curl });
        self
    }

    pub(crate) fn call_with_token(self, what: impl Into<String>, base: &str, path: &str) -> Self {
        self.call_with("-H \"Authorization: Bearer $TOKEN\" ", what, base, path)
    }

    fn call_with(mut self, options: &str, what: impl Into<String>, base: &str, path: &str) -> Self {
        // A quote would end the argument of the shell.
        let path = path.replace('\'', "%27");
        let curl = format!("curl {options}'{base}{path}'");
        self.calls.push(ApiCall { what: what.into(), path: format!("{}{path}", self.root), curl });
        self
    }
}
