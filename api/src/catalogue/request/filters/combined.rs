//! Parameters that together are one condition.

use store::{Bounds, Condition, Coordinate};

use super::text;
use crate::catalogue::collections::filter::{Filter, FilterKind, OfWhat};
use crate::catalogue::problem::CatalogueProblem;

#[derive(Debug, Default)]
pub(super) struct Combined {
    /// The bounds of degrees north.
    latitude: Bounds,
    /// The bounds of degrees east.
    longitude: Bounds,
    key: Option<String>,
    value: Option<String>,
    bounds: Bounds,
    /// Whether the entry is one of the samples that the resource names.
    is_of_samples: bool,
}

impl Combined {
    /// Takes the value of a parameter in; one that is a condition by itself changes nothing.
    pub(super) fn take(&mut self, filter: &Filter, value: &str) -> Result<(), CatalogueProblem> {
        let number = || text::number(filter.name, value).map(Some);
        match filter.kind {
            FilterKind::CoordinateMin(coordinate) => self.coordinate(coordinate).min = number()?,
            FilterKind::CoordinateMax(coordinate) => self.coordinate(coordinate).max = number()?,
            FilterKind::MetadataKey(of) => self.metadata(of).key = Some(value.to_owned()),
            FilterKind::MetadataValue(of) => self.metadata(of).value = Some(value.to_owned()),
            FilterKind::MetadataMin(of) => self.metadata(of).bounds.min = number()?,
            FilterKind::MetadataMax(of) => self.metadata(of).bounds.max = number()?,
            _ => {}
        }
        Ok(())
    }

    fn coordinate(&mut self, coordinate: Coordinate) -> &mut Bounds {
        match coordinate {
            Coordinate::Latitude => &mut self.latitude,
            Coordinate::Longitude => &mut self.longitude,
        }
    }

    /// Notes whose metadata are meant: a collection looks at those of one kind only.
    fn metadata(&mut self, of: OfWhat) -> &mut Self {
        self.is_of_samples = of == OfWhat::Samples;
        self
    }

    pub(super) fn into_conditions(self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for (coordinate, bounds) in [(Coordinate::Latitude, self.latitude), (Coordinate::Longitude, self.longitude)] {
            if bounds != Bounds::default() {
                conditions.push(Condition::Coordinate(coordinate, bounds));
            }
        }
        if self.key.is_some() || self.value.is_some() || self.bounds != Bounds::default() {
            let entry = Condition::Metadata { key: self.key, value: self.value, bounds: self.bounds };
            conditions.push(if self.is_of_samples { Condition::OfSamples(Box::new(entry)) } else { entry });
        }
        conditions
    }
}
