//! Cleaning texts of other machines, and URLs, for the log.

/// Returns a text for the log: one line of at most 4 KiB, in which URLs have no user, password or
/// query.
pub(crate) fn cleaned(text: &str) -> String {
    let (mut cleaned, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + "://".len());
        let is_end = |char: char| char.is_whitespace() || matches!(char, '"' | '<' | '>' | '`');
        let (url, later) = after.split_at(after.find(is_end).unwrap_or(after.len()));
        // A password may have any other character, if the URL was never parsed.
        let from_host = url.rsplit('@').next().unwrap_or_default();
        cleaned.push_str(before);
        cleaned.push_str(from_host.split(['?', '#']).next().unwrap_or_default());
        rest = later;
    }
    store::shortened(&(cleaned + rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_lose_their_secrets() {
        for (text, expected) in [
            ("nothing", "nothing"),
            ("GET http://user:hunter2@host:80/CURRENT-x in 3 s", "GET http://host:80/CURRENT-x in 3 s"),
            ("https://user@host/x?sig=secret#y, then", "https://host/x then"),
            ("http://u:p?a/s@s@host \"s3://a:b@bucket/x\"", "http://host \"s3://bucket/x\""),
            ("://@", "://"),
        ] {
            assert_eq!(cleaned(text), expected);
        }
        let long = cleaned(&format!("{}http://user:hunter2@host/", " ".repeat(4050)));
        assert!(long.len() <= 4096 && !long.contains("hunter2") && !long.contains("user"), "{long}");
    }
}
