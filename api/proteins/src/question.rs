//! A request to an operation, and what answering it may cost.

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

/// An answer, or the problem in its way.
pub(crate) type Answer = Result<Response, ProteinProblem>;

/// An answer within a budget of work: `None` if a larger one would find more.
pub(crate) type Tried = Result<Option<Response>, ProteinProblem>;

/// A request to an operation, with the generations that it is answered from. What is answered in place borrows the request.
pub(crate) struct Question<'a> {
    pub(crate) release: Release,
    pub(crate) parts: Held<'a>,
    /// The second segment of the path, or the only one.
    pub(crate) segment: Cow<'a, str>,
    /// The base URL of links.
    pub(crate) base: String,
    pub(crate) access: Access,
}

/// A question that may outlive its request.
pub(crate) type OwnedQuestion = Question<'static>;

/// The head of a request.
pub(crate) enum Held<'a> {
    Borrowed(&'a Parts),
    Owned(Box<Parts>),
}

impl Deref for Held<'_> {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        match self {
            Self::Borrowed(parts) => parts,
            Self::Owned(parts) => parts,
        }
    }
}

impl Question<'_> {
    /// Returns the same for another thread. It does not hold the connection, which may have another request before that thread is done.
    pub(crate) fn into_owned(self) -> OwnedQuestion {
        let Self { release, parts, segment, base, access } = self;
        let segment = Cow::Owned(segment.into_owned());
        Question { release, parts: Held::Owned(Box::new(without_extensions(&parts))), segment, base, access }
    }

    pub(crate) fn query(&self) -> &str {
        self.parts.uri.query().unwrap_or_default()
    }

    /// Returns the address without its query part.
    pub(crate) fn url(&self) -> String {
        [&self.base, self.parts.uri.path()].concat()
    }
}

/// An operation: who may ask for it and how, and the function that answers.
pub(crate) struct Operation {
    pub(crate) methods: Methods,
    pub(crate) cross_origin: CrossOrigin,
    pub(crate) tagged: Tagged,
    pub(crate) work: Work,
}

/// The data that an answer depends on, beside the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tagged {
    /// The proteins alone.
    Proteins,
    /// Also the catalogue.
    Release,
    /// It has no tag, or gives itself one.
    No,
}

/// The cost of an answer, and the function that makes it.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// Some tens of microseconds, unless it waits for a disk.
    Short(fn(&Question) -> Answer),
    /// The same where that is enough; else as [`Work::Turns`].
    Page(fn(&Question, u64) -> Tried),
    /// Some milliseconds: it takes a turn.
    Turn(fn(&Question) -> Answer),
    /// As much as the budget of a turn and, where that is not enough, of a long one.
    Turns(fn(&Question, u64) -> Tried),
    /// It may wait, for a body or the end of a search, and says itself which work takes a turn.
    Waits(for<'a> fn(&'a ProteinService, Question<'a>, Body) -> BoxFuture<'a, Answer>),
}

/// Returns the head of a request without what holds its connection.
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
    fn what_goes_on_after_the_answer_does_not_hold_the_connection() {
        let connection = Arc::new(());
        let request = Request::delete("/searches/1?a=b").header("x", "y").extension(Arc::clone(&connection));
        let (parts, ()) = request.body(()).expect("a request").into_parts();
        let head = without_extensions(&parts);
        assert_eq!((&head.method, &head.uri, &head.headers), (&parts.method, &parts.uri, &parts.headers));
        drop(parts);
        assert_eq!(Arc::strong_count(&connection), 1);
    }
}
