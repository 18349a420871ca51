//! Making the column of a field from the terms of the index.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use store::{Result, is_missing_value};

use super::column::{FacetColumn, Numbering, Pairs};
use super::kept::FacetColumns;
use super::{AttributeForm, FacetField, FacetScope, FacetValues};
use crate::index::columns::{Columns, SampleLinks};
use crate::index::key::{Key, number_of_bits, parse_number};
use crate::index::key_range::KeyRange;
use crate::index::reader::CatalogueIndex;
use crate::index::schema::KeyField;
use crate::model::{OF_METADATA, SAMPLES, same_keys};
use crate::{CatalogueContents, Coordinate, Effort, Ordinal, Period, TypeContents};

pub(crate) struct FacetBuilder<'a> {
    pub(crate) contents: &'a CatalogueContents,
    pub(crate) index: &'a CatalogueIndex,
    pub(crate) columns: &'a Columns,
    pub(crate) kept: &'a FacetColumns,
    pub(crate) effort: &'a Effort,
}

/// Values that are read, each with its resource.
struct Reading<'a> {
    index: &'a CatalogueIndex,
    effort: &'a Effort,
    ordinals: Range<u64>,
    numbering: Numbering,
}

impl FacetBuilder<'_> {
    /// Returns the column of a field of a type, cached or new, or `None` if it has too many values.
    /// It is incomplete if it was cancelled.
    pub(crate) fn column(&self, resource_type: &str, field: &FacetField) -> Result<Option<Arc<FacetColumn>>> {
        if let Some(kept) = self.kept.get(resource_type, field) {
            return Ok(Some(kept));
        }
        let column = self.make(resource_type, field)?.map(Arc::new);
        if let Some(column) = column.as_ref().filter(|_| self.effort.may_continue()) {
            self.kept.put(resource_type, field, column);
        }
        Ok(column)
    }

    fn make(&self, resource_type: &str, FacetField { scope, values }: &FacetField) -> Result<Option<FacetColumn>> {
        let Some(contents) = self.contents.types.get(resource_type) else {
            return Ok(Some(FacetColumn::from_pairs(Arc::default(), Vec::new(), 0)));
        };
        let num_rows = contents.num_resources as usize;
        let samples = self.contents.types.get(SAMPLES);
        let mut pairs = Pairs::new(num_rows);
        let row_of = |contents: &TypeContents, ordinal: Ordinal| {
            ordinal.checked_sub(contents.first).filter(|row| *row < contents.num_resources)
        };
        let numbering = match (scope, samples) {
            (FacetScope::Own, _) => {
                let take = |ordinal, number| {
                    if let Some(row) = row_of(contents, ordinal) {
                        pairs.push(row, number);
                    }
                };
                self.read(resource_type, contents, values, take)?
            }
            (FacetScope::SampleOf(other_type), _) => {
                let Some(others) = self.contents.types.get(other_type).filter(|_| resource_type == SAMPLES) else {
                    return Ok(Some(FacetColumn::from_pairs(Arc::default(), Vec::new(), num_rows)));
                };
                let links: &SampleLinks = self.columns.sample_links(self.index)?;
                let take = |ordinal, number| {
                    for sample in links.of(ordinal).iter().filter_map(|&sample| row_of(contents, sample)) {
                        pairs.push(sample, number);
                    }
                };
                self.read(other_type, others, values, take)?
            }
            (FacetScope::OfSamples, Some(samples)) => {
                let own = FacetField { scope: FacetScope::Own, values: values.clone() };
                let Some(of_samples) = self.column(SAMPLES, &own)? else { return Ok(None) };
                let links = self.columns.sample_links(self.index)?;
                for row in 0..contents.num_resources {
                    let of_row = links.of(contents.first + row).iter();
                    for sample in of_row.filter_map(|&sample| row_of(samples, sample)) {
                        of_samples.of(sample as usize).iter().for_each(|&number| pairs.push(row, number));
                    }
                }
                let dictionary = Arc::clone(&of_samples.dictionary);
                return Ok(pairs.finish().map(|pairs| FacetColumn::from_pairs(dictionary, pairs, num_rows)));
            }
            (FacetScope::OfSamples, None) => Numbering::default(),
        };
        Ok(numbering.finish().zip(pairs.finish()).map(|((dictionary, places), mut pairs)| {
            for (_, number) in &mut pairs {
                *number = places[*number as usize];
            }
            FacetColumn::from_pairs(Arc::new(dictionary), pairs, num_rows)
        }))
    }

    /// Reads the values of the resources of a type, and passes each resource to `take` with the
    /// number of its value.
    fn read(
        &self,
        resource_type: &str,
        contents: &TypeContents,
        values: &FacetValues,
        mut take: impl FnMut(Ordinal, u32),
    ) -> Result<Numbering> {
        let first = u64::from(contents.first);
        let ordinals = first..first + u64::from(contents.num_resources);
        let Self { index, effort, .. } = *self;
        let mut reading = Reading { index, effort, ordinals, numbering: Numbering::default() };
        match values {
            FacetValues::Lineage(levels) => {
                let levels = levels.unwrap_or(usize::MAX);
                let prefix = Key::prefix(KeyField::OwnLineage, &[resource_type]);
                reading.texts(&prefix, |text| Some(first_levels(text, levels).into()), &mut take)?;
            }
            FacetValues::Attribute(name, form) => {
                reading.numbering.begin_unit("");
                for name in [name, &format!("{OF_METADATA}{name}")] {
                    let prefix = Key::prefix(KeyField::Attribute, &[resource_type, name]);
                    match form {
                        AttributeForm::Text => reading.texts(&prefix, meant, &mut take)?,
                        AttributeForm::Year => reading.texts(&prefix, year, &mut take)?,
                        AttributeForm::Country => reading.texts(&prefix, country, &mut take)?,
                        AttributeForm::Number => {
                            reading.numbers(&prefix, |term| parse_number(str::from_utf8(term).ok()?), &mut take)?;
                        }
                    }
                }
            }
            FacetValues::Coordinate(coordinate) => {
                let coordinates = self.columns.coordinates(self.index)?;
                let degrees = match coordinate {
                    Coordinate::Latitude => &coordinates.latitudes,
                    Coordinate::Longitude => &coordinates.longitudes,
                };
                reading.degrees(degrees, contents.first..contents.first + contents.num_resources, &mut take);
            }
            FacetValues::Metadata(key) => reading.metadata(resource_type, key, &mut take)?,
        }
        Ok(reading.numbering)
    }
}

impl Reading<'_> {
    /// Reads the degrees of the resources of a type, which are by ordinal.
    fn degrees(&mut self, degrees: &[f64], ordinals: Range<Ordinal>, take: &mut impl FnMut(Ordinal, u32)) {
        self.numbering.begin_unit("");
        for ordinal in ordinals {
            let degrees = degrees[ordinal as usize];
            if degrees.is_nan() {
                continue;
            }
            let Some(number) = self.numbering.number(degrees) else { return };
            take(ordinal, number);
        }
    }

    /// Reads the texts and numbers of the metadata with a key, unit by unit.
    fn metadata(&mut self, resource_type: &str, key: &str, take: &mut impl FnMut(Ordinal, u32)) -> Result<()> {
        let keys = same_keys(key);
        let mut units = BTreeSet::new();
        for key in &keys {
            units.extend(self.index.last_texts(KeyField::MetadataUnit, &[resource_type, key])?);
        }
        for unit in &units {
            self.numbering.begin_unit(unit);
            for key in &keys {
                let prefix = |field| Key::prefix(field, &[resource_type, key, unit]);
                self.texts(&prefix(KeyField::Metadata), no_number, take)?;
                let number = |term: &[u8]| Some(number_of_bits(u64::from_be_bytes(term.try_into().ok()?)));
                self.numbers(&prefix(KeyField::MetadataNumber), number, take)?;
            }
        }
        Ok(())
    }

    /// Reads the part of the text of each term with a prefix that `part` returns.
    fn texts(
        &mut self,
        prefix: &Key,
        part: impl Fn(&str) -> Option<Cow<'_, str>>,
        take: &mut impl FnMut(Ordinal, u32),
    ) -> Result<()> {
        let number = |numbering: &mut Numbering, term: &[u8]| {
            let text = str::from_utf8(term).ok().and_then(&part).filter(|text| !text.trim().is_empty());
            text.and_then(|text| numbering.text(&text))
        };
        self.terms(prefix, number, take)
    }

    fn numbers(
        &mut self,
        prefix: &Key,
        number: impl Fn(&[u8]) -> Option<f64>,
        take: &mut impl FnMut(Ordinal, u32),
    ) -> Result<()> {
        let number = |numbering: &mut Numbering, term: &[u8]| number(term).and_then(|number| numbering.number(number));
        self.terms(prefix, number, take)
    }

    fn terms(
        &mut self,
        prefix: &Key,
        number: impl Fn(&mut Numbering, &[u8]) -> Option<u32>,
        take: &mut impl FnMut(Ordinal, u32),
    ) -> Result<()> {
        let Self { index, effort, ordinals, numbering } = self;
        let wanted = |term: &[u8]| {
            let number = number(numbering, &term[prefix.bytes.len()..]);
            if numbering.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(number) }
        };
        let take = |number, ordinal| take(ordinal, number);
        index.for_each(&KeyRange::prefixed(prefix), ordinals.clone(), effort, wanted, take)
    }
}

/// Returns the first levels of a lineage, or all of them if there are fewer.
fn first_levels(lineage: &str, num_levels: usize) -> &str {
    let end = num_levels.checked_sub(1).and_then(|number| lineage.match_indices(':').nth(number));
    end.map_or(lineage, |(end, _)| &lineage[..end])
}

fn no_number(text: &str) -> Option<Cow<'_, str>> {
    meant(text).filter(|text| parse_number(text).is_none())
}

fn meant(text: &str) -> Option<Cow<'_, str>> {
    (!is_missing_value(text)).then_some(text.into())
}

fn year(date: &str) -> Option<Cow<'_, str>> {
    Period::parse(date).map(|period| period.year().to_owned().into())
}

fn country(place: &str) -> Option<Cow<'_, str>> {
    let place = place.strip_prefix("GAZ:").unwrap_or(place);
    meant(place)?;
    Some(place.split([':', ';']).next().unwrap_or_default().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_forms_extract_their_part() {
        assert_eq!(
            [1, 2, 3, 4].map(|levels| first_levels("root:A b:C", levels)),
            ["root", "root:A b", "root:A b:C", "root:A b:C"]
        );
        assert_eq!(
            ["2016", "2016-03", "Jul-2009", "2012-05/2013-07", "20160305", "201", "missing"]
                .map(year)
                .map(Option::unwrap_or_default),
            ["2016", "2016", "2009", "2012", "", "", ""]
        );
        let places = [
            "USA",
            "Brazil: Sao Paulo",
            "GAZ:France",
            "GAZ:France: Paris",
            "UK; Rothamsted",
            "missing: third party data",
            "",
        ];
        assert_eq!(
            places.map(country).map(Option::unwrap_or_default),
            ["USA", "Brazil", "France", "France", "UK", "", ""]
        );
    }
}
