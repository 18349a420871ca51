//! The Pfam table: `Pfam-A.clans.tsv`, without header: accession, clan accession, clan id, family id, description.

use store::FamilyTable;

use super::{line_of, open_tsv, unreadable};
use crate::input::Input;
use crate::{Error, Result};

const COLUMNS: usize = 5;

/// How older tables write that a family has no clan.
const NULL: &str = "\\N";

pub(crate) fn read_families(input: &Input) -> Result<FamilyTable> {
    let mut families = FamilyTable::default();
    for row in open_tsv(input, false)?.records() {
        let row = row.map_err(|error| unreadable(input, error))?;
        let table_error = |problem: String| Error::table(&input.name(), line_of(&row), problem);
        let fields: Vec<&str> = row.iter().collect();
        let &[accession, clan, _, _, name] = fields.as_slice() else {
            return Err(table_error(format!("expected {COLUMNS} columns, found {}", fields.len())));
        };
        let accession = accession.parse().map_err(|_| table_error(format!("{accession:?} is not a Pfam accession")))?;
        let clan = Some(clan).filter(|clan| !clan.is_empty() && *clan != NULL);
        if !families.insert(accession, name, clan) {
            return Err(table_error(format!("{accession} appears twice")));
        }
    }
    if families.iter().next().is_none() {
        return Err(Error::table(&input.name(), 0, "the table is empty"));
    }
    Ok(families)
}

#[cfg(test)]
mod tests {
    use store::PfamAccession;

    use super::*;

    fn read(text: &'static str) -> Result<FamilyTable> {
        read_families(&Input::Bundled { name: "clans.tsv", bytes: text.as_bytes() })
    }

    #[test]
    fn a_family_may_have_no_clan() {
        let families = read(
            "PF00005\tCL0023\tP-loop_NTPase\tABC_tran\tABC transporter\n\
             PF04659\t\t\tArch_fla_DE\tArchaeal flagella protein \n\
             PF04660\t\\N\t\\N\tDUF\tA \"quoted\" family\n",
        )
        .expect("well formed");
        let clan = |number| families.get(PfamAccession(number)).expect("read").clan.as_deref();
        assert_eq!([clan(5), clan(4659), clan(4660)], [Some("CL0023"), None, None]);
        assert_eq!(&*families.get(PfamAccession(4660)).expect("read").name, "A \"quoted\" family");
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        for (text, expected) in [
            ("PF00005\tCL0023\n", "clans.tsv, line 1: expected 5 columns, found 2"),
            ("PF00005\t\t\ta\tb\nCL0023\t\t\ta\tb\n", "clans.tsv, line 2: \"CL0023\" is not a Pfam accession"),
            ("PF00005\t\t\ta\tb\nPF00005\t\t\ta\tb\n", "clans.tsv, line 2: PF00005 appears twice"),
        ] {
            assert_eq!(read(text).expect_err(text).to_string(), expected);
        }
        let input = Input::Bundled { name: "clans.tsv", bytes: b"PF00001\t\t\ta\tb\nPF00005\t\xff\t\ta\tb\n" };
        let told = read_families(&input).expect_err("not UTF-8").to_string();
        assert_eq!(told, "clans.tsv, line 2: column 2 is not UTF-8 text");
    }
}
