//! The values that documents have in a column, many documents at once.

use tantivy::DocId;
use tantivy::columnar::Column;

/// Reads a column into reused buffers.
#[derive(Default)]
pub(super) struct Values {
    docs: Vec<DocId>,
    rows: Vec<u32>,
    numbers: Vec<u64>,
}

impl Values {
    /// Passes the values of each document that has any to `visit`, and returns the number of these
    /// documents.
    pub(super) fn visit(&mut self, column: &Column, docs: &[DocId], mut visit: impl FnMut(&[u64])) -> u64 {
        self.docs.clear();
        self.rows.clear();
        column.row_ids_for_docs(docs, &mut self.docs, &mut self.rows);
        self.numbers.resize(self.rows.len(), 0);
        column.values.get_vals(&self.rows, &mut self.numbers);
        let (mut values, mut num_docs) = (&self.numbers[..], 0);
        for same in self.docs.chunk_by(|doc, next| doc == next) {
            let (of_doc, others) = values.split_at(same.len());
            values = others;
            visit(of_doc);
            num_docs += 1;
        }
        num_docs
    }
}
