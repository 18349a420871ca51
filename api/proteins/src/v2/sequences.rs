//! Exact look-ups of the proteins with the sequences of a FASTA file.

use api_http::posted::{BodyKind, Posted};
use api_http::streaming;
use axum::body::Body;
use futures_util::future::BoxFuture;

use super::given::Given;
use crate::ProteinService;
use crate::problem::ProteinProblem;
use crate::question::{Answer, Question};
use crate::shared::lookup::SequenceLookup;

/// The most sequences of a request.
pub(super) const SEQUENCES_MAX: usize = 10_000;

/// The most bytes of a request: 800 for each sequence.
pub(super) const SEQUENCES_BYTES_MAX: usize = 8 << 20;

/// The limits of a body. FASTA is also accepted without a content type.
const BODY: BodyKind = BodyKind {
    content_types: &["text/plain", "text/x-fasta", ""],
    bytes_max: SEQUENCES_BYTES_MAX,
    values_max: (SEQUENCES_MAX, "sequences"),
    copies: 4,
};

/// Answers with a line for each sequence, in their order.
pub(crate) fn lookup<'a>(service: &'a ProteinService, question: Question<'a>, body: Body) -> BoxFuture<'a, Answer> {
    Box::pin(async move {
        let wants_all = wants_all(question.query())?;
        let data = question.release.data;
        data.checksums().ok_or(ProteinProblem::NoChecksums)?;
        let posted = Posted::arrive(&service.front.limits, &question.parts.headers, body, BODY)
            .await
            .map_err(ProteinProblem::of_body)?;
        posted
            .in_turn(move |contents| {
                let mut lookup =
                    SequenceLookup::new(data, contents.sequences().map_err(ProteinProblem::of_body)?, wants_all);
                Ok(streaming::attachment("application/x-ndjson", "sequences.ndjson", move || lookup.next_part()))
            })
            .await?
    })
}

fn wants_all(text: &str) -> Result<bool, ProteinProblem> {
    let mut given = Given::new(text, &["all"])?;
    let read = |text: &str| match text {
        "0" | "1" => Ok(text == "1"),
        _ => Err("The value must be 0 or 1.".to_owned()),
    };
    let wants_all = given.value("all", read).unwrap_or_default();
    given.check().map(|()| wants_all)
}
