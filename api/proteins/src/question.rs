//! A request to an operation, and the cost of its answer.

use std::borrow::Cow;
use std::ops::Deref;

use api_http::access::Access;
use api_http::front::{CrossOrigin, Methods};
use axum::body::Body;
use axum::http::Request;
use axum::http::request::Parts;
use axum::response::Response;
use futures_util::future::BoxFuture;

use crate::{ProteinProblem, ProteinService, Release};

/// An answer, or a problem.
pub(crate) type Answer = Result<Response, ProteinProblem>;

/// An answer within a budget of work, or `None` if a larger budget would find more.
pub(crate) type BudgetedAnswer = Result<Option<Response>, ProteinProblem>;

/// A request to an operation, with the generations that answer it. A question that is answered in
/// place borrows the request.
pub(crate) struct Question<'a> {
    pub(crate) release: Release,
    pub(crate) parts: RequestHead<'a>,
    /// The second segment of the path, or the first if it is the only one.
    pub(crate) segment: Cow<'a, str>,
    /// The base URL of links.
    pub(crate) base: String,
    pub(crate) access: Access,
}

/// A question that may outlive its request.
pub(crate) type OwnedQuestion = Question<'static>;

/// The head of a request.
pub(crate) enum RequestHead<'a> {
    Borrowed(&'a Parts),
    Owned(Box<Parts>),
}

impl Deref for RequestHead<'_> {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        match self {
            Self::Borrowed(parts) => parts,
            Self::Owned(parts) => parts,
        }
    }
}

impl Question<'_> {
    /// Returns the same question for another thread. It does not hold the connection, which may
    /// carry another request before that thread is done.
    pub(crate) fn into_owned(self) -> OwnedQuestion {
        let Self { release, parts, segment, base, access } = self;
        let segment = Cow::Owned(segment.into_owned());
        Question { release, parts: RequestHead::Owned(Box::new(without_extensions(&parts))), segment, base, access }
    }

    pub(crate) fn query(&self) -> &str {
        self.parts.uri.query().unwrap_or_default()
    }

    /// Returns the address without its query part.
    pub(crate) fn url(&self) -> String {
        [&self.base, self.parts.uri.path()].concat()
    }
}

/// An operation: its methods, its access from other sites, its tag, and the function that answers.
pub(crate) struct Operation {
    pub(crate) methods: Methods,
    pub(crate) cross_origin: CrossOrigin,
    pub(crate) tagged: Tagged,
    pub(crate) work: Work,
}

/// The data, apart from the request, that an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tagged {
    /// Only the proteins.
    Proteins,
    /// The proteins and the catalogue.
    Release,
    /// The answer has no tag, or sets its own tag.
    No,
}

/// The cost of an answer, and the function that makes it.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// Some tens of microseconds, unless it waits for a disk.
    Short(fn(&Question) -> Answer),
    /// Like [`Work::Short`] if that is enough, otherwise like [`Work::Turns`].
    Page(fn(&Question, u64) -> BudgetedAnswer),
    /// Some milliseconds: it takes a turn.
    Turn(fn(&Question) -> Answer),
    /// At most the budget of a turn or, if that is not enough, of a long turn.
    Turns(fn(&Question, u64) -> BudgetedAnswer),
    /// It may wait for a body or for the end of a search. It decides itself which work takes a
    /// turn.
    Waits(for<'a> fn(&'a ProteinService, Question<'a>, Body) -> BoxFuture<'a, Answer>),
}

/// Returns the head of a request without the extensions, which hold its connection.
fn without_extensions(parts: &Parts) -> Parts {
    let (mut head, ()) = Request::new(()).into_parts();
    (head.method, head.uri, head.headers) = (parts.method.clone(), parts.uri.clone(), parts.headers.clone());
    head
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn owned_heads_do_not_hold_the_connection() {
        let connection = Arc::new(());
        let request = Request::delete("/searches/1?a=b").header("x", "y").extension(Arc::clone(&connection));
        let (parts, ()) = request.body(()).expect("a request").into_parts();
        let head = without_extensions(&parts);
        assert_eq!((&head.method, &head.uri, &head.headers), (&parts.method, &parts.uri, &parts.headers));
        drop(parts);
        assert_eq!(Arc::strong_count(&connection), 1);
    }
}
