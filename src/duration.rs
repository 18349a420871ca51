//! Times on the command line, such as `5s` and `1h 30m`, within limits.

use std::time::Duration;

use humantime::{format_duration, parse_duration};

/// Returns a parser for times from `min` to `max`.
pub(crate) fn between(min: Duration, max: Duration) -> impl Fn(&str) -> Result<Duration, String> + Clone {
    move |text| {
        let time = parse_duration(text).map_err(|error| error.to_string())?;
        if (min..=max).contains(&time) {
            Ok(time)
        } else {
            Err(format!("expected a time from {} to {}", format_duration(min), format_duration(max)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_within_bounds() {
        let parse = between(Duration::from_millis(100), Duration::from_hours(1));
        assert_eq!(parse("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(parse("1h"), Ok(Duration::from_hours(1)));
        for text in ["0s", "99ms", "1h 1s", "100000000years"] {
            assert_eq!(parse(text), Err("expected a time from 100ms to 1h".to_owned()), "{text}");
        }
        assert!(parse("soon").is_err());
    }
}
