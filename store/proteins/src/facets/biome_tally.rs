//! Numbers of proteins by biome.

use std::mem;

use store::{BiomeOrdinal, BiomeTable};
use tantivy::DocId;

use crate::segments::biome_column::ByBiome;
use crate::segments::segment::Segment;

use super::table::{ALL, Cells, FIRST_BIOME, NO_BIOME};
use super::values::Values;

/// Counts each protein once in each of its biomes, and once in each of their ancestors.
pub(super) struct BiomeTally<'a> {
    biomes: &'a BiomeTable,
    num_docs: u64,
    num_without: u64,
    /// By ordinal: the proteins of this biome alone. Their ancestors are added at the end.
    of_one: Vec<u64>,
    /// By ordinal: the other proteins, with their ancestors.
    of_several: Vec<u64>,
    sorted: ByBiome,
    codes: Vec<u64>,
    lineages: Vec<BiomeOrdinal>,
    values: Values,
}

impl<'a> BiomeTally<'a> {
    pub(super) fn new(biomes: &'a BiomeTable) -> Self {
        let zeros = || vec![0; biomes.iter().len()];
        Self {
            biomes,
            num_docs: 0,
            num_without: 0,
            of_one: zeros(),
            of_several: zeros(),
            sorted: ByBiome::default(),
            codes: Vec::new(),
            lineages: Vec::new(),
            values: Values::default(),
        }
    }

    pub(super) fn add(&mut self, segment: &Segment, docs: &[DocId]) {
        let Self { biomes, of_one, of_several, sorted, lineages, values, .. } = self;
        segment.biomes.sort(docs, &mut self.codes, sorted);
        for &biome in &sorted.of_one {
            of_one[biome as usize] += 1;
        }
        let ordinal = |&value: &u64| BiomeOrdinal::try_from(value).expect("checked when it was written");
        values.visit(segment.biomes.several(), &sorted.of_several, |values| {
            lineages.clear();
            lineages.extend(values.iter().flat_map(|value| biomes.self_and_ancestors(ordinal(value))));
            lineages.sort_unstable();
            lineages.dedup();
            for &biome in &*lineages {
                of_several[biome as usize] += 1;
            }
        });
        self.num_docs += docs.len() as u64;
        self.num_without += sorted.num_without;
    }

    /// Returns the cells of a row of the table, and begins again from zero.
    pub(super) fn take(&mut self) -> Cells {
        let mut cells = Cells::new();
        // Ancestors have lower ordinals.
        for index in (0..self.of_one.len()).rev() {
            let biome = BiomeOrdinal::try_from(index).expect("an ordinal");
            let of_one = mem::take(&mut self.of_one[index]);
            if let Some(parent) = self.biomes.self_and_ancestors(biome).nth(1) {
                self.of_one[parent as usize] += of_one;
            }
            cells.push((FIRST_BIOME + u64::from(biome), of_one + mem::take(&mut self.of_several[index])));
        }
        cells.extend([(NO_BIOME, mem::take(&mut self.num_without)), (ALL, mem::take(&mut self.num_docs))]);
        cells.retain(|&(_, count)| count > 0);
        cells.reverse();
        cells
    }
}
