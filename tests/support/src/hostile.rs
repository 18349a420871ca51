//! Resources with texts that look like scripts, and texts that look like several cells.

use serde_json::{Value, json};

/// A text that would run if it were not escaped.
pub const SCRIPT: &str = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>";

/// The study, and a sample of it.
pub const HOSTILE: [&str; 2] = ["MGYS99999999", "ERS99999999"];

/// Returns the study and the sample.
pub fn hostile() -> [Value; 2] {
    let [study, sample] = HOSTILE;
    let of_study = json!({
        "type": "studies", "id": study,
        "attributes": {"accession": study, "study-name": SCRIPT, "study-abstract": SCRIPT, "centre-name": SCRIPT},
        "relationships": {"samples": {"data": [{"type": "samples", "id": sample}]}},
    });
    let of_sample = json!({
        "type": "samples", "id": sample,
        "attributes": {
            "accession": sample, "sample-name": SCRIPT, "sample-desc": format!("javascript:{SCRIPT}"),
            "sample-metadata": [{"key": SCRIPT, "value": SCRIPT, "unit": SCRIPT}],
        },
        "relationships": {"studies": {"data": [{"type": "studies", "id": study}]}},
    });
    [of_study, of_sample]
}

/// Descriptions that readers may misread: quotes, and characters that look like the end of a cell.
pub const TEXTS: [&str; 9] = [
    "aminoglycoside N-acetyltransferase APH(2\")-Ia",
    "\"partial",
    "\"whole\"",
    "partial\"",
    "\"",
    "5'-nucleotidase 'x",
    "a \\ backslash, comma; semicolon",
    "# no comment",
    "é ü 中",
];
