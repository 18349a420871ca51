//! An accession may be written in many ways, and malformed ones are named.

use axum::http::StatusCode;

use crate::services::proteins::{detail, rows};
use support::{TestFolder, get_protein};

#[tokio::test]
async fn malformed_accessions_are_404_and_named() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for (requested, named) in [
        ("MGYP000000000016", "MGYP000000000016"),
        ("mgyp16", "mgyp16"),
        ("1000000000000", "1000000000000"),
        ("MGYP1000000000012", "MGYP1000000000012"),
        ("18446744073709551628", "18446744073709551628"),
        ("0", "0"),
        ("MGYP", "MGYP"),
        ("MGYC000000000012", "MGYC000000000012"),
        ("-12", "-12"),
        ("+12", "+12"),
        ("12.0", "12.0"),
        ("%2012", " 12"),
        ("12%2F13", "12/13"),
        ("%E2%82%AC", "€"),
        ("%D9%A1%D9%A2", "١٢"),
        ("%FF", "%FF"),
    ] {
        let text = detail(&get_protein(&router, &format!("/protein/{requested}")).await, StatusCode::NOT_FOUND);
        assert!(text.contains(&format!("'{named}'")), "{requested}: {text}");
    }
}
