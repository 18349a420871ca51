//! Proteins with everything that a release has about them.

/// A Pfam match.
#[derive(Clone)]
pub(crate) struct Hit {
    /// The number of the family: 5 for `PF00005`.
    pub(crate) family: u64,
    /// The independent e-value.
    pub(crate) evalue: f64,
    /// The bit score, with the precision of 32 bits.
    pub(crate) score: f64,
    /// From and to in the model, 1-based and inclusive.
    pub(crate) hmm: (u32, u32),
    /// From and to in the sequence, 1-based and inclusive.
    pub(crate) envelope: (u32, u32),
}

/// The locus of a protein on a contig.
#[derive(Clone)]
pub(crate) struct Locus {
    /// The number of the occurrence, unique within the release.
    pub(crate) occurrence: u64,
    /// Index into the [`Assemblies`](crate::assemblies::Assemblies).
    pub(crate) assembly: u32,
    /// The number of the contig: 5 for `MGYC000000000005`.
    pub(crate) contig: u64,
    pub(crate) contig_name: String,
    pub(crate) contig_length: u32,
    /// K-mer coverage, known only if the name of the contig has it.
    pub(crate) coverage: Option<f64>,
    /// The first base, 1-based.
    pub(crate) start: u32,
    /// The last base, 1-based.
    pub(crate) end: u32,
    /// 1 or -1.
    pub(crate) strand: i8,
    /// A `0` or `1` for each end that is whole or cut off, if the gene caller says so.
    pub(crate) truncation: Option<&'static str>,
    /// The number of the gene caller.
    pub(crate) caller: u8,
}

#[derive(Default)]
pub(crate) struct Protein {
    /// The number of the accession: 5 for `MGYP000000000005`.
    pub(crate) id: u64,
    /// The number of the representative's accession.
    pub(crate) representative: u64,
    pub(crate) full_length: bool,
    pub(crate) sequence: String,
    pub(crate) hits: Vec<Hit>,
    /// The loci, at least one.
    pub(crate) loci: Vec<Locus>,
    /// Lineages, ascending, with the number of loci in each.
    pub(crate) biomes: Vec<(u16, u32)>,
}

impl Protein {
    pub(crate) fn is_representative(&self) -> bool {
        self.id == self.representative
    }
}
