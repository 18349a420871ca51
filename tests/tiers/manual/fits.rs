//! Compares printed output with the output shown. `…` stands for anything: for a part of a line,
//! or, alone on a line, for any number of lines.

/// Returns whether the printed lines match the shown ones.
pub(super) fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["…", rest @ ..] => (0..=printed.len()).any(|num_skipped| fits(rest, &printed[num_skipped..])),
        [first, rest @ ..] => {
            printed.split_first().is_some_and(|(line, more)| line_fits(first, line) && fits(rest, more))
        }
    }
}

fn line_fits(shown: &str, printed: &str) -> bool {
    let Some((start, rest)) = shown.split_once('…') else { return shown == printed };
    let Some(mut left) = printed.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('…').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, after)) = left.split_once(part) else { return false };
        left = after;
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn an_ellipsis_matches_anything() {
        let t = |shown: &str, printed: &str, expected: bool| {
            let (shown, printed): (Vec<&str>, Vec<&str>) = (shown.lines().collect(), printed.lines().collect());
            assert_eq!(fits(&shown, &printed), expected, "{shown:?}, {printed:?}");
        };
        t("", "", true);
        t("a", "a", true);
        t("a", "b", false);
        t("a", "a\nb", false);
        t("a…c", "abc", true);
        t("a…", "a", true);
        t("a…c…", "ab", false);
        t("a…b…c", "a1b2c", true);
        t("a…b…c", "a1c2b", false);
        t("ab…ba", "aba", false);
        t("…", "", true);
        t("…", "a\nb", true);
        t("…\nb", "a\nb", true);
        t("…\nb", "b\na", false);
        t("a\n…\nd", "a\nb\nc\nd", true);
    }
}
