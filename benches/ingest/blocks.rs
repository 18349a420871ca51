//! The rival in size: records in a plain form, in blocks that a general method compresses.

use store_proteins::{ProteinGeneration, ProteinQuery};
use zstd::bulk::Compressor;

use crate::plain::{Numbers, Plain};
use crate::run::Run;

/// The level of compression.
const ZSTD_LEVEL: i32 = 3;

/// The sizes of blocks.
const BLOCK_BYTES: [usize; 2] = [4 << 10, 16 << 10];

/// The sizes of the records in some form.
pub(crate) struct Size {
    pub(crate) name: String,
    /// The bytes a record.
    pub(crate) bytes_per_record: f64,
}

/// A form whose size is added up.
struct Form {
    plain: Plain,
    /// The form of whole numbers.
    numbers: Numbers,
    /// A block is full at this size.
    block_bytes: usize,
    block: Vec<u8>,
    /// The bytes before compression.
    plain_bytes: usize,
    /// The bytes of the compressed blocks.
    compressed_bytes: usize,
    compressor: Compressor<'static>,
}

impl Form {
    fn flush(&mut self) {
        self.plain_bytes += self.block.len();
        self.compressed_bytes += self.compressor.compress(&self.block).expect("memory").len();
        self.block.clear();
    }
}

/// Writes all records of an index in all forms.
pub(crate) fn measure(generation: ProteinGeneration, run: &Run) -> Vec<Size> {
    let mut forms = Vec::new();
    for numbers in [Numbers::Fixed, Numbers::Varints] {
        for block_bytes in BLOCK_BYTES {
            forms.push(Form {
                plain: Plain::new(numbers, generation.biomes()),
                numbers,
                block_bytes,
                block: Vec::new(),
                plain_bytes: 0,
                compressed_bytes: 0,
                compressor: Compressor::new(ZSTD_LEVEL).expect("a level"),
            });
        }
    }
    for hit in generation.search(&ProteinQuery::Everything, usize::MAX).expect("readable") {
        let protein = generation.fetch(hit.accession).expect("readable").expect("a hit");
        for form in &mut forms {
            form.plain.put(&protein, &mut form.block);
            if form.block.len() >= form.block_bytes {
                form.flush();
            }
        }
    }
    let num_proteins = generation.statistics().num_proteins as f64;
    drop(generation);
    let mean = |size_bytes: usize| size_bytes as f64 / num_proteins;
    let mut sizes = vec![Size {
        name: "mgdex".to_owned(),
        bytes_per_record: run.number("record_bytes") as f64 / run.num_indexed() as f64,
    }];
    for mut form in forms {
        form.flush();
        let name = format!("{:?} in zstd blocks of {} KiB", form.numbers, form.block_bytes >> 10);
        sizes.push(Size { name, bytes_per_record: mean(form.compressed_bytes) });
        if form.block_bytes == BLOCK_BYTES[0] {
            let name = format!("{:?} not compressed", form.numbers);
            sizes.push(Size { name, bytes_per_record: mean(form.plain_bytes) });
        }
    }
    sizes
}
