//! The links from a protein to its study, as far as the bundled data allow.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use api::Api;
use serde_json::json;
use support::{TestFolder, data, data_text};

use super::{addresses, file, page_of, visit_at};

/// The collections of which only resources named by assemblies are loaded.
const SOME: [&str; 2] = ["samples", "runs"];

/// The bundled proteins with made-up ones of bundled assemblies.
pub(super) static SITE: LazyLock<(TestFolder, Api)> = LazyLock::new(|| {
    let folder = TestFolder::of_sample();
    let annotations = data_text("proteins/synthetic/annotations.tsv");
    folder.add_source("synthetic", &data_text("proteins/synthetic/proteins.faa"), &annotations);
    let assemblies = data_text("catalogue/collections/assemblies.jsonl.gz");
    let mut inputs: Vec<_> = ["biomes", "studies", "assemblies"]
        .iter()
        .map(|name| data(&format!("catalogue/collections/{name}.jsonl.gz")))
        .collect();
    for name in SOME {
        let all = data_text(&format!("catalogue/collections/{name}.jsonl.gz"));
        let is_named = |line: &&str| {
            let resource: serde_json::Value = serde_json::from_str(line).expect("a resource");
            assemblies.contains(&format!("\"{}\"", resource["id"].as_str().expect("a text")))
        };
        let some: Vec<&str> = all.lines().filter(is_named).collect();
        inputs.push(file(&folder, &format!("{name}.jsonl"), &some.join("\n")));
    }
    let analyses = [("MGYA1", "run", "runs", "SRR873595"), ("MGYA2", "assembly", "assemblies", "ERZ477902")];
    let analyses = analyses.map(|(id, relation, of, named)| {
        let named = json!({"type": of, "id": named});
        json!({"type": "analysis-jobs", "id": id, "attributes": {}, "relationships": {relation: {"data": named}}})
            .to_string()
    });
    inputs.push(file(&folder, "analyses.jsonl", &analyses.join("\n")));
    folder.publish_catalogue(inputs.into_iter().map(indexer::Input::Path).collect());
    let api = folder.router();
    (folder, api)
});

/// Returns the first address on a page, in alphabetical order, of a resource of a collection.
fn link(page: &str, collection: &str) -> String {
    let prefix = format!("/portal/{collection}/");
    let found: BTreeSet<String> = addresses(page)
        .into_iter()
        .filter(|address| address.strip_prefix(&prefix).is_some_and(|id| !id.contains(['/', '?'])))
        .collect();
    found.into_iter().next().unwrap_or_else(|| panic!("no link to {collection}: {page}"))
}

/// Returns the number of proteins of a page, and the address of their search.
fn proteins(page: &str) -> Option<(String, String)> {
    let (_, fact) = page.split_once("<dt>Proteins</dt><dd>")?;
    let (fact, _) = fact.split_once("</a>")?;
    Some((fact.rsplit_once('>')?.1.to_owned(), addresses(fact).into_iter().next()?))
}

#[tokio::test]
async fn synthetic_proteins_lead_to_their_contigs_assemblies_runs_samples_and_studies() {
    let api = &SITE.1;
    let page = async |path: &str| page_of(&visit_at(api, path).await);

    let annotations = data_text("proteins/synthetic/annotations.tsv");
    let names: Vec<&str> = annotations.lines().skip(1).map(|row| row.split('\t').next().expect("a name")).collect();
    assert!(names.len() >= 30);
    for name in names {
        let redirect = visit_at(api, &format!("/portal/find?text={name}")).await;
        let protein = page(redirect.header("location")).await;
        assert!(protein.contains("class=\"own\"") && protein.contains("-contig-"), "{name}");
        let assembly = page(&link(&protein, "assemblies")).await;
        assert!(assembly.contains("<dt>Proteins</dt><dd><a href=\"/portal/search?assembly=ERZ"), "{name}");
        let run = page(&link(&assembly, "runs")).await;
        let sample = page(&link(&run, "samples")).await;
        for of in [&run, &sample] {
            let (count, search) = proteins(of).expect("proteins");
            assert!(page(&search).await.contains(&format!(">{count} protein")), "{name}: {search}");
        }
        for study in [link(&protein, "studies"), link(&run, "studies"), link(&sample, "studies")] {
            assert!(page(&study).await.contains("<h1>Study MGYS"), "{name}: {study}");
        }
    }
    let of_assembly = proteins(&page("/portal/assemblies/ERZ477902").await);
    assert!(of_assembly.is_some());
    for path in ["runs/SRR873595", "analyses/MGYA1", "analyses/MGYA2"] {
        assert_eq!(proteins(&page(&format!("/portal/{path}")).await), of_assembly, "{path}");
    }
}
