//! The colours of families: all families of a clan have the same.

use store::{FamilyTable, PfamAccession};

/// The last colour is that of all clans without one of their own.
const NUM_COLOURS: usize = 10;

/// The clans and the families without a clan that have colours, as they are asked for.
pub(crate) struct FamilyColours<'a> {
    families: &'a FamilyTable,
    names: Vec<String>,
}

impl<'a> FamilyColours<'a> {
    pub(crate) fn new(families: &'a FamilyTable) -> Self {
        Self { families, names: Vec::new() }
    }

    /// Returns the colour of a family.
    pub(crate) fn of(&mut self, family: PfamAccession) -> usize {
        let name = match self.families.get(family).and_then(|known| known.clan.as_deref()) {
            Some(clan) => format!("{clan} {}", self.families.clan_name(clan).unwrap_or_default()).trim_end().to_owned(),
            None => self.described(family),
        };
        let colour = self.names.iter().position(|known| *known == name).unwrap_or(self.names.len());
        if colour == self.names.len() {
            self.names.push(name);
        }
        colour.min(NUM_COLOURS - 1)
    }

    /// Returns the accession of a family with its name.
    pub(crate) fn described(&self, family: PfamAccession) -> String {
        let name = self.families.get(family).map(|known| &*known.name).unwrap_or_default();
        format!("{family} {name}").trim_end().to_owned()
    }

    /// Returns the classes of the colours with their meanings.
    pub(crate) fn legend(mut self) -> Vec<(String, String)> {
        if self.names.len() > NUM_COLOURS {
            self.names.truncate(NUM_COLOURS - 1);
            self.names.push("other clans".to_owned());
        }
        (0..).zip(self.names).map(|(colour, name)| (format!("colour-{colour}"), name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clans_share_a_colour_and_the_last_one_is_that_of_all_others() {
        let mut families = FamilyTable::default();
        families.insert(PfamAccession(5), "ABC transporter", Some("CL0023"));
        families.insert(PfamAccession(6), "Other", Some("CL0023"));
        families.insert(PfamAccession(7), "Alone", None);
        families.name_clan("CL0023", "P-loop");
        let mut colours = FamilyColours::new(&families);
        let shown = [5, 7, 6, 8, 7].map(|family| colours.of(PfamAccession(family)));
        assert_eq!(shown, [0, 1, 0, 2, 1]);
        let more: Vec<_> = (10..20).map(|family| colours.of(PfamAccession(family))).collect();
        assert_eq!(more, [3, 4, 5, 6, 7, 8, 9, 9, 9, 9]);
        let legend: Vec<_> = colours.legend().into_iter().map(|(class, name)| format!("{class} {name}")).collect();
        assert_eq!(legend[..3], ["colour-0 CL0023 P-loop", "colour-1 PF00007 Alone", "colour-2 PF00008"]);
        assert_eq!((legend.len(), &*legend[9]), (10, "colour-9 other clans"));
        let mut ten = FamilyColours::new(&families);
        assert_eq!((1..=10).map(|family| ten.of(PfamAccession(family + 50))).max(), Some(9));
        assert_eq!(ten.legend()[9].1, "PF00060");
    }
}
