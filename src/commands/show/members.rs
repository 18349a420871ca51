//! The members of clusters in place of records.

use api_proteins::{Formulas, MEMBER_COLUMNS, MEMBERS_PART, Member, NO_MEMBERS, ResultFormat, write_head, write_rows};
use store::ProteinAccession;

use super::{RecordPrinter, ShowFormat, find_or_successor};
use crate::failure::Failure;

impl RecordPrinter {
    /// Prints the line before all members.
    pub(super) fn begin_members(&mut self) -> Result<(), Failure> {
        if self.proteins.members().is_none() {
            return Err(Failure::Message(NO_MEMBERS.to_owned()));
        }
        let mut head = Vec::new();
        write_head(MEMBER_COLUMNS, self.members_format()?, &mut head);
        self.output.bytes(&head)
    }

    /// Prints the members of the cluster of a protein. Returns false if it does not exist.
    pub(super) fn print_members(&mut self, protein: ProteinAccession) -> Result<bool, Failure> {
        let representative = match self.proteins.representative(protein)? {
            Some(representative) => representative,
            None => match find_or_successor(&self.proteins, protein)? {
                Some(found) => found.accession,
                None => return Ok(false),
            },
        };
        let Some(members) = self.proteins.members().filter(|_| !representative.is_own()) else {
            return Err(Failure::Message(format!("{protein} is own data, which has no clusters")));
        };
        let (format, mut after) = (self.members_format()?, None);
        loop {
            let found = members.find(representative, after, MEMBERS_PART)?;
            let mut text = Vec::new();
            let rows = Member::all(&found, representative);
            write_rows(&rows, MEMBER_COLUMNS, format, Formulas::Kept, &mut text)?;
            self.output.bytes(&text)?;
            after = found.last().copied();
            if found.len() < MEMBERS_PART {
                return Ok(true);
            }
        }
    }

    fn members_format(&self) -> Result<ResultFormat, Failure> {
        match self.format {
            ShowFormat::Table => Ok(ResultFormat::Tsv),
            ShowFormat::Json => Ok(ResultFormat::Ndjson),
            ShowFormat::Fasta => Err(Failure::Usage("members have no sequences: choose table or json".to_owned())),
        }
    }
}
