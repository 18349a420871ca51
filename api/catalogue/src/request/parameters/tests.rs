use super::*;

fn parameters(resource_type: &str, unknown: Unknown) -> Parameters {
    Parameters {
        reading: &READING,
        is_paged: true,
        is_stream: false,
        may_include: true,
        members: Some(lookup::of_type(resource_type)),
        unknown,
    }
}

fn refusal(parameters: &Parameters, query: &str) -> String {
    match parameters.check(&Query::parse(query), true, &CatalogueContents::default()) {
        Err(CatalogueProblem::Parameter { detail, .. } | CatalogueProblem::Request { detail, .. }) => detail,
        other => panic!("{query} gives {other:?}"),
    }
}

#[test]
fn ignored_parameters_are_listed() {
    let samples = parameters("samples", Unknown::Ignored);
    for (query, expected) in [
        ("page=2&page[size]=3&format=json&fields[samples]=a&include=runs&strict=0&safe=1", &[][..]),
        ("lineage=root&filter[lineage]=root&filter[metadata-key]=depth&sort=accession&ordering=", &[]),
        ("biome=root&zzz&biome=root", &["biome", "zzz", "biome"]),
        ("filter[nope]=1&ordering=nope,accession&sort=x", &["filter[nope]", "ordering=nope"]),
    ] {
        assert_eq!(
            samples.check(&Query::parse(query), false, &CatalogueContents::default()).unwrap(),
            expected,
            "{query}"
        );
    }
    let tools = parameters("pipeline-tools", Unknown::Ignored);
    assert_eq!(
        tools.check(&Query::parse("ordering=tool_name"), false, &CatalogueContents::default()).unwrap(),
        ["ordering", "ordering=tool_name"]
    );
}

#[test]
fn refusals_suggest_similar_names() {
    let samples = parameters("samples", Unknown::Ignored);
    let detail = refusal(&samples, "linaege=root");
    assert!(detail.starts_with("Unknown parameter \"linaege\". Did you mean lineage? Choose from: accession, "));
    assert!(refusal(&samples, "filter[linaege]=root").contains("Did you mean lineage?"));
    assert!(refusal(&samples, "ordering=acession").starts_with("Unknown order \"acession\". Did you mean accession?"));
    assert!(check_number(&"lineage&".repeat(PARAMETERS_MAX)).is_ok());
    assert!(check_number(&"lineage&".repeat(PARAMETERS_MAX + 1)).is_err());
    let cogs = parameters("cog-cats", Unknown::Refused);
    let expected = "Unknown parameter \"zzz\". Choose from: where, ordering, page, page_size, include, format, fields, safe, strict.";
    assert_eq!(refusal(&cogs, "zzz"), expected);
    assert!(cogs.check(&Query::parse("zzz"), false, &CatalogueContents::default()).is_err());
    assert_eq!(
        refusal(&parameters("biomes", Unknown::RefusedAsByRealService), "zzz=1"),
        "invalid query parameter: zzz"
    );
}
