//! The `Authorization` header.

use axum::http::{HeaderMap, header};

/// Compared regardless of case.
const SCHEME: &[u8] = b"bearer";

/// The token of a request, according to its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bearer<'a> {
    /// A token, valid or not.
    Token(&'a str),
    /// No token: no header, another scheme, or the scheme alone.
    Missing,
    /// Ambiguous or unreadable.
    Malformed,
}

impl<'a> Bearer<'a> {
    /// Reads the headers. Tokens anywhere else are ignored: they end up in logs.
    pub(super) fn of(headers: &'a HeaderMap) -> Self {
        let mut values = headers.get_all(header::AUTHORIZATION).iter();
        let Some(value) = values.next() else { return Self::Missing };
        if values.next().is_some() {
            return Self::Malformed;
        }
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
        let mut parts = value.as_bytes().split(is_space).filter(|part| !part.is_empty());
        if !parts.next().is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME)) {
            return Self::Missing;
        }
        match (parts.next(), parts.next()) {
            (None, _) => Self::Missing,
            (Some(token), None) => std::str::from_utf8(token).map_or(Self::Malformed, Self::Token),
            (Some(_), Some(_)) => Self::Malformed,
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn one_header_with_one_token_is_taken() {
        for (value, expected) in [
            (&b"Bearer abc.def-_~+/="[..], Bearer::Token("abc.def-_~+/=")),
            (b"bEARER   abc ", Bearer::Token("abc")),
            (b"Bearer", Bearer::Missing),
            (b"Bearer  ", Bearer::Missing),
            (b"", Bearer::Missing),
            (b"Basic dXNlcjpwYXNz", Bearer::Missing),
            (b"Digest a=b, c=d", Bearer::Missing),
            (b"Bearerabc", Bearer::Missing),
            (b"Bearer a b", Bearer::Malformed),
            (b"Bearer a, Bearer b", Bearer::Malformed),
            (b"Bearer \xff", Bearer::Malformed),
        ] {
            let value = HeaderValue::from_bytes(value).expect("a value");
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value.clone())]);
            assert_eq!(Bearer::of(&headers), expected, "{value:?}");
        }
        assert_eq!(Bearer::of(&HeaderMap::new()), Bearer::Missing);
    }

    #[test]
    fn two_headers_are_not_taken() {
        let mut headers = HeaderMap::new();
        headers.append(header::AUTHORIZATION, HeaderValue::from_static("Bearer a"));
        headers.append(header::AUTHORIZATION, HeaderValue::from_static("Bearer a"));
        assert_eq!(Bearer::of(&headers), Bearer::Malformed);
    }
}
