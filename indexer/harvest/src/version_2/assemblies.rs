//! Assemblies, their genomes and runs.

use indexer::Result;
use indexmap::IndexMap;
use serde_json::json;

use super::{ASSEMBLIES, ASSEMBLY_RUNS, CONTAINED_GENOMES, GENOME_LINKS, accession, detail, list, raw, to_line};
use crate::Analyses;
use crate::objects::member;
use crate::walk::{Walk, segment};

pub(super) fn assembly(walk: &mut Walk, id: &str, row: &str, is_analysed: bool) -> Result<()> {
    let path = format!("assemblies/{}", segment(id));
    let Some(assembly) = detail(walk, &path, ASSEMBLIES, id, row)? else { return Ok(()) };
    for (kind, name) in [(GENOME_LINKS, "genome-links"), (CONTAINED_GENOMES, "additional-contained-genomes")] {
        let mut items = Vec::new();
        walk.list(list(&format!("{path}/{name}"), "", |text| Some(text.to_owned())), |_, row| {
            items.push(row.text.to_owned());
            Ok(())
        })?;
        if !items.is_empty() {
            let (id_text, items) = (json!(id).to_string(), format!("[{}]", items.join(", ")));
            let members = IndexMap::from([(kind.id, raw(&id_text)?), ("items", raw(&items)?)]);
            walk.writer.line(kind.name, id, &to_line(&members)?)?;
        }
    }
    // The analyses of an assembly name its runs; the assembly itself names at most the first of
    // them.
    if is_analysed || walk.analyses < Analyses::Annotations {
        return Ok(());
    }
    let sample = member(&assembly, "sample_accession").filter(|sample| walk.writer.objects.has("samples", sample));
    let Some(sample) = sample else { return Ok(()) };
    let (mut candidates, mut runs) = (Vec::new(), Vec::new());
    walk.list(list(&format!("samples/{}/runs/", segment(&sample)), "", accession), |_, row| {
        candidates.push(row.id);
        Ok(())
    })?;
    for run in &candidates {
        walk.list(list(&format!("runs/{}/assemblies/", segment(run)), "", accession), |_, row| {
            runs.extend((row.id == id).then_some(run));
            Ok(())
        })?;
    }
    if runs.is_empty() {
        return Ok(());
    }
    walk.writer.line(ASSEMBLY_RUNS.name, id, &json!({"assembly": id, "runs": runs}).to_string())
}
