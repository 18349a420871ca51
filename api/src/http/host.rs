//! The `Host` header, and what a proxy says in its place.

use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Version, header};

use super::error::Problem;

/// The header in which a proxy names the host that it was asked for.
pub(crate) const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Refuses a request that does not have exactly one `Host` header; HTTP/1.0 may do without (RFC 9112, section 3.2). Links and commands to copy begin
/// with the host, so that it may only have characters that mean nothing to anyone else.
pub(crate) fn check(parts: &Parts, trust_proxy: bool) -> Result<(), Problem> {
    let hosts = || parts.headers.get_all(header::HOST).iter();
    let forwarded = parts.headers.get_all(FORWARDED_HOST).iter().filter(|_| trust_proxy);
    let num_hosts = hosts().count();
    let is_sound = (num_hosts == 1 || num_hosts == 0 && parts.version < Version::HTTP_11)
        && hosts().map(HeaderValue::as_bytes).all(is_host)
        && forwarded.flat_map(|hosts| hosts.as_bytes().split(|byte| *byte == b',')).all(is_host);
    is_sound.then_some(()).ok_or(Problem::BadHost)
}

/// Returns whether a text may be the name or address of a host, with or without a port.
fn is_host(text: &[u8]) -> bool {
    text.trim_ascii().iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-:[]".contains(byte))
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn is_accepted(host: &[u8], forwarded: &[u8], trust_proxy: bool) -> bool {
        let request = Request::builder().header(header::HOST, host).header(FORWARDED_HOST, forwarded).body(());
        check(&request.expect("a request").into_parts().0, trust_proxy).is_ok()
    }

    #[test]
    fn a_host_has_letters_digits_and_little_else() {
        for host in ["a-b.example.org", "my_service:8080", "127.0.0.1:80", "[2001:db8::1]:443", ""] {
            assert!(is_accepted(host.as_bytes(), b"", true), "{host}");
        }
        for host in [b"a';id;'b".as_slice(), b"x@evil.example", b"a/b", b"a b", b"<b>", b"a%41", b"\xff", b"a\"b"] {
            assert!(!is_accepted(host, b"", false), "{}", host.escape_ascii());
            assert!(!is_accepted(b"a.org", host, true), "{}", host.escape_ascii());
            assert!(is_accepted(b"a.org", host, false), "{}", host.escape_ascii());
        }
        assert!(is_accepted(b"inner", b"a.org, b.org:8080", true));
        assert!(!is_accepted(b"a.org, b.org", b"", true));
    }
}
