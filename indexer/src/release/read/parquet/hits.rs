//! Rows of Pfam hits.

use arrow_schema::ArrowError;

use crate::rejects::{Reason, Rejection};
use crate::release::read::checks::{self, Annotation};
use crate::release::read::fault::Fault;
use crate::release::read::rows::PfamRow;

use super::cells::{Columns, Reals, Wholes, WholesOrTexts};

pub(super) struct PfamColumns {
    pub(super) protein: WholesOrTexts,
    /// Families or clans.
    family: WholesOrTexts,
    evalue: Reals,
    score: Reals,
    /// From and to in the profile, from and to of the envelope.
    coordinates: [Wholes; 4],
}

impl PfamColumns {
    pub(super) fn take(columns: &mut Columns) -> Result<Self, ArrowError> {
        Ok(Self {
            protein: columns.take()?,
            family: columns.take()?,
            evalue: columns.take()?,
            score: columns.take()?,
            coordinates: [columns.take()?, columns.take()?, columns.take()?, columns.take()?],
        })
    }

    pub(super) fn row(&self, row: usize) -> Result<PfamRow, Fault> {
        let family = match &self.family {
            WholesOrTexts::Wholes(families) => checks::family(families.get_or(Reason::BadFamily, row)?)?,
            WholesOrTexts::Texts(families) => match checks::annotation(families.get_or(Reason::BadFamily, row)?)? {
                Annotation::Family(family) => family,
                Annotation::Clan => return Err(Fault::Clan),
            },
        };
        let scores = match (self.evalue.get(row)?, self.score.get(row)?) {
            (Some(evalue), Some(score)) => (evalue, score),
            (None, _) => return Err(Rejection::new(Reason::BadNumber, "i_evalue is missing").into()),
            (_, None) => return Err(Rejection::new(Reason::BadNumber, "score is missing").into()),
        };
        let [hmm_from, hmm_to, env_from, env_to] = &self.coordinates;
        Ok(PfamRow {
            family,
            scores: Some(scores),
            hmm: Some((hmm_from.position(row)?, hmm_to.position(row)?)),
            envelope: (env_from.position(row)?, env_to.position(row)?),
        })
    }
}
