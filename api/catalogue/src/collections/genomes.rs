//! Super-studies, genomes, and the types that belong to these.

use store_catalogue::model::{GENOME_CATALOGUES, GENOME_SETS, GENOMES, SUPER_STUDIES};

use super::collection::{Collection, Id};
use super::common_filters::{BIOME_NAME, SEARCH};
use super::filter::FilterKind::{
    After, AnyIdentifier, Attribute, Before, BiomeName, Choice, Contains, Lineage, Number, NumberMax, NumberMin,
};
use super::filter::FilterScope::Own;
use super::filter::{BiomePart, Choices, filter};

#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn collections() -> [Collection; 4] {
    [
        Collection {
            description: "Collections of studies under one name, by number.",
            id: Id::new("The number, or the name in addresses.", "tara"),
            filters: const {
                &[&[
                    filter("super_study_id", Number("super_study_id"), "The number."),
                    filter("title", Attribute("title"), "The title, in full."),
                    filter("url_slug", Attribute("url_slug"), "The name in addresses, in full."),
                    filter("description", Attribute("description"), "The description, in full."),
                    BIOME_NAME,
                    SEARCH,
                ]]
            },
            includes: &["biomes"],
            single_includes: &["flagship-studies", "related-studies", "related-genome-catalogues"],
            ..Collection::of(SUPER_STUDIES)
        },
        Collection {
            description: "Genomes from metagenomes and isolates, by falling accession.",
            id: Id::new("The accession.", "MGYG000000001"),
            filters: const {
                &[&[
                    filter("accession", AnyIdentifier, "Accessions (`MGYG…`), separated by commas."),
                    filter("taxon_lineage", Contains("taxon_lineage"), "A part of the lineage of the taxon."),
                    filter(
                        "mag_type",
                        Choice(Choices { known: &["mag", "isolate", "MAG", "Isolate"], ..Choices::of("type") }),
                        "`mag` or `isolate`.",
                    ),
                    filter(
                        "geo_origin",
                        Choice(Choices { is_comma_list: false, ..Choices::of("geographic_origin") }),
                        "Where the genome is from; repeat it for several places.",
                    ),
                    filter(
                        "pangenome_geographic_range",
                        Choice(Choices { is_comma_list: false, ..Choices::of("geographic_range") }),
                        "Where genomes of the pangenome are from; repeat it for several places.",
                    ),
                    filter("length__gte", NumberMin("length"), "Least length, in bases."),
                    filter("length__lte", NumberMax("length"), "Greatest length, in bases."),
                    filter("num_contigs__gte", NumberMin("num_contigs"), "Least number of contigs."),
                    filter("num_contigs__lte", NumberMax("num_contigs"), "Greatest number of contigs."),
                    filter("n_50__gte", NumberMin("n_50"), "Least N50, in bases."),
                    filter("n_50__lte", NumberMax("n_50"), "Greatest N50, in bases."),
                    filter("gc_content__gte", NumberMin("gc_content"), "Least GC content, in percent."),
                    filter("gc_content__lte", NumberMax("gc_content"), "Greatest GC content, in percent."),
                    filter("completeness__gte", NumberMin("completeness"), "Least completeness, in percent."),
                    filter("completeness__lte", NumberMax("completeness"), "Greatest completeness, in percent."),
                    filter("contamination__gte", NumberMin("contamination"), "Least contamination, in percent."),
                    filter("contamination__lte", NumberMax("contamination"), "Greatest contamination, in percent."),
                    filter("num_proteins__gte", NumberMin("num_proteins"), "Least number of proteins."),
                    filter("num_proteins__lte", NumberMax("num_proteins"), "Greatest number of proteins."),
                    filter("num_genomes_total__gte", NumberMin("num_genomes_total"), "Least number of genomes."),
                    filter("num_genomes_total__lte", NumberMax("num_genomes_total"), "Greatest number of genomes."),
                    filter("pangenome_size__gte", NumberMin("pangenome_size"), "Least size of the pangenome."),
                    filter("pangenome_size__lte", NumberMax("pangenome_size"), "Greatest size of the pangenome."),
                    filter("pangenome_core_size__gte", NumberMin("pangenome_core_size"), "Least number of core genes."),
                    filter(
                        "pangenome_accessory_size__gte",
                        NumberMin("pangenome_accessory_size"),
                        "Least number of accessory genes.",
                    ),
                    filter(
                        "pangenome_accessory_size__lte",
                        NumberMax("pangenome_accessory_size"),
                        "Greatest number of accessory genes.",
                    ),
                    SEARCH,
                ]]
            },
            includes: &["catalogue"],
            single_includes: &["downloads"],
            columns: &["taxon-lineage", "length", "num-contigs", "completeness", "contamination"],
            ..Collection::of(GENOMES)
        },
        Collection {
            description: "Catalogues of genomes, by id.",
            id: Id::new("The id.", "human-gut-v2-0"),
            filters: const {
                &[&[
                    filter("lineage", Lineage(Own), "Lineage of a biome: catalogues of it or of a biome below it."),
                    filter("catalogue_id", AnyIdentifier, "Ids, separated by commas."),
                    filter("name", Attribute("name"), "The name, in full."),
                    filter("name__icontains", Contains("name"), "A part of the name."),
                    filter("description", Attribute("description"), "The description, in full."),
                    filter("description__icontains", Contains("description"), "A part of the description."),
                    filter("biome__biome_name", BiomeName(BiomePart::Whole), "The name of the biome, in full."),
                    filter(
                        "biome__biome_name__icontains",
                        BiomeName(BiomePart::Any),
                        "A part of the name of the biome.",
                    ),
                    filter("last_update", Attribute("last_update"), "When it was updated, in full."),
                    filter("last_update__gt", After("last_update"), "It was updated after this date."),
                    filter("last_update__lt", Before("last_update"), "It was updated before this date."),
                    SEARCH,
                ]]
            },
            single_includes: &["genomes", "downloads"],
            ..Collection::of(GENOME_CATALOGUES)
        },
        Collection {
            description: "Sets that genomes came from, by falling name.",
            id: Id::new("The name.", "NCBI"),
            ..Collection::of(GENOME_SETS)
        },
    ]
}
