//! Proteins with all that a release says of them.

/// A Pfam hit.
#[derive(Clone)]
pub(crate) struct Hit {
    /// The number of the family.
    pub(crate) family: u64,
    /// The independent e-value.
    pub(crate) evalue: f64,
    /// The bit score, a 32-bit number that was widened.
    pub(crate) score: f64,
    /// Start and end in the model.
    pub(crate) hmm: (u32, u32),
    /// Start and end in the sequence.
    pub(crate) env: (u32, u32),
}

/// An occurrence on a contig.
#[derive(Clone)]
pub(crate) struct Place {
    /// The number of the occurrence.
    pub(crate) occurrence: u64,
    /// The assembly, by position.
    pub(crate) assembly: u32,
    /// The number of the contig.
    pub(crate) contig: u64,
    /// The name of the contig.
    pub(crate) contig_name: String,
    /// The length of the contig.
    pub(crate) contig_length: u32,
    /// How often the contig was seen, where its name tells.
    pub(crate) coverage: Option<f64>,
    /// The first base.
    pub(crate) start: u32,
    /// The last base.
    pub(crate) end: u32,
    /// 1 or -1.
    pub(crate) strand: i8,
    /// Which ends are cut off, where the gene caller tells.
    pub(crate) truncation: Option<&'static str>,
    /// The gene caller.
    pub(crate) caller: u8,
}

/// A protein. Its buffers are used again for the next one.
#[derive(Default)]
pub(crate) struct Protein {
    /// The number of the accession.
    pub(crate) id: u64,
    /// That of the representative of its cluster.
    pub(crate) representative: u64,
    /// Whether neither end is cut off.
    pub(crate) full_length: bool,
    /// The residues.
    pub(crate) sequence: String,
    /// In no order.
    pub(crate) hits: Vec<Hit>,
    /// At least one.
    pub(crate) places: Vec<Place>,
    /// Each lineage with the number of places there, ascending.
    pub(crate) biomes: Vec<(u16, u32)>,
}

impl Protein {
    /// Tells whether it stands for its cluster.
    pub(crate) fn is_representative(&self) -> bool {
        self.id == self.representative
    }
}
