//! All pages that links point to.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use support::Answer;
use support::machine::rounds;

use super::{addresses, text, visit};

/// The maximum number of parameters that are distinguished. Pages with more are of one kind,
/// because filters can be combined freely.
const NAMES_MAX: usize = 2;

/// Returns the kind of a page: the first parts of the path, and the names of the parameters.
fn kind(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let parts: Vec<&str> = path.split('/').collect();
    let names: BTreeSet<&str> = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default()).collect();
    let names = if names.len() > NAMES_MAX { BTreeSet::from(["many"]) } else { names };
    format!("{} {} {names:?}", parts[..parts.len().min(4)].join("/"), parts.len())
}

/// Checks that a page has a title and one heading, loads only files of this server, and contains no
/// inline script or style.
fn check(path: &str, answer: &Answer) {
    let text = text(answer);
    assert_eq!(
        (answer.header("content-type"), text.matches("<h1>").count()),
        ("text/html; charset=utf-8", 1),
        "{path}"
    );
    assert!(text.contains(" · mgdex</title>") && text.ends_with("</html>"), "{path}");
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{path}: {policy}");
    assert_eq!((answer.header("x-frame-options"), answer.header("x-content-type-options")), ("DENY", "nosniff"));
    assert!(!text.contains(" style=") && !text.contains("<style") && !text.contains(" onclick"), "{path}");
    for loaded in text.split("src=\"").skip(1).chain(text.split("stylesheet\" href=\"").skip(1)) {
        assert!(loaded.starts_with("/portal/assets/"), "{path}: {}", &loaded[..80]);
    }
}

#[tokio::test]
async fn all_links_work() {
    let (mut waiting, mut seen, mut kinds) =
        (VecDeque::from(["/portal/".to_owned()]), BTreeSet::new(), BTreeMap::new());
    // The most pages of one kind that are visited.
    let of_a_kind = rounds(3, 6);
    let mut num_visited = 0;
    while let Some(address) = waiting.pop_front() {
        // The description of the API names them.
        let is_left_out = address.starts_with("/profiles");
        let num_of_kind: &mut usize = kinds.entry(kind(&address)).or_default();
        if is_left_out || !seen.insert(address.clone()) || *num_of_kind >= of_a_kind {
            continue;
        }
        *num_of_kind += 1;
        num_visited += 1;
        let answer = visit(&address).await;
        let is_good = answer.status.is_success() || answer.status.is_redirection();
        assert!(is_good, "{address}: {} {}", answer.status, String::from_utf8_lossy(&answer.body));
        if answer.header("content-type").starts_with("text/html") && address.starts_with("/portal") {
            check(&address, &answer);
            waiting.extend(addresses(&text(&answer)));
        }
        // The documentation links to an address relative to its own.
        if answer.status.is_redirection() && answer.header("location").starts_with('/') {
            waiting.push_back(answer.header("location").to_owned());
        }
    }
    assert!(num_visited > 50 * of_a_kind, "{num_visited}");
}
