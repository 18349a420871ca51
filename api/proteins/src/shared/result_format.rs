//! The formats of results, of hits, and of counted values.

use api_http::compression::PARQUET;
use api_http::{SourceError, streaming};
use api_tables::TableFormat;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ProteinProblem;

/// The form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFormat {
    /// A JSON array.
    Json,
    /// One JSON object per line.
    Ndjson,
    /// Columns separated by tabs, below a line with their names. Several values in a cell are
    /// separated by semicolons. Hits have the twelve columns of BLAST's tables before the fields of
    /// the record, and a row for each aligned part.
    Tsv,
    /// Sequences, with 60 residues a line.
    Fasta,
    /// Only of hits: the query, and below it the aligned parts of the proteins.
    A3m,
    /// Only of contigs: the genes.
    Gff3,
    /// A Parquet file, with the rows of [`ResultFormat::Tsv`].
    Parquet,
    /// A stream of Arrow record batches, with the rows of [`ResultFormat::Tsv`].
    Arrow,
}

impl ResultFormat {
    /// All formats with their names, media types, and the extensions of files.
    const TABLE: [(Self, &'static str, &'static str, &'static str); 8] = [
        (Self::Json, "json", "application/json", "json"),
        (Self::Ndjson, "ndjson", "application/x-ndjson", "ndjson"),
        (Self::Tsv, "tsv", "text/tab-separated-values; charset=utf-8", "tsv"),
        (Self::Fasta, "fasta", "text/x-fasta; charset=utf-8", "fasta"),
        (Self::A3m, "a3m", "text/x-a3m", "a3m"),
        (Self::Gff3, "gff3", "text/x-gff3; charset=utf-8", "gff3"),
        (Self::Parquet, "parquet", PARQUET, "parquet"),
        (Self::Arrow, "arrow", "application/vnd.apache.arrow.stream", "arrows"),
    ];

    /// Reads the name of an available format.
    pub(crate) fn parse(text: &str, is_available: impl Fn(Self) -> bool) -> Result<Self, String> {
        let named = Self::TABLE.into_iter().find(|(_, name, ..)| *name == text).map(|(format, ..)| format);
        named.filter(|format| is_available(*format)).ok_or_else(|| Self::list(is_available))
    }

    /// Returns the format that a client named, or otherwise the one that it accepts.
    ///
    /// # Errors
    ///
    /// * The client accepts no available format: 406.
    pub(crate) fn choose(
        named: Option<Self>,
        accepted: Option<Self>,
        is_available: impl Fn(Self) -> bool,
    ) -> Result<Self, ProteinProblem> {
        named.or(accepted.filter(|format| is_available(*format))).ok_or_else(|| ProteinProblem::Refused {
            status: StatusCode::NOT_ACCEPTABLE,
            detail: format!("{} Choose one by `Accept` or `format`.", Self::list(is_available)),
        })
    }

    /// Returns a sentence with the names of the available formats.
    fn list(is_available: impl Fn(Self) -> bool) -> String {
        let available = Self::TABLE.into_iter().filter(|(format, ..)| is_available(*format));
        let names = available.map(|(_, name, ..)| name).collect::<Vec<_>>().join(", ");
        let (names, last) = names.rsplit_once(", ").unwrap_or_default();
        format!("The formats are {names} and {last}.")
    }

    /// Returns the format of a table, or `None` if it is a text.
    pub(crate) fn table(self) -> Option<TableFormat> {
        match self {
            Self::Parquet => Some(TableFormat::Parquet),
            Self::Arrow => Some(TableFormat::Arrow),
            Self::Json | Self::Ndjson | Self::Tsv | Self::Fasta | Self::A3m | Self::Gff3 => None,
        }
    }

    /// Streams a file in this format; see [`streaming::attachment`]. The name has no extension.
    pub(crate) fn stream(
        self,
        name: &str,
        next: impl FnMut() -> Result<Option<Vec<u8>>, SourceError> + Send + 'static,
    ) -> Response {
        let (_, _, content_type, extension) = Self::TABLE[self as usize];
        streaming::attachment(content_type, &format!("{name}.{extension}"), next)
    }
}
