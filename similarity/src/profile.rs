//! Profiles in HMMER's text formats, from HMMER3/a to HMMER3/f. They are parsed completely and
//! rewritten: HMMER only reads parts that were understood here, without names, comments and other
//! data that a search does not use.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::iter::Peekable;

use crate::{QueryFault, RESIDUES_MAX};

/// The names of the columns.
const COLUMNS: &str = "HMM A C D E F G H I K L M N P Q R S T V W Y\nm->m m->i m->d i->m i->i d->m d->d\n";

/// The numbers of a row, in groups of exhaustive alternatives.
const EMISSIONS: &[usize] = &[20];
const TRANSITIONS: &[usize] = &[3, 2, 2];

/// The tolerance for the sum of the probabilities of a group, which should be 1. They are written
/// with five digits.
const TOTAL_TOLERANCE: f64 = 0.01;

/// The most bytes of a number.
const NUMBER_BYTES_MAX: usize = 16;

/// The statistics of the scores of random sequences in each step of a search, their names in the
/// first format, and the lowest location for one position, which decreases by 1 with each doubling
/// of the positions. With lower ones, a search would examine each protein closely.
const STATISTICS: [(&str, &str, f64); 3] = [("MSV", "VMU", -7.0), ("VITERBI", "VMU", -7.0), ("FORWARD", "FTAU", -3.0)];
const LOCATION_MAX: f64 = 5.0;

/// The bounds of slopes. Short profiles have higher ones, depending on the information of their
/// positions.
const SLOPE_MIN: f64 = 0.5;
const SLOPE_MAX: f64 = 0.8;
const SLOPE_SHARED: f64 = 4.0;

/// The number of a line, from 1, and its words.
type Line<'a> = (usize, Vec<&'a str>);

/// Values by the tags before them. The tag of statistics has three words.
type Tags<'a> = BTreeMap<String, Vec<&'a str>>;

fn fault<T>(problem: impl Into<String>) -> Result<T, QueryFault> {
    Err(QueryFault::NoProfile(problem.into()))
}

/// Reads a profile, and returns it rewritten, with its number of positions.
pub(crate) fn rewritten(text: &str) -> Result<(String, usize), QueryFault> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.split_ascii_whitespace().collect()));
    let mut lines = lines.filter(|(_, words): &Line<'_>| !words.is_empty()).peekable();
    let first = lines.next().and_then(|(_, words)| words[0].strip_prefix("HMMER3/")?.parse().ok());
    let Some(format) = first.filter(|format| ('a'..='f').contains(format)) else {
        return fault("it does not begin with HMMER3/ and a letter from a to f");
    };
    let tags = read_tags(&mut lines)?;
    let ([alphabet], [length]) = (values(&tags, "ALPH")?, values(&tags, "LENG")?);
    if !alphabet.eq_ignore_ascii_case("amino") {
        return fault("ALPH is not amino");
    }
    let length = match length.parse() {
        Ok(length @ 1..=RESIDUES_MAX) => length,
        Ok(length @ 1..) => return Err(QueryFault::TooLong { length }),
        _ => return fault("LENG is not a number of positions"),
    };
    // The first format expresses the same as the second with fewer statistics.
    let mut written = format!("HMMER3/{}\nNAME q\nLENG {length}\nALPH amino\n", format.max('b'));
    // The columns of a position that only some formats have: the consensus, without which HMMER
    // aborts, and in later formats the mask.
    let num_annotations = match format {
        'a'..='d' => 3,
        _ if values(&tags, "CONS")?.map(str::to_ascii_lowercase) != ["yes"] => return fault("CONS is not yes"),
        'e' => 4,
        _ => 5,
    };
    written.push_str(if num_annotations > 3 { "CONS yes\n" } else { "" });
    write_statistics(&mut written, format, length, &tags)?;
    written.push_str(COLUMNS);
    lines.next();
    write_positions(&mut written, length, num_annotations, &mut lines)?;
    match (lines.next(), lines.next()) {
        (None, _) => fault("its end is missing"),
        (Some((_, words)), None) if words == ["//"] => Ok((written + "//\n", length)),
        (Some((number, _)), _) => fault(format!("line {number} is not its end, or is not the last line")),
    }
}

/// Reads the tags that a search needs, up to the names of the columns.
fn read_tags<'a>(lines: &mut impl Iterator<Item = Line<'a>>) -> Result<Tags<'a>, QueryFault> {
    let mut tags = Tags::new();
    loop {
        let Some((number, words)) = lines.next() else { return fault("its end is missing") };
        let (name, values) = words.split_at(if words[0] == "STATS" { words.len().min(3) } else { 1 });
        let name = name.join(" ").to_ascii_uppercase();
        if words[0] == "HMM" {
            return Ok(tags);
        }
        if ["LENG", "ALPH", "CONS", "STATS"].contains(&words[0]) && tags.insert(name.clone(), values.to_vec()).is_some()
        {
            return fault(format!("line {number} has {name} again"));
        }
    }
}

fn write_statistics(written: &mut String, format: char, length: usize, tags: &Tags<'_>) -> Result<(), QueryFault> {
    for (name, first_name, location_min) in STATISTICS {
        let [location, slope] = if format == 'a' {
            let [location] = values(tags, &format!("STATS LOCAL {first_name}"))?;
            values(tags, "STATS LOCAL VLAMBDA").map(|[slope]| [location, slope])?
        } else {
            values(tags, &format!("STATS LOCAL {name}"))?
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
    Ok(())
}

/// Writes the rows of all positions. Position 0, before the first one, may have no mean
/// composition.
fn write_positions<'a>(
    written: &mut String,
    length: usize,
    num_annotations: usize,
    lines: &mut Peekable<impl Iterator<Item = Line<'a>>>,
) -> Result<(), QueryFault> {
    for position in 0..=length {
        let (label, num_annotations) =
            if position == 0 { ("COMPO".to_owned(), 0) } else { (position.to_string(), num_annotations) };
        let rows = [(&*label, EMISSIONS, num_annotations), ("", EMISSIONS, 0), ("", TRANSITIONS, 0)];
        let has_no_first = position == 0 && lines.peek().is_some_and(|(_, words)| words[0] != label);
        for (label, groups, num_annotations) in rows.into_iter().skip(has_no_first.into()) {
            let Some((number, words)) = lines.next() else { return fault("its end is missing") };
            if !is_row(&words, label, groups, num_annotations) {
                return fault(format!("line {number} is not the line expected for position {position} of {length}"));
            }
            let _ = writeln!(written, "{}", words.join(" "));
        }
    }
    Ok(())
}

fn values<'a, const N: usize>(tags: &Tags<'a>, tag: &str) -> Result<[&'a str; N], QueryFault> {
    let values = tags.get(tag).map_or(&[][..], Vec::as_slice);
    values.try_into().or_else(|_| fault(format!("{tag} has {} values, and not {N}", values.len())))
}

/// Returns whether a row has a label, negative logarithms of probabilities, and then a column and
/// other annotations.
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
mod tests;
