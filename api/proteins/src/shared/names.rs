//! Names in queries: accessions of studies and assemblies in the catalogue, sources of own data,
//! and suggestions for unknown names.

use std::cell::{Cell, OnceCell};
use std::ops::RangeInclusive;
use std::sync::Arc;

use api_catalogue::{Snapshot, known, selected};
use api_http::SourceError;
use store::{BiomeTable, ProteinAccession, QueryPlace, Resolved, near_names};
use store_catalogue::model::{SAMPLES, STUDIES};
use store_proteins::{NO_ACCESSION, QueryField, QueryNames, is_accession};

use super::accessions::{archive_accession, is_archive_accession, num_proteins, resource_type};
use super::release::Release;
use super::suggestions::{Kind, suggest};
use super::words::{Fit, Words};

/// The most unknown values of a request that get suggestions: each is compared with all names.
const NEAR_MAX: usize = 3;

const SUGGESTIONS_MAX: usize = 3;

/// The most accessions of studies or assemblies that are compared with an unknown one.
const COMPARED_MAX: usize = 10_000;

/// The most studies or assemblies that conditions of the catalogue may select. Each is checked for
/// proteins.
const SELECTED_MAX: usize = 10_000;

/// The fewest bytes of a word. Shorter words are in many names.
const WORD_BYTES_MIN: usize = 3;

/// Looks up the names in the queries of one request.
pub struct Names<'a> {
    release: &'a Release,
    /// If set, everything that takes longer than a moment is refused.
    is_quick: bool,
    num_near: Cell<usize>,
    /// The catalogue for the conditions in all queries of the request.
    snapshot: OnceCell<Snapshot>,
}

impl<'a> Names<'a> {
    /// Begins a request.
    pub fn new(release: &'a Release) -> Self {
        Self { release, is_quick: false, num_near: Cell::default(), snapshot: OnceCell::new() }
    }

    /// Begins a request in which anything that takes longer than a moment fails with
    /// [`SourceError::TooMuchWork`].
    pub(crate) fn quick(release: &'a Release) -> Self {
        Self { is_quick: true, ..Self::new(release) }
    }

    fn check_time(&self) -> Result<(), SourceError> {
        if self.is_quick { Err(SourceError::TooMuchWork) } else { Ok(()) }
    }

    /// Returns the accessions of studies or assemblies that find proteins.
    fn with_proteins(&self, field: QueryField, all: Vec<Vec<String>>) -> Result<Vec<String>, SourceError> {
        let mut with_proteins = Vec::new();
        for accession in all.into_iter().flatten() {
            if num_proteins(&self.release.data, field, &accession)? > 0 {
                with_proteins.push(accession);
            }
        }
        Ok(with_proteins)
    }

    /// Returns the accessions that find the proteins of the assemblies of a sample.
    fn sample_accessions(&self, accession: &str) -> Result<Result<Vec<String>, String>, SourceError> {
        self.check_time()?;
        let catalogue = match &self.release.catalogue {
            Ok(catalogue) => catalogue,
            Err(absence) => return Ok(Err(format!("{absence}, so the assemblies of samples are unknown"))),
        };
        match selected::assemblies_of_sample(catalogue, accession)? {
            Some(assemblies) => self.with_proteins(QueryField::Assembly, assemblies).map(Ok),
            None => Ok(Err("no sample of the catalogue has this accession".to_owned())),
        }
    }
}

impl QueryNames for Names<'_> {
    type Failure = SourceError;

    fn biomes(&self) -> &BiomeTable {
        self.release.data.biomes()
    }

    /// Accessions of proteins come before those of the catalogue. If the text has the form of an
    /// accession of proteins, it is accepted even without proteins.
    fn accessions(&self, field: QueryField, accession: &str) -> Result<Result<Vec<String>, String>, SourceError> {
        let Release { data, catalogue, .. } = self.release;
        if field == QueryField::Sample {
            return self.sample_accessions(accession);
        }
        let unchanged = || vec![accession.to_owned()];
        if accession.is_empty() {
            return Ok(Err(NO_ACCESSION.to_owned()));
        }
        if num_proteins(data, field, accession)? > 0 {
            return Ok(Ok(unchanged()));
        }
        self.check_time()?;
        if let Ok(catalogue) = catalogue {
            let accessions = known::accessions(catalogue, resource_type(field), accession)?;
            if !accessions.is_empty() {
                let with_proteins = self.with_proteins(field, vec![accessions.clone()])?;
                return Ok(Ok(if with_proteins.is_empty() {
                    vec![archive_accession(field, accessions)]
                } else {
                    with_proteins
                }));
            }
        }
        if is_archive_accession(field, accession) {
            return Ok(Ok(unchanged()));
        }
        Ok(Err(match catalogue {
            _ if !is_accession(accession) => NO_ACCESSION.to_owned(),
            Ok(_) => format!("no protein and no {field} of the catalogue has this accession"),
            Err(absence) => format!("no protein has this accession, and {absence}, so other accessions are unknown"),
        }))
    }

    /// Accessions without proteins are left out.
    fn selected(&self, field: QueryField, place: QueryPlace<'_>) -> Resolved<Vec<String>, SourceError> {
        self.check_time()?;
        let catalogue = match &self.release.catalogue {
            Ok(catalogue) => catalogue,
            Err(absence) => return Ok(Err(vec![place.fault(absence.clone(), field.understood())])),
        };
        let (resource_type, field) =
            if field == QueryField::Study { (STUDIES, field) } else { (SAMPLES, QueryField::Assembly) };
        let snapshot = self.snapshot.get_or_init(|| Snapshot::new(Arc::clone(catalogue)));
        match selected::selected(snapshot, resource_type, place, SELECTED_MAX)? {
            Ok(selected) => self.with_proteins(field, selected).map(Ok),
            Err(faults) => Ok(Err(faults)),
        }
    }

    fn source(&self, name: &str) -> Option<RangeInclusive<ProteinAccession>> {
        self.release.data.find_source(name)
    }

    fn near(&self, field: QueryField, value: &str) -> Result<Vec<String>, SourceError> {
        self.check_time()?;
        self.num_near.set(self.num_near.get() + 1);
        if self.num_near.get() > NEAR_MAX {
            return Ok(Vec::new());
        }
        let data = &self.release.data;
        if field == QueryField::Source {
            return Ok(near_names(data.source_names(), value));
        }
        let known = data.accession_counts(field, "", COMPARED_MAX)?;
        let similar = near_names(known.iter().map(|(accession, _)| &**accession), value);
        let similar: Vec<String> = similar.iter().map(|name| data.spelled(field, name)).collect::<Result<_, _>>()?;
        let words = Words::of(value);
        let Some(kind) = Kind::of(field).filter(|_| similar.is_empty() && words.are_long(WORD_BYTES_MIN)) else {
            return Ok(similar);
        };
        let found = suggest(self.release, kind, &words, SUGGESTIONS_MAX)?;
        Ok(found.into_iter().filter(|found| found.fit < Fit::Within).map(|found| found.value).collect())
    }
}
