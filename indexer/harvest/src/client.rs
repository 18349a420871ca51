//! Requests, one at a time, no faster than allowed, and repeated if that may help.

use std::io::Read;
use std::ops::AddAssign;
use std::thread;
use std::time::{Duration, Instant};

use indexer::{Error, Result};
use reqwest::StatusCode;
use reqwest::blocking::{Client as HttpClient, Response};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::{Attempt, Policy};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;
use url::Url;

/// A path that both versions always answer, unless the server is broken.
pub(super) const PROBE: &str = "biomes?page=1&page_size=1";

/// The most time for a request and its answer. The slowest known answers take a few seconds.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The longest answer that is read. Known pages and annotations have a few megabytes.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// The bytes of an answer that are read at once.
const PART_BYTES: usize = 1 << 14;

/// The most repetitions of a request whose answer is an error, which may be due to its object; and
/// of one that the server does not answer or asks to repeat later.
const NUM_REPEATS: u32 = 3;
const NUM_REPEATS_UNAVAILABLE: u32 = 10;

/// The longest pause before a request is repeated, and the longest that a server may ask for.
const PAUSE_MAX: Duration = Duration::from_mins(5);
const WAIT_MAX: Duration = Duration::from_hours(1);

const NUM_REDIRECTS_MAX: usize = 5;

/// The most characters that are shown of a header.
const SHOWN_CHARS_MAX: usize = 200;

/// The final answer of a server to a request.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// JSON, in one line.
    Json(String),
    /// 404: the object does not exist, or is hidden.
    Missing,
    /// The reason why the answer cannot be used.
    Fault(String),
}

/// The costs of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cost {
    pub(super) requests: u64,
    pub(super) repeated: u64,
    pub(super) bytes: u64,
    /// Milliseconds of pauses between requests.
    pub(super) waited_ms: u64,
}

/// The reason to repeat a request.
struct RetryReason {
    why: String,
    /// Set if the server does not answer, or refuses to for now: the error is not due to the
    /// request.
    is_unavailable: bool,
    /// The time that the server asks to wait.
    wait: Option<Duration>,
}

/// A client of one server.
pub(super) struct Client {
    http: HttpClient,
    base: Url,
    /// The base without user and password.
    name: Url,
    /// The least time between requests.
    interval: Duration,
    /// The first pause before a request is repeated.
    pause: Duration,
    last_began: Option<Instant>,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.repeated += other.repeated;
        self.bytes += other.bytes;
        self.waited_ms += other.waited_ms;
    }
}

impl RetryReason {
    fn fault(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_unavailable: false, wait: None }
    }
}

impl Client {
    pub(super) fn new(base: Url, interval: Duration, pause: Duration) -> Result<Self> {
        let builder = HttpClient::builder().user_agent(concat!("mgdex/", env!("CARGO_PKG_VERSION")));
        let http = builder.timeout(TIMEOUT).redirect(Policy::custom(redirect_policy)).build();
        let http = http.map_err(|error| Error::Refused { problem: format!("no requests can be made: {error}") })?;
        let name = without_secrets(&base);
        Ok(Self { http, base, name, interval, pause, last_began: None })
    }

    /// Requests a path below the base.
    ///
    /// # Errors
    ///
    /// * The server is unavailable and stays so.
    pub(super) fn get(&mut self, path: &str) -> Result<(Answer, Cost)> {
        let mut cost = Cost::default();
        let (mut num_faults, mut num_unavailable) = (0, 0);
        loop {
            let since_last = self.last_began.map_or(self.interval, |began| began.elapsed());
            wait(self.interval.saturating_sub(since_last), &mut cost);
            self.last_began = Some(Instant::now());
            cost.requests += 1;
            let RetryReason { why, is_unavailable, wait: requested } = match self.ask(path, &mut cost) {
                Ok(answer) => return Ok((answer, cost)),
                Err(reason) => reason,
            };
            let (num, max) = if is_unavailable {
                (&mut num_unavailable, NUM_REPEATS_UNAVAILABLE)
            } else {
                (&mut num_faults, NUM_REPEATS)
            };
            if *num == max && !is_unavailable {
                return Ok((Answer::Fault(why), cost));
            }
            // It may be the only request that the server refuses.
            if *num == max && path != PROBE {
                cost.requests += 1;
                if let Ok(Answer::Json(_)) = self.ask(PROBE, &mut cost) {
                    return Ok((Answer::Fault(why), cost));
                }
            }
            if *num == max || requested.is_some_and(|requested| requested > WAIT_MAX) {
                let requested = requested.map(|requested| format!(", and asks to wait for {} s", requested.as_secs()));
                let problem = format!(
                    "{} does not answer: {why}{}. The harvest so far is kept: run the same command again to continue",
                    self.name,
                    requested.unwrap_or_default()
                );
                return Err(Error::Refused { problem });
            }
            tracing::debug!("{path}: {why}");
            let pause = self.pause.saturating_mul(1 << *num).min(PAUSE_MAX);
            *num += 1;
            cost.repeated += 1;
            wait(requested.unwrap_or_default().max(pause), &mut cost);
        }
    }

    fn ask(&self, path: &str, cost: &mut Cost) -> Result<Answer, RetryReason> {
        let url = format!("{}{path}", self.base);
        let began = Instant::now();
        let response = self.http.get(url).header(ACCEPT, "application/json").send().map_err(|error| RetryReason {
            is_unavailable: error.is_connect(),
            ..RetryReason::fault(reason(&error))
        })?;
        let status = response.status();
        match status {
            StatusCode::OK => json(response, began, cost).map(Answer::Json),
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(Answer::Missing),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                let wait = response.headers().get(RETRY_AFTER).and_then(retry_after);
                Err(RetryReason { why: status.to_string(), is_unavailable: true, wait })
            }
            _ if status.is_redirection() => {
                let to = response.headers().get(LOCATION).and_then(|to| response.url().join(to.to_str().ok()?).ok());
                // Only the origin: the rest is chosen by the server.
                let to = to.map_or_else(|| "no address".to_owned(), |to| to.origin().ascii_serialization());
                Ok(Answer::Fault(format!("it redirects to {}", to.chars().take(SHOWN_CHARS_MAX).collect::<String>())))
            }
            _ if status.is_client_error() => Ok(Answer::Fault(status.to_string())),
            _ => Err(RetryReason::fault(status.to_string())),
        }
    }
}

fn wait(time: Duration, cost: &mut Cost) {
    thread::sleep(time);
    cost.waited_ms += u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
}

/// Follows redirects on the same host, also to TLS, and no others.
fn redirect_policy(attempt: Attempt) -> reqwest::redirect::Action {
    let stays = attempt.previous().first().is_some_and(|requested| is_same(requested, attempt.url()));
    if stays && attempt.previous().len() <= NUM_REDIRECTS_MAX { attempt.follow() } else { attempt.stop() }
}

/// Returns whether an address belongs to the server of the request, and requests to it are at least
/// as well encrypted.
fn is_same(requested: &Url, url: &Url) -> bool {
    let is_upgrade = (requested.scheme(), url.scheme()) == ("http", "https")
        && requested.host() == url.host()
        && (requested.port(), url.port()) == (None, None);
    is_upgrade || requested.origin() == url.origin()
}

/// Returns the whole chain of reasons, without the address.
fn reason(error: &reqwest::Error) -> String {
    let mut source = std::error::Error::source(error);
    let mut reasons =
        vec![if error.is_timeout() { "it took too long".to_owned() } else { "the connection failed".to_owned() }];
    while let Some(error) = source {
        reasons.push(error.to_string());
        source = error.source();
    }
    reasons.join(": ")
}

/// Returns the time that a server asks to wait, given in seconds or as a date.
fn retry_after(value: &HeaderValue) -> Option<Duration> {
    let text = value.to_str().ok()?;
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = OffsetDateTime::parse(text, &Rfc2822).ok()?;
    // A date in the past means no wait.
    Some(Duration::try_from(date - OffsetDateTime::now_utc()).unwrap_or(Duration::ZERO))
}

/// Returns an address without user and password.
pub(super) fn without_secrets(url: &Url) -> Url {
    let mut url = url.clone();
    let _ = url.set_username("").and_then(|()| url.set_password(None));
    url
}

/// Reads JSON, and returns it as one line.
fn json(mut response: Response, began: Instant, cost: &mut Cost) -> Result<String, RetryReason> {
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !content_type.split(';').next().unwrap_or_default().contains("json") {
        let shown: String = content_type.chars().take(SHOWN_CHARS_MAX).collect();
        return Err(RetryReason::fault(format!("its content type is {shown:?}, which is not JSON")));
    }
    let (mut bytes, mut part) = (Vec::new(), [0; PART_BYTES]);
    loop {
        let num_read = response.read(&mut part);
        let num_read = num_read.map_err(|error| RetryReason::fault(format!("its answer was cut off: {error}")))?;
        if num_read == 0 {
            break;
        }
        cost.bytes += num_read as u64;
        bytes.extend_from_slice(&part[..num_read]);
        if bytes.len() > ANSWER_BYTES_MAX {
            return Err(RetryReason::fault(format!("its answer has more than {ANSWER_BYTES_MAX} bytes")));
        }
        // The client's own limit is for the time between two parts.
        if began.elapsed() > TIMEOUT {
            return Err(RetryReason::fault("its answer took too long"));
        }
    }
    let text = String::from_utf8(bytes).map_err(|_| RetryReason::fault("its answer is not UTF-8"))?;
    let value = serde_json::from_str::<&RawValue>(&text);
    let value = value.map_err(|error| RetryReason::fault(format!("its answer is not JSON: {error}")))?.get();
    if value == "null" {
        return Err(RetryReason::fault("its answer is null"));
    }
    // In JSON, line breaks occur only as white space.
    Ok(value.replace(['\n', '\r'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_the_server_and_within_tls() {
        for (requested, to, expected) in [
            ("http://a/x", "http://a/y", true),
            ("http://a/x", "https://a/x", true),
            ("https://a:8443/x", "https://a:8443/y", true),
            ("https://a:443/x", "https://a/y", true),
            ("https://a:8443/x", "http://a:8443/x", false),
            ("https://a/x", "http://a/x", false),
            ("http://a:80/x", "http://a:81/x", false),
            ("http://a/x", "http://b/x", false),
        ] {
            let [requested, to] = [requested, to].map(|url| Url::parse(url).expect("an address"));
            assert_eq!(is_same(&requested, &to), expected, "{requested} {to}");
        }
    }
}
