//! The `Host` header, and its replacements: the header of a proxy, or the target of the request.

use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Version, header};

use super::error::Problem;

/// The header in which a proxy sends the host of the original request.
pub(crate) const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Refuses a request that does not have exactly one `Host` header; HTTP/1.0 may omit it (RFC 9112,
/// section 3.2). Links and commands to copy begin with the host, so it may only have characters
/// without a special meaning.
pub fn check(parts: &Parts, trust_proxy: bool) -> Result<(), Problem> {
    let hosts = || parts.headers.get_all(header::HOST).iter();
    let forwarded = parts.headers.get_all(FORWARDED_HOST).iter().filter(|_| trust_proxy);
    let num_hosts = hosts().count();
    let is_sound = (num_hosts == 1 || num_hosts == 0 && parts.version < Version::HTTP_11)
        && hosts().map(HeaderValue::as_bytes).all(is_host)
        && parts.uri.authority().is_none_or(|target| is_host(target.as_str().as_bytes()))
        && forwarded.flat_map(|hosts| hosts.as_bytes().split(|byte| *byte == b',')).all(is_host);
    is_sound.then_some(()).ok_or(Problem::BadHost)
}

/// Replaces the header by the host of the target if that is a whole URL (RFC 9112, section 3.2.2).
pub fn use_target_host(parts: &mut Parts) {
    let target = parts.uri.authority().map(|target| HeaderValue::from_str(target.as_str()));
    if let Some(Ok(host)) = target {
        parts.headers.insert(header::HOST, host);
    }
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
    fn hosts_have_only_harmless_characters() {
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

    #[test]
    fn the_host_of_a_whole_url_replaces_the_header() {
        for (target, expected) in
            [("/p", Some("a.org")), ("http://b.org:81/p", Some("b.org:81")), ("http://u@b.org/", None)]
        {
            let request = Request::builder().uri(target).header(header::HOST, "a.org").body(()).expect("a request");
            let mut parts = request.into_parts().0;
            assert_eq!(check(&parts, false).is_ok(), expected.is_some(), "{target}");
            use_target_host(&mut parts);
            assert!(expected.is_none_or(|host| parts.headers[header::HOST] == host), "{target}");
        }
    }
}
