//! Proteins that are near others on contigs.

use axum::http::StatusCode;
use serde_json::json;
use support::{PROTEINS_V2, get};

use crate::services::proteins::v2::contigs::{accession, with_contigs};
use crate::services::proteins::v2::{ask, router_of_rows};

#[tokio::test]
async fn near_proteins_are_conditions_of_queries() {
    let (_folder, router) = with_contigs(false);
    let found = async |query: &str| {
        let page = ask(&router, &format!("/proteins?fields=accession&count=exact&q={query}")).await.json();
        let results = page["results"].as_array().expect("a list").clone();
        assert_eq!(page["total"], json!({"value": results.len(), "relation": "eq"}), "{query}");
        results.iter().map(|result| result["accession"].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    // The first contig has the genes of 5, 8, 5, 5, 6 and 8, if members count for them.
    for (query, expected) in [
        ("near(*,*,1)", &[5, 6, 8][..]),
        ("near(*, accession:6, 1)", &[5, 8]),
        ("near(*, accession:6, 1, same)", &[5]),
        ("near(accession:8, accession:8, 3)", &[]),
        ("near(accession:8, accession:8, 4, SAME)", &[]),
        ("near(accession:8, accession:8, 5)", &[8]),
        ("near(accession:5, accession:5, 1)", &[5]),
        ("near(accession:5, accession:5, 1, same)", &[]),
        ("near(accession:5, near(*, accession:6, 1) AND NOT accession:5, 4)", &[5]),
        ("accession:[1 TO 9] AND NOT near(*, accession:8, 1)", &[8]),
        ("accession:[1 TO 9] AND NOT near(*, accession:8, 1, same)", &[5, 6, 8]),
        ("near(source:mine, *, 100)", &[]),
    ] {
        let query = query.replace(' ', "+");
        let expected: Vec<_> = expected.iter().copied().map(accession).collect();
        assert_eq!(found(&query).await, expected, "{query}");
    }
    let (mut listed, mut path) = (Vec::new(), format!("{PROTEINS_V2}/proteins?q=near(*,*,1)&limit=1"));
    loop {
        let page = get(&router, &path).await.json();
        listed.extend(page["results"].as_array().expect("a list").iter().map(|result| result["accession"].clone()));
        let Some(next) = page["next"].as_str() else { break };
        path = next.strip_prefix("http://mgdex.test").expect("absolute").to_owned();
    }
    assert_eq!(listed, [5, 6, 8].map(accession));
    let stream = ask(&router, "/proteins?q=near(*,*,1)&format=tsv&fields=accession").await;
    assert_eq!(stream.text().lines().skip(1).collect::<Vec<_>>(), [5, 6, 8].map(accession));
    let facets = ask(&router, "/facets?by=length&q=near(*,accession:6,1)").await.json();
    assert_eq!(facets["total"]["value"], 2, "{facets}");
    let sample = ask(&router, "/proteins?q=near(*,*,1)&random=2&seed=1&fields=accession").await.json();
    assert_eq!(sample["results"].as_array().map(Vec::len), Some(2), "{sample}");

    let answer = ask(&router, "/proteins?q=near(*,+pfam:PF1,+0)").await.json();
    assert_eq!(answer["detail"][0]["ctx"], json!({"start": 18, "end": 19}), "{answer}");
    let (_folder, router) = router_of_rows();
    for path in ["/proteins?q=near(*,*,1)", "/facets?by=pfam&q=NOT+near(*,*,1)"] {
        let answer = ask(&router, path).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}");
        let expected = "This index has no contigs: it was made without `mgdex index --contigs`.";
        assert_eq!(
            (&answer.json()["detail"][0]["msg"], &answer.json()["detail"][0]["loc"]),
            (&json!(expected), &json!(["query", "q"]))
        );
    }
}
