//! Dates as the archives write them.

/// Tells whether a text is a year, a month, a day, or a time: `2026`, `2026-11`, `2026-11-24`, `2026-11-24T08:00:00`.
pub(super) fn is_date(text: &str) -> bool {
    let (day, time) = text.split_once(['T', ' ']).map_or((text, None), |(day, time)| (day, Some(time)));
    let mut parts = day.split('-');
    let year = number(parts.next().unwrap_or_default(), 4);
    let month = parts.next().map(|month| number(month, 2));
    let day = parts.next().map(|day| number(day, 2));
    let is_day = match (year, month, day) {
        (Some(1..), None | Some(Some(1..=12)), None) => true,
        (Some(year @ 1..), Some(Some(month @ 1..=12)), Some(Some(day))) => (1..=days(year, month)).contains(&day),
        _ => false,
    };
    is_day && parts.next().is_none() && time.is_none_or(|time| day.is_some() && is_time(time))
}

fn is_time(text: &str) -> bool {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut parts = whole.split(':').map(|part| number(part, 2));
    let is_whole = matches!(
        (parts.next(), parts.next(), parts.next(), parts.next()),
        (Some(Some(0..=23)), Some(Some(0..=59)), None | Some(Some(0..=59)), None)
    );
    is_whole && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

fn days(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn number(text: &str, num_digits: usize) -> Option<u32> {
    let is_number = text.len() == num_digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_calendar() {
        for text in
            ["2026", "2026-11", "2024-02-29", "2026-11-24T08:00:00", "2026-11-24 08:00", "2019-09-25T16:24:05.000001Z"]
        {
            assert!(is_date(text), "{text}");
        }
        for text in [
            "",
            "26",
            "0000",
            "2026-13",
            "2026-1",
            "2025-02-29",
            "2026-11-31",
            "24.11.2026",
            "2026-11-24T",
            "2026-11T08:00",
            "2026-11-24T24:00",
            "2026-11-24-1",
            "+026",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }
}
