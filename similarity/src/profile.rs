//! Profiles in HMMER's text formats, from HMMER3/a to HMMER3/f. They are read whole, and written anew: HMMER reads nothing but what was understood here,
//! without names, comments and what else a search does not use.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::{QueryFault, RESIDUES_MAX};

/// The names of the columns.
const COLUMNS: &str = "HMM A C D E F G H I K L M N P Q R S T V W Y\nm->m m->i m->d i->m i->i d->m d->d\n";

/// The numbers of a row, in groups of all that can happen.
const EMISSIONS: &[usize] = &[20];
const TRANSITIONS: &[usize] = &[3, 2, 2];

/// How far from 1 the probabilities of all that can happen may be together. They are written with five digits.
const TOTAL_TOLERANCE: f64 = 0.01;

/// The most bytes of a number.
const NUMBER_BYTES_MAX: usize = 16;

/// The statistics of the scores of random sequences in each step of a search, their names in the first format, and the lowest location for one position,
/// which falls by 1 with each doubling of the positions. With lower ones, a search would have to look at each protein closely.
const STATISTICS: [(&str, &str, f64); 3] = [("MSV", "VMU", -7.0), ("VITERBI", "VMU", -7.0), ("FORWARD", "FTAU", -3.0)];
const LOCATION_MAX: f64 = 5.0;

/// The bounds of slopes. Short profiles have higher ones, by what their positions share.
const SLOPE_MIN: f64 = 0.5;
const SLOPE_MAX: f64 = 0.8;
const SLOPE_SHARED: f64 = 4.0;

/// Values by the names before them. Of statistics, three words are the name.
type Tags<'a> = BTreeMap<String, Vec<&'a str>>;

fn fault<T>(problem: impl Into<String>) -> Result<T, QueryFault> {
    Err(QueryFault::NoProfile(problem.into()))
}

/// Reads a profile, and returns it written anew, with its number of positions.
pub(crate) fn rewritten(text: &str) -> Result<(String, usize), QueryFault> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.split_ascii_whitespace().collect()));
    let mut lines = lines.filter(|(_, words): &(usize, Vec<&str>)| !words.is_empty()).peekable();
    let first = lines.next().and_then(|(_, words)| words[0].strip_prefix("HMMER3/")?.parse().ok());
    let Some(format) = first.filter(|format| ('a'..='f').contains(format)) else {
        return fault("it does not begin with HMMER3/ and a letter from a to f");
    };
    let mut tags = Tags::new();
    loop {
        let Some((number, words)) = lines.next() else { return fault("its end is missing") };
        let (name, values) = words.split_at(if words[0] == "STATS" { words.len().min(3) } else { 1 });
        let name = name.join(" ").to_ascii_uppercase();
        if words[0] == "HMM" {
            break;
        }
        if ["LENG", "ALPH", "CONS", "STATS"].contains(&words[0]) && tags.insert(name.clone(), values.to_vec()).is_some()
        {
            return fault(format!("line {number} has {name} again"));
        }
    }
    let ([alphabet], [length]) = (values(&tags, "ALPH")?, values(&tags, "LENG")?);
    if !alphabet.eq_ignore_ascii_case("amino") {
        return fault("ALPH is not amino");
    }
    let length = match length.parse() {
        Ok(length @ 1..=RESIDUES_MAX) => length,
        Ok(length @ 1..) => return Err(QueryFault::TooLong { length }),
        _ => return fault("LENG is no number of positions"),
    };
    // The first format says the same as the second in fewer statistics.
    let mut written = format!("HMMER3/{}\nNAME q\nLENG {length}\nALPH amino\n", format.max('b'));
    // The columns of a position, beside those that all formats have: the consensus, without which HMMER ends, and from then on the mask.
    let num_annotations = match format {
        'a'..='d' => 3,
        _ if values(&tags, "CONS")?.map(str::to_ascii_lowercase) != ["yes"] => return fault("CONS is not yes"),
        'e' => 4,
        _ => 5,
    };
    written.push_str(if num_annotations > 3 { "CONS yes\n" } else { "" });
    for (name, first_name, location_min) in STATISTICS {
        let [location, slope] = if format == 'a' {
            let [location] = values(&tags, &format!("STATS LOCAL {first_name}"))?;
            values(&tags, "STATS LOCAL VLAMBDA").map(|[slope]| [location, slope])?
        } else {
            values(&tags, &format!("STATS LOCAL {name}"))?
        };
        let num = f64::from(u16::try_from(length).unwrap_or(u16::MAX));
        let (location_min, slope_max) = (location_min - num.log2(), SLOPE_MAX + SLOPE_SHARED / num);
        let is_in = |word, min, max| number(word).is_some_and(|number| (min..=max).contains(&number));
        if !is_in(location, location_min, LOCATION_MAX) || !is_in(slope, SLOPE_MIN, slope_max) {
            return fault(format!(
                "STATS LOCAL {name} is {location} and {slope}; for {length} positions it is from {location_min:.2} to {LOCATION_MAX} and from \
                 {SLOPE_MIN} to {slope_max:.2}"
            ));
        }
        let _ = writeln!(written, "STATS LOCAL {name} {location} {slope}");
    }
    written.push_str(COLUMNS);
    lines.next();
    for position in 0..=length {
        let (label, num_annotations) =
            if position == 0 { ("COMPO".to_owned(), 0) } else { (position.to_string(), num_annotations) };
        let rows = [(&*label, EMISSIONS, num_annotations), ("", EMISSIONS, 0), ("", TRANSITIONS, 0)];
        let has_no_first = position == 0 && lines.peek().is_some_and(|(_, words)| words[0] != label);
        for (label, groups, num_annotations) in rows.into_iter().skip(has_no_first.into()) {
            let Some((number, words)) = lines.next() else { return fault("its end is missing") };
            if !is_row(&words, label, groups, num_annotations) {
                return fault(format!("line {number} is not what belongs to position {position} of {length}"));
            }
            let _ = writeln!(written, "{}", words.join(" "));
        }
    }
    match (lines.next(), lines.next()) {
        (None, _) => fault("its end is missing"),
        (Some((_, words)), None) if words == ["//"] => Ok((written + "//\n", length)),
        (Some((number, _)), _) => fault(format!("line {number} is not its end, or not the last one")),
    }
}

fn values<'a, const N: usize>(tags: &Tags<'a>, tag: &str) -> Result<[&'a str; N], QueryFault> {
    let values = tags.get(tag).map_or(&[][..], Vec::as_slice);
    values.try_into().or_else(|_| fault(format!("{tag} has {} values, and not {N}", values.len())))
}

/// Tells whether a row has a label, negative logarithms of probabilities, and then a column and other annotations.
fn is_row(words: &[&str], label: &str, groups: &[usize], num_annotations: usize) -> bool {
    let labelled = if label.is_empty() { Some(words) } else { words.strip_prefix(&[label]) };
    let Some((numbers, annotations)) = labelled.and_then(|words| words.split_at_checked(groups.iter().sum())) else {
        return false;
    };
    let probability = |word: &&str| if *word == "*" { Some(0.0) } else { Some((-number(word)?).exp()) };
    let (mut rest, mut group) = (numbers, &[][..]);
    let are_whole = groups.iter().all(|num| {
        (group, rest) = rest.split_at(*num);
        let total: Option<f64> = group.iter().map(probability).sum();
        total.is_some_and(|total| (total - 1.0).abs() <= TOTAL_TOLERANCE)
    });
    let is_annotation = |word: &&str| word.len() == 1 && word.as_bytes()[0].is_ascii_graphic() && *word != "#";
    let are_annotations = annotations.split_first().is_none_or(|(column, others)| {
        (*column == "-" || number(column).is_some()) && others.iter().all(is_annotation)
    });
    are_whole && annotations.len() == num_annotations && are_annotations
}

/// Reads a number without an exponent, which all programs read alike.
fn number(word: &str) -> Option<f64> {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte));
    word.parse().ok().filter(|_| is_plain && word.len() <= NUMBER_BYTES_MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What `hmmbuild` 3.3.2 has written for 16 columns, with each annotation.
    const RECORDED: &str = include_str!("profile/recorded.hmm");

    /// Returns what `hmmconvert` writes in an older format.
    fn in_format(format: char) -> String {
        let mut text = String::new();
        for line in RECORDED.lines() {
            let mut words: Vec<_> = line.split_whitespace().collect();
            // Consensus and mask are columns of newer formats.
            if words.len() == 26 {
                words.drain(if format < 'f' { 24..25 } else { 0..0 });
                words.drain(if format < 'e' { 22..23 } else { 0..0 });
            }
            let line = match (format, &*words) {
                ('a'..='e', ["MM", ..]) | ('a'..='d', ["CONS", ..]) | ('a', ["STATS", "LOCAL", "VITERBI", ..]) => {
                    continue;
                }
                ('a', ["STATS", "LOCAL", "MSV", location, slope]) => {
                    format!("STATS LOCAL VLAMBDA {slope}\nSTATS LOCAL VMU {location}")
                }
                ('a', ["STATS", "LOCAL", "FORWARD", location, _]) => format!("STATS LOCAL FTAU {location}"),
                _ => words.join(" "),
            };
            text = text + &line + "\n";
        }
        text.replacen("HMMER3/f", &format!("HMMER3/{format}"), 1)
    }

    fn problem(text: &str) -> String {
        rewritten(text).expect_err("a fault").to_string()
    }

    #[test]
    fn what_a_search_uses_is_kept_as_it_was() {
        let (text, length) = rewritten(RECORDED).expect("a profile");
        assert_eq!(length, 16);
        let head = "HMMER3/f\nNAME q\nLENG 16\nALPH amino\nCONS yes\nSTATS LOCAL MSV -6.0381 0.73367\n";
        assert!(text.starts_with(head), "{text}");
        // All rows are there, with other space between their words.
        let rows = |text: &str| -> Vec<String> {
            let rows = text.lines().skip_while(|line| !line.starts_with("HMM "));
            rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(rows(&text), rows(RECORDED));
        assert_eq!(rewritten(&text), Ok((text.clone(), length)));
    }

    #[test]
    fn each_format_is_read() {
        for format in 'a'..='f' {
            let (text, length) = rewritten(&in_format(format)).unwrap_or_else(|fault| panic!("{format}: {fault}"));
            assert_eq!(length, 16);
            assert!(text.starts_with(&format!("HMMER3/{}\n", format.max('b'))), "{format}: {text}");
            assert_eq!(text.lines().filter(|line| line.starts_with("STATS LOCAL ")).count(), 3, "{format}");
            assert_eq!(text.contains("\nCONS yes\n"), format >= 'e', "{format}");
        }
        assert!(problem(&in_format('g')).contains("a letter from a to f"));
        assert!(problem(&in_format('f').replace("HMMER3/f", "HMMER3/ff")).contains("a letter from a to f"));
        assert!(problem(&in_format('f').replace("HMMER3/f", "HMMER2.0")).contains("a letter from a to f"));
    }

    #[test]
    fn tags_reach_the_engine_once_and_only_those_that_are_known() {
        let with = |line: &str| RECORDED.replacen("HMM ", &format!("{line}\nHMM "), 1);
        for line in
            [" LENG 40000", "\tLENG 16", "LENG  16", "  ALPH DNA", " STATS LOCAL MSV -10000 0.7", "stats", "CONS no"]
        {
            let read = rewritten(&with(line));
            assert!(
                line == "stats" || read.as_ref().is_err_and(|fault| fault.to_string().contains(" again")),
                "{line}: {read:?}"
            );
        }
        let expected = rewritten(RECORDED);
        for line in [
            "\u{b}LENG 40000",
            " NAME other",
            "NAME\u{b}x",
            "COM [1] a",
            "COM [1] a",
            "X y",
            "MAXL 9",
            "# LENG 7",
            "\u{0}",
        ] {
            assert_eq!(rewritten(&with(line)), expected, "{line:?}");
        }
        for (from, to, expected) in [
            ("ALPH  amino", "ALPH\u{b}amino", "ALPH has 0 values"),
            ("ALPH  amino", "ALPH  DNA", "ALPH is not amino"),
            ("ALPH  amino", "ALPH  amino DNA", "ALPH has 2 values, and not 1"),
            ("LENG  16", "LENG  sixteen", "LENG is no number"),
            ("LENG  16", "LENG  0", "LENG is no number"),
            ("LENG  16", "LENG  -16", "LENG is no number"),
            ("LENG  16", "LENG  99999999999999999999", "LENG is no number"),
            ("LENG  16", "LENG  15", "line 70 is not its end"),
            ("LENG  16", "LENG  17", "line 73 is not what belongs to position 17 of 17"),
            ("LENG  16", "LENG  10001", "10001 residues or positions"),
            ("CONS  yes", "CONS  no", "CONS is not yes"),
            ("CONS  yes", "", "CONS has 0 values"),
            ("STATS LOCAL MSV", "STATS GLOCAL MSV", "STATS LOCAL MSV has 0 values"),
            ("//", "", "its end is missing"),
            ("//", "//\n//", "not the last one"),
            ("//", "/", "line 73 is not its end"),
        ] {
            let problem = problem(&RECORDED.replacen(from, to, 1));
            assert!(problem.contains(expected), "{from} {to}: {problem}");
        }
        assert!(problem(&RECORDED.repeat(2)).contains("not the last one"));
        assert!(problem("").contains("does not begin"));
    }

    #[test]
    fn rows_have_the_numbers_that_they_should_have() {
        for (from, to) in [
            ("3.84401", "-9"),
            ("3.84401", "nan"),
            ("3.84401", "1e-3"),
            ("3.84401", "inf"),
            ("3.84401", "0x1p3"),
            ("3.84401", "3.8440100000000000000000000000"),
            ("3.84401", "*"),
            ("3.84401", "3.84401 3.84401"),
            ("3.84401", ""),
            // Likelier than anything can be.
            ("0.15134", "0.10000"),
            ("0.31520", "0.0"),
            ("0.61958", "0.60000"),
            ("1.75008", "0.0"),
            ("      1   3", "      2   3"),
            ("1 G x - C", "1 G x - #"),
            ("1 G x - C", "1 G x - CC"),
            ("1 G x - C", "x G x - C"),
            ("1 G x - C", "1 G x -"),
            ("1 G x - C", "1 \u{e9} x - C"),
        ] {
            let text = RECORDED.replacen(from, to, 1);
            assert!(text != RECORDED && problem(&text).contains("is not"), "{from} {to}");
        }
        let text = RECORDED.replacen("1 G x - C", "- G x - C", 1);
        assert!(rewritten(&text).is_ok());
    }

    #[test]
    fn statistics_are_those_that_a_profile_of_the_length_can_have() {
        let with = |name: &str, location: &str, slope: &str| {
            let line = RECORDED.lines().find(|line| line.contains(name)).expect("a line");
            rewritten(&RECORDED.replace(line, &format!("STATS LOCAL {name} {location} {slope}")))
        };
        for (name, location, slope) in
            [("MSV", "-11", "0.7"), ("VITERBI", "-11", "1.05"), ("FORWARD", "-7", "0.5"), ("FORWARD", "5", "0.5")]
        {
            assert!(with(name, location, slope).is_ok(), "{name} {location} {slope}");
        }
        for (name, location, slope) in [
            ("MSV", "-10000", "0.7"),
            ("MSV", "-11.01", "0.7"),
            ("VITERBI", "-11.01", "0.7"),
            ("FORWARD", "-7.01", "0.7"),
            ("FORWARD", "5.01", "0.7"),
            ("MSV", "-6", "1.06"),
            ("MSV", "-6", "0.49"),
            ("MSV", "-6", "-0.7"),
            ("MSV", "nan", "0.7"),
            ("MSV", "-6", "*"),
        ] {
            let problem = with(name, location, slope).expect_err("beyond").to_string();
            assert!(
                problem.contains(&format!("STATS LOCAL {name} is {location} and {slope}; for 16 positions")),
                "{problem}"
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_written_says_one_thing_whatever_was_read(
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..30_usize, "[ -~\n\t\u{b}\u{0}]{0,9}|LENG 9|STATS LOCAL MSV -9 0[.]7|\nLENG  1"), 0..4),
            is_near in any::<bool>(),
            format in prop::char::range('a', 'f')
        ) {
            let mut text = in_format(format);
            for (start, num_removed, added) in edits {
                let start = start.index(if is_near { text.len().min(500) } else { text.len() });
                let end = text.len().min(start + num_removed);
                text.replace_range(start..end, &added);
            }
            if let Ok((written, length)) = rewritten(&text) {
                prop_assert_eq!(rewritten(&written), Ok((written.clone(), length)));
                let num = |tag: &str| written.lines().filter(|line| line.split(' ').next() == Some(tag)).count();
                prop_assert_eq!([num("LENG"), num("ALPH"), num("NAME"), num("STATS"), num("//")], [1, 1, 1, 3, 1]);
                let num_rows = 3 * length + 2 + num("COMPO");
                let num_rows_written = written.lines().skip_while(|line| !line.starts_with("m->m")).count() - 2;
                prop_assert_eq!(num_rows_written, num_rows);
                prop_assert!(written.bytes().all(|byte| byte == b'\n' || byte == b' ' || byte.is_ascii_graphic()));
            }
        }
    }
}
