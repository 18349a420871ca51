#![allow(warnings)]
use api::catalogue::LocalCatalogue;
use api::{Api, ServiceConfig, Services};
use axum::body::Body;
use axum::extract::Request;
use http_body_util::BodyExt;
use std::sync::Arc;
use std::time::Instant;
use store::Generations;
use support::TestFolder;

#[test]
fn road() {
    let folder = TestFolder::of_sample();
    let mut load = support::program();
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(folder.path());
    load.args(
        ["biomes", "studies", "samples", "assemblies", "pipeline-tools"]
            .map(|name| support::data(&format!("catalogue/collections/{name}.jsonl.gz"))),
    );
    assert!(load.status().expect("the binary").success());
    let services = Services {
        proteins: folder.proteins(),
        catalogue: Arc::new(LocalCatalogue::open(Generations::new(folder.path().join("catalogue"))).expect("whole")),
        profiles: None,
    };
    let api = Api::new(&services, &ServiceConfig::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let n: u32 = std::env::var("N").map(|n| n.parse().unwrap()).unwrap_or(30000);
    let only = std::env::var("ONLY").unwrap_or_default();
    for (name, path) in [
        ("limit 50", "/metagenomics/proteins/api/v1/protein/search?biome_lineage=root&limit=50"),
        ("limit 1000", "/metagenomics/proteins/api/v1/protein/search?biome_lineage=root&limit=1000"),
        ("record", "/metagenomics/proteins/api/v1/protein/MGYP004580811409"),
        ("404", "/nothing"),
        ("25 samples", "/metagenomics/api/v1/samples"),
        ("single study", "/metagenomics/api/v1/studies/MGYS00002008"),
        ("100 biomes", "/metagenomics/api/v1/biomes?page_size=100"),
    ] {
        if !name.contains(&only) {
            continue;
        }
        runtime.block_on(async {
            let mut best = f64::MAX;
            let mut num = 0;
            for _ in 0..5 {
                let started = Instant::now();
                for _ in 0..n / 5 {
                    let request = Request::get(path).header("host", "bench").body(Body::empty()).unwrap();
                    let response = api.answer(request).await;
                    num = response.into_body().collect().await.unwrap().to_bytes().len();
                }
                best = best.min(started.elapsed().as_secs_f64() / f64::from(n / 5));
            }
            println!("{name:<15} {num:>8} bytes {:>8.2} µs", best * 1e6);
        });
    }
    let request = Request::get("/x").header("host", "bench").body(Body::empty()).unwrap();
    println!("future: {} bytes", std::mem::size_of_val(&api.answer(request)));
}
