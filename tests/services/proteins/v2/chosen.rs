//! Random samples, and the first matches in the order of a number.

use crate::services::proteins::v2::{ask, next_of, numbers, page, router_of_rows, search};
use support::get;

#[tokio::test]
async fn orders_continue_from_page_to_page() {
    let (_folder, router) = router_of_rows();
    for (order, expected) in [
        ("length", [12, 14, 16, 13, 15]),
        ("-length", [15, 13, 12, 14, 16]),
        ("cluster_size", [13, 14, 16, 12, 15]),
        ("-cluster_size", [15, 12, 16, 13, 14]),
    ] {
        for limit in ["1", "2", "5"] {
            let mut path = search(&[("order", order), ("limit", limit)]);
            let mut found = Vec::new();
            loop {
                let page = page(&router, &path).await;
                found.extend(numbers(&page));
                assert_eq!((&page["total"]["value"], &page["total"]["relation"]), (&5.into(), &"eq".into()));
                let Some(next) = next_of(&page) else { break };
                path = next.to_owned();
            }
            assert_eq!(found, expected, "{order} {limit}");
        }
        let path = search(&[("order", order), ("format", "tsv"), ("fields", "accession"), ("limit", "4")]);
        let stream = get(&router, &path).await;
        let lines = expected[..4].iter().map(|number| format!("MGYP{number:012}\n"));
        assert_eq!(stream.text(), format!("accession\n{}", lines.collect::<String>()), "{order}");
    }
    let some = page(&router, &search(&[("order", "-length"), ("q", "NOT full_length:true")])).await;
    assert_eq!(numbers(&some), [13, 14, 16]);
}

#[tokio::test]
async fn samples_are_reproducible() {
    let (_folder, router) = router_of_rows();
    let sample = async |seed: &str| numbers(&page(&router, &search(&[("random", "3"), ("seed", seed)])).await);
    let first = sample("0").await;
    assert_eq!(first, numbers(&page(&router, &search(&[("random", "3")])).await), "0 unless it is given");
    assert!(first.len() == 3 && first != sample("1").await, "{first:?}");
    let stream = get(&router, &search(&[("random", "3"), ("seed", "1"), ("format", "ndjson")])).await;
    assert_eq!(stream.text().lines().count(), 3);
    let all = page(&router, &search(&[("random", "10000"), ("q", "has:pfam")])).await;
    assert_eq!((numbers(&all), &all["total"]["relation"]), (vec![12, 13, 15], &"eq".into()));
}

#[tokio::test]
async fn invalid_choices_are_refused() {
    let (_folder, router) = router_of_rows();
    for (query, message) in [
        ("random=0", "A sample must have from 1 to 10000 proteins."),
        ("random=10001", "A sample must have from 1 to 10000 proteins."),
        ("random=5&order=length", "neither an order nor pages"),
        ("random=5&after=12", "neither an order nor pages"),
        ("random=5&limit=5", "neither an order nor pages"),
        ("seed=1", "Only a random sample has a seed."),
        ("random=5&seed=x", "The seed must be a whole number"),
        ("order=accession", "The order must be length, -length, cluster_size or -cluster_size."),
        ("order=length&after=17", "MGYP000000000017 is not among the first 10000 matches of this order."),
    ] {
        let answer = ask(&router, &format!("/proteins?{query}")).await.checked(422, query);
        assert!(answer.text().contains(message), "{query}: {}", answer.text());
    }
}
