//! The domain architecture of a protein: its families in the order of their domains.

use store::{FamilyTable, PfamAccession};

use crate::PfamAnnotation;

/// The most domains of an architecture that are listed, so that a value has at most 403 bytes.
const DOMAINS_MAX: usize = 50;

/// The place of all further domains.
const FURTHER: &str = "...";

/// Returns the accessions of the families in the order of their domains along the sequence, one for
/// each domain, such as `PF00664-PF00005`. Returns `None` if there are no domains.
pub fn architecture(annotations: &[PfamAnnotation]) -> Option<String> {
    let mut hits: Vec<_> = annotations.iter().map(|annotation| annotation.hit).collect();
    hits.sort_by_key(|hit| (hit.env_start, hit.env_end, hit.family));
    let mut parts: Vec<_> = hits.iter().take(DOMAINS_MAX).map(|hit| hit.family.to_string()).collect();
    parts.extend((hits.len() > DOMAINS_MAX).then(|| FURTHER.to_owned()));
    (!parts.is_empty()).then(|| parts.join("-"))
}

/// Returns the names of the families of an architecture, or the accessions of families without a
/// name.
pub fn architecture_name(architecture: &str, families: &FamilyTable) -> String {
    let name = |part: &str| match part.parse::<PfamAccession>().map(|family| families.get(family)) {
        Ok(Some(family)) => family.name.to_string(),
        Ok(None) => part.to_owned(),
        Err(_) => "…".to_owned(),
    };
    architecture.split('-').map(name).collect::<Vec<_>>().join(" – ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PfamHit;

    fn annotation((family, env_start, env_end): (u64, u32, u32)) -> PfamAnnotation {
        let family = PfamAccession(family);
        let hit = PfamHit { family, evalue: 0.0, bit_score: 1.0, hmm_start: 1, hmm_end: 2, env_start, env_end };
        PfamAnnotation { hit, name: "".into(), clan: None }
    }

    fn of(domains: &[(u64, u32, u32)]) -> Option<String> {
        architecture(&domains.iter().copied().map(annotation).collect::<Vec<_>>())
    }

    #[test]
    fn domains_are_listed_along_the_sequence() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(5, 300, 400)]).as_deref(), Some("PF00005"));
        let repeated = [(5, 300, 400), (664, 10, 200), (5, 450, 500), (5, 510, 600)];
        assert_eq!(of(&repeated).as_deref(), Some("PF00664-PF00005-PF00005-PF00005"));
        // The shorter of two that begin together is first, then the lower accession.
        assert_eq!(of(&[(1, 5, 90), (9, 5, 40), (8, 5, 40)]).as_deref(), Some("PF00008-PF00009-PF00001"));
    }

    #[test]
    fn further_domains_are_not_listed() {
        let domains: Vec<_> = (0..51).map(|place| (400, 1 + 9 * place, 9 + 9 * place)).collect();
        let fifty = ["PF00400"; 50].join("-");
        assert_eq!(of(&domains[..50]), Some(fifty.clone()));
        let longest = of(&domains).expect("domains");
        assert_eq!((longest.clone(), longest.len()), (format!("{fifty}-..."), 403));
        assert!(architecture_name(&longest, &FamilyTable::default()).ends_with("PF00400 – PF00400 – …"));
    }

    #[test]
    fn names_are_those_of_known_families() {
        let mut families = FamilyTable::default();
        families.insert(PfamAccession(5), "ABC transporter", None);
        assert_eq!(
            architecture_name("PF00005-PF99999-PF00005", &families),
            "ABC transporter – PF99999 – ABC transporter"
        );
    }
}
