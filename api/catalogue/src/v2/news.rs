//! The studies that were updated last, as RSS 2.0.

use api_http::json::json_answer;
use api_http::paths;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde_json::Value;
use store_catalogue::Order;
use store_catalogue::model::STUDIES;

use super::refusal::Refusal;
use super::{Context, documents};

const NUM_STUDIES: usize = 20;

const RSS: HeaderValue = HeaderValue::from_static("application/rss+xml; charset=utf-8");

/// The library that formats times uses the same names of days and months as RSS.
const TIME: &[time::format_description::BorrowedFormatItem<'_>] = time::macros::format_description!(
    "[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] +0000"
);

pub(super) fn answer(context: &Context) -> Result<Response, Refusal> {
    let newest = Order { field: "@updated_at".to_owned(), is_descending: true };
    let listing = context.snapshot.select(STUDIES, Vec::new(), vec![newest])?;
    let mut items = Vec::new();
    for body in context.snapshot.resources(&listing.ordinals(0..NUM_STUDIES))? {
        let study: Value = serde_json::from_slice(documents::document(&body)?.json())?;
        let text = |name: &str| escaped(study[name].as_str().unwrap_or_default());
        let (accession, title) = (text("accession"), text("title"));
        let link = format!("{}{}/studies/{accession}", context.base_url, paths::CATALOGUE_V2);
        let description = escaped(study["metadata"]["study_description"].as_str().unwrap_or_default());
        let date = study["updated_at"].as_str().and_then(rss_time);
        let date = date.map(|date| format!("<pubDate>{date}</pubDate>")).unwrap_or_default();
        items.push(format!(
            "<item><title>{accession}: {title}</title><link>{link}</link><description>{description}</description>{date}\
             <guid isPermaLink=\"true\">{link}</guid></item>"
        ));
    }
    let (items, link) = (items.concat(), format!("{}{}/studies/", context.base_url, paths::CATALOGUE_V2));
    let feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\"><channel><title>Recently updated studies</title>\
         <link>{link}</link><description>The {NUM_STUDIES} most recently updated studies.</description>{items}</channel></rss>\n"
    );
    let mut response = json_answer(feed.into_bytes());
    response.headers_mut().insert(header::CONTENT_TYPE, RSS);
    Ok(response)
}

/// Returns a time in the format of RSS: `Thu, 03 Oct 2019 09:03:04 +0000` for
/// `2019-10-03T09:03:04.832Z`.
fn rss_time(time: &str) -> Option<String> {
    let time = time::PrimitiveDateTime::parse(
        time.get(..19)?,
        time::macros::format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]"),
    );
    time.ok()?.format(TIME).ok()
}

/// Returns a text in XML. Characters that XML does not allow are left out.
fn escaped(text: &str) -> String {
    let is_allowed = |c: &char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    html_escape::encode_double_quoted_attribute(&text.chars().filter(is_allowed).collect::<String>()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_format_of_mail() {
        for (time, expected) in [
            ("2019-10-03T09:03:04.832Z", Some("Thu, 03 Oct 2019 09:03:04 +0000")),
            ("2020-02-29T00:00:00Z", Some("Sat, 29 Feb 2020 00:00:00 +0000")),
            ("2020-02-30T00:00:00Z", None),
            ("", None),
        ] {
            assert_eq!(rss_time(time).as_deref(), expected);
        }
    }

    #[test]
    fn texts_are_escaped_for_xml() {
        assert_eq!(escaped("a <b> & \"c\"\u{2}\n"), "a &lt;b&gt; &amp; &quot;c&quot;\n");
        assert_eq!(escaped("ä"), "ä");
    }
}
