//! The harvest in a folder of inputs.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;
use store_catalogue::Harvest;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The file with the report of the harvester.
const REPORT: &str = "harvest.json";

#[derive(Deserialize)]
struct Report {
    from: String,
    began: String,
    finished: String,
}

/// Returns the harvest in a folder, if its harvester wrote a report; or a sentence that says why
/// the report cannot be used.
pub(crate) fn harvest_of(folder: &Path) -> (Option<Harvest>, Option<String>) {
    let path = folder.join(REPORT);
    let parsed = match fs::read(&path) {
        Ok(json) => parse(&json),
        Err(error) if error.kind() == ErrorKind::NotFound => return (None, None),
        Err(error) => Err(error.to_string()),
    };
    let problem = |problem| format!("the time of the harvest is unknown: {}: {problem}", path.display());
    parsed.map_or_else(|error| (None, Some(problem(error))), |harvest| (Some(harvest), None))
}

fn parse(json: &[u8]) -> Result<Harvest, String> {
    let Report { from, began, finished } = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let seconds = |time: &str| {
        let parsed = OffsetDateTime::parse(time, &Rfc3339).ok();
        let seconds = parsed.and_then(|time| u64::try_from(time.unix_timestamp()).ok());
        seconds.ok_or_else(|| format!("{time:?} is not a time such as 2026-11-25T19:23:09Z"))
    };
    let (began_unix_s, finished_unix_s) = (seconds(&began)?, seconds(&finished)?);
    Ok(Harvest { from: without_user(&from), began_unix_s, finished_unix_s })
}

/// Returns a URL without user name and password: servers show the origin of their data to everyone.
fn without_user(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_or_rejected() {
        let report = |from: &str, began: &str, finished: &str| {
            let report = serde_json::json!({"from": from, "began": began, "finished": finished, "files": []});
            parse(report.to_string().as_bytes())
        };
        let (began, finished) = ("1970-01-02T00:00:00Z", "1970-01-02T02:00:01.5+02:00");
        for (from, expected) in [
            ("https://www.ebi.ac.uk/metagenomics/api/v2", "https://www.ebi.ac.uk/metagenomics/api/v2"),
            ("https://me:p@ss@[::1]:8080/a@b", "https://[::1]:8080/a@b"),
            ("http://me@localhost", "http://localhost"),
            ("a folder", "a folder"),
        ] {
            let harvest = Harvest { from: expected.to_owned(), began_unix_s: 86_400, finished_unix_s: 86_401 };
            assert_eq!(report(from, began, finished), Ok(harvest));
        }
        for (json, problem) in [
            ("{", "EOF while parsing"),
            ("[]", "invalid length 0"),
            (r#"{"from": "x", "began": "1970-01-02T00:00:00Z"}"#, "missing field `finished`"),
            (r#"{"from": "x", "began": "1970-01-02T00:00:00Z", "finished": null}"#, "invalid type: null"),
            (r#"{"from": "x", "began": "1970-01-02", "finished": ""}"#, r#""1970-01-02" is not a time"#),
            (r#"{"from": "x", "began": "1969-01-02T00:00:00Z", "finished": ""}"#, "is not a time"),
        ] {
            let error = parse(json.as_bytes()).expect_err(json);
            assert!(error.contains(problem), "{error}");
        }
    }
}
