//! Super-studies, genomes, and the types that belong to these.

use store_catalogue::model::{GENOME_CATALOGUES, GENOME_SETS, GENOMES, SUPER_STUDIES};

use super::collection::{Collection, Id};
use super::common_filters::{BIOME_NAME, SEARCH};
use super::filter::FilterKind::{
    After, AnyIdentifier, Attribute, Before, BiomeName, Choice, Contains, Lineage, Number, NumberMax, NumberMin,
};
use super::filter::FilterScope::Own;
use super::filter::{BiomePart, Choices, Filter, filter};

const SUPER_STUDY_FILTERS: &[Filter] = &[
    filter("super_study_id", Number("super_study_id"), "The number."),
    filter("title", Attribute("title"), "The full title."),
    filter("url_slug", Attribute("url_slug"), "The full name in URLs."),
    filter("description", Attribute("description"), "The full description."),
    BIOME_NAME,
    SEARCH,
];

const GENOME_FILTERS: &[Filter] = &[
    filter("accession", AnyIdentifier, "Accessions (`MGYG…`), separated by commas."),
    filter("taxon_lineage", Contains("taxon_lineage"), "A part of the taxon lineage."),
    filter(
        "mag_type",
        Choice(Choices { known: &["mag", "isolate", "MAG", "Isolate"], ..Choices::of("type") }),
        "`mag` or `isolate`.",
    ),
    filter(
        "geo_origin",
        Choice(Choices { is_comma_list: false, ..Choices::of("geographic_origin") }),
        "Geographic origin of the genome. Repeat the parameter for several places.",
    ),
    filter(
        "pangenome_geographic_range",
        Choice(Choices { is_comma_list: false, ..Choices::of("geographic_range") }),
        "Geographic origin of genomes in the pangenome. Repeat the parameter for several places.",
    ),
    filter("length__gte", NumberMin("length"), "Minimum length, in bases."),
    filter("length__lte", NumberMax("length"), "Maximum length, in bases."),
    filter("num_contigs__gte", NumberMin("num_contigs"), "Minimum number of contigs."),
    filter("num_contigs__lte", NumberMax("num_contigs"), "Maximum number of contigs."),
    filter("n_50__gte", NumberMin("n_50"), "Minimum N50, in bases."),
    filter("n_50__lte", NumberMax("n_50"), "Maximum N50, in bases."),
    filter("gc_content__gte", NumberMin("gc_content"), "Minimum GC content, in percent."),
    filter("gc_content__lte", NumberMax("gc_content"), "Maximum GC content, in percent."),
    filter("completeness__gte", NumberMin("completeness"), "Minimum completeness, in percent."),
    filter("completeness__lte", NumberMax("completeness"), "Maximum completeness, in percent."),
    filter("contamination__gte", NumberMin("contamination"), "Minimum contamination, in percent."),
    filter("contamination__lte", NumberMax("contamination"), "Maximum contamination, in percent."),
    filter("num_proteins__gte", NumberMin("num_proteins"), "Minimum number of proteins."),
    filter("num_proteins__lte", NumberMax("num_proteins"), "Maximum number of proteins."),
    filter("num_genomes_total__gte", NumberMin("num_genomes_total"), "Minimum number of genomes."),
    filter("num_genomes_total__lte", NumberMax("num_genomes_total"), "Maximum number of genomes."),
    filter("pangenome_size__gte", NumberMin("pangenome_size"), "Minimum size of the pangenome."),
    filter("pangenome_size__lte", NumberMax("pangenome_size"), "Maximum size of the pangenome."),
    filter("pangenome_core_size__gte", NumberMin("pangenome_core_size"), "Minimum number of core genes."),
    filter(
        "pangenome_accessory_size__gte",
        NumberMin("pangenome_accessory_size"),
        "Minimum number of accessory genes.",
    ),
    filter(
        "pangenome_accessory_size__lte",
        NumberMax("pangenome_accessory_size"),
        "Maximum number of accessory genes.",
    ),
    SEARCH,
];

const CATALOGUE_FILTERS: &[Filter] = &[
    filter("lineage", Lineage(Own), "Lineage of a biome. Selects catalogues of this biome or of one below it."),
    filter("catalogue_id", AnyIdentifier, "Ids, separated by commas."),
    filter("name", Attribute("name"), "The full name."),
    filter("name__icontains", Contains("name"), "A part of the name."),
    filter("description", Attribute("description"), "The full description."),
    filter("description__icontains", Contains("description"), "A part of the description."),
    filter("biome__biome_name", BiomeName(BiomePart::Whole), "The full name of the biome."),
    filter("biome__biome_name__icontains", BiomeName(BiomePart::Any), "A part of the name of the biome."),
    filter("last_update", Attribute("last_update"), "The full time of the last update."),
    filter("last_update__gt", After("last_update"), "The last update was after this date."),
    filter("last_update__lt", Before("last_update"), "The last update was before this date."),
    SEARCH,
];

pub(super) fn collections() -> [Collection; 4] {
    [
        Collection {
            description: "Named sets of studies, sorted by number.",
            id: Id::new("The number, or the name in URLs.", "tara"),
            filters: &[SUPER_STUDY_FILTERS],
            includes: &["biomes"],
            single_includes: &["flagship-studies", "related-studies", "related-genome-catalogues"],
            ..Collection::of(SUPER_STUDIES)
        },
        Collection {
            description: "Genomes from metagenomes and isolates, in descending order of accession.",
            id: Id::new("The accession.", "MGYG000000001"),
            filters: &[GENOME_FILTERS],
            includes: &["catalogue"],
            single_includes: &["downloads"],
            columns: &["taxon-lineage", "length", "num-contigs", "completeness", "contamination"],
            ..Collection::of(GENOMES)
        },
        Collection {
            description: "Catalogues of genomes, sorted by id.",
            id: Id::new("The id.", "human-gut-v2-0"),
            filters: &[CATALOGUE_FILTERS],
            single_includes: &["genomes", "downloads"],
            ..Collection::of(GENOME_CATALOGUES)
        },
        Collection {
            description: "Sets that genomes are from, in descending order of name.",
            id: Id::new("The name.", "NCBI"),
            ..Collection::of(GENOME_SETS)
        },
    ]
}
