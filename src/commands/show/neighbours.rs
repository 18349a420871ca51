//! The genes around proteins in place of records.

use api_proteins::{NO_CONTIGS, NeighbourParameters, PlaceItem, places_around};
use store::ProteinAccession;
use store_proteins::Around;

use super::{RecordPrinter, ShowFormat};
use crate::commands::table::Table;
use crate::failure::Failure;

/// The places that are read at a time.
const PART_PLACES: usize = 100;

impl RecordPrinter {
    /// Prints the places of a protein, and the genes around each: a table, or a line of JSON.
    pub(super) fn print_neighbours(&mut self, protein: ProteinAccession, num_genes: u64) -> Result<(), Failure> {
        let around = Around { genes: Some(num_genes), ..Around::default() };
        let mut parameters = NeighbourParameters { around, members: false, after: None, limit: PART_PLACES };
        loop {
            let missing = || Failure::Message(NO_CONTIGS.to_owned());
            let contigs = self.proteins.contigs_of(protein).ok_or_else(missing)?;
            let (places, next) = places_around(&self.proteins, contigs, protein, parameters)?;
            for place in &places {
                match self.format {
                    ShowFormat::Table => self.place(place)?,
                    ShowFormat::Json => self.line(place)?,
                    ShowFormat::Fasta => {
                        return Err(Failure::Usage("neighbours have no sequences: choose table or json".to_owned()));
                    }
                }
            }
            parameters.after = next;
            if next.is_none() {
                return Ok(());
            }
        }
    }

    /// Prints a place: a line about the contig, and a line for each gene.
    fn place(&mut self, PlaceItem { contig, genes }: &PlaceItem) -> Result<(), Failure> {
        let length = contig.length.map(|length| format!(", {length} bases")).unwrap_or_default();
        self.output.line(format_args!("{} {}{length}", contig.assembly, contig.label()))?;
        let rows = genes.iter().map(|neighbour| {
            let gene = &neighbour.gene;
            let pfam = gene.pfam.iter().map(String::as_str).collect::<Vec<_>>().join(";");
            let columns = [&gene.accession, &gene.representative, gene.name.as_deref().unwrap_or_default(), &pfam];
            format!("{:+}\t{}\t{}\t{}\t{}", neighbour.offset, gene.start, gene.end, gene.strand, columns.join("\t"))
        });
        self.output.bytes(&Table::default().align(rows.collect::<Vec<_>>().join("\n").as_bytes()))?;
        self.output.line("")
    }
}
