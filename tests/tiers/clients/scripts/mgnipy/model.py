"""The answers of version 2, computed only from the documents of a harvest: `tour.py` expects them
from a server.

Where the real program is wrong, the model has what is right: every order is total, with the
accession last; embedded studies are those that were harvested, with the lineage of their biome; a
missing object has one wording, and what is below a missing sample is missing too.
"""

import gzip
import json
from urllib.parse import unquote, urlsplit

from matching import contains, is_found_genome, is_found_sample, is_found_study, is_in_biome, is_in_years, ordered
from parameters import Parameters, Refusal, missing

EXPERIMENT_TYPES = {
    "METAT": "Metatranscriptomic",
    "METAG": "Metagenomic",
    "AMPLI": "Amplicon",
    "ASSEM": "Assembly",
    "HYASS": "Hybrid assembly",
    "LRASS": "Long-read assembly",
    "METAB": "Metabarcoding",
    "UNKNO": "Unknown",
}
PIPELINES = ["V1", "V2", "V3", "V4", "V4.1", "V5", "V6", "V6.1"]
# These values select studies with analyses of version 6 or of an earlier one. Other values have no
# effect.
FEATURES = {"V5": "V5", "V6": "V6", "V6.1": "V6"}
TAXONOMIES = ["ssu", "lsu", "its_one_db", "unite", "pr2", "dada2_pr2", "dada2_silva"]
ANNOTATION_TYPES = [f"taxonomies__{name}" for name in TAXONOMIES] + ["pfams"]

STUDY_ORDERS = ["accession", "updated_at"]
SAMPLE_ORDERS = ["sample_title", "updated_at"]
PUBLICATION_ORDERS = ["published_year"]
GENOME_ORDERS = ["accession", "length", "completeness", "contamination", "num_genomes_total"]

# Members of a detail that its list lacks.
OF_STUDY_DETAIL = ["first_accession", "downloads"]
OF_RUN_DETAIL = ["sample", "study"]
OF_ANALYSIS_DETAIL = ["downloads", "read_run", "quality_control_summary", "results_dir", "metadata"]
OF_SUPER_STUDY_DETAIL = ["flagship_studies", "related_studies", "genome_catalogues"]
OF_GENOME_DETAIL = [f"rna_{size}" for size in ("5s", "5_8s", "16s", "18s", "23s", "28s")]
OF_GENOME_DETAIL += ["trnas", "nc_rnas", "eggnog_coverage", "ipr_coverage", "num_proteins"]
OF_GENOME_DETAIL += ["pangenome_size", "pangenome_core_size", "pangenome_accessory_size", "downloads", "catalogue"]


def without(document, names):
    return {name: value for name, value in document.items() if name not in names}


class Catalogue:
    """The documents, and what is asked of them."""

    def __init__(self, folder):
        def read(name, key="accession"):
            with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
                return {document[key]: document for document in map(json.loads, file)}

        def by_key(documents):
            return dict(sorted(documents.items()))

        self.studies = by_key(read("studies"))
        self.features = read("study-features")
        self.samples, self.runs, self.analyses = by_key(read("samples")), by_key(read("runs")), by_key(read("analyses"))
        self.assemblies, self.publications = by_key(read("assemblies")), by_key(read("publications", "pubmed_id"))
        self.genomes, self.catalogues = by_key(read("genomes")), by_key(read("genome-catalogues", "catalogue_id"))
        # The newest first, as they were listed.
        self.super_studies = read("super-studies", "slug")
        # In the order of their paths. Several have the same lineage, since the real program
        # shortens some.
        with gzip.open(folder / "biomes.jsonl.gz", "rt", encoding="utf-8") as file:
            self.biomes = list(map(json.loads, file))
        self.annotations, self.genome_annotations = read("analysis-annotations"), read("genome-annotations")
        self.publication_annotations = read("publication-annotations", "pubmed_id")
        self.links = read("assembly-genome-links", "assembly")
        self.contained = read("assembly-additional-contained-genomes", "assembly")
        self.runs_of_assemblies = {name: each["runs"] for name, each in read("assembly-runs", "assembly").items()}
        self.sample_of_name = {
            name: sample for sample in self.samples.values() for name in (sample["accession"], *sample["ena_accessions"])
        }

    def answer(self, target):
        """Returns status and body of the answer to a path below the base, with its query."""
        url = urlsplit(target)
        query = Parameters(url.query)
        try:
            return 200, self.body(url.path, query)
        except Refusal as refusal:
            return refusal.answer

    def body(self, path, query):
        match [unquote(part) for part in path.strip("/").split("/")]:
            case ["studies"]:
                return self.list_studies(query)
            case ["studies", "insdc", accession]:
                found = [study for study in self.studies.values() if accession in study["ena_accessions"]]
                if not found:
                    raise missing(f"Study with ena_accessions__contains = ['{accession}']  was not found")
                return {"accession": found[0]["accession"]}
            case ["studies", accession, *below]:
                return self.of_study(accession, below, query)
            case ["samples"]:
                return self.list_samples(query)
            case ["samples", accession, *below]:
                return self.of_sample(accession, below, query)
            case ["runs"]:
                return self.list_runs(query)
            case ["runs", accession, *below]:
                return self.of_run(accession, below, query)
            case ["assemblies"]:
                return query.page([{name: it[name] for name in ("accession", "updated_at")} for it in self.assemblies.values()])
            case ["assemblies", accession, *below]:
                return self.of_assembly(accession, below, query)
            case ["analyses"]:
                return query.page(list(self.analyses.values()))
            case ["analyses", accession, *below]:
                return self.of_analysis(accession, below, query)
            case ["publications"]:
                return self.list_publications(query)
            case ["publications", number, *below]:
                return self.of_publication(number, below, query)
            case ["super-studies"]:
                return query.page([without(it, OF_SUPER_STUDY_DETAIL) for it in self.super_studies.values()], page_size=50)
            case ["super-studies", slug]:
                return self.super_study(slug)
            # Without its last slash, the path is that of a genome of this name.
            case ["genomes", "catalogues"] if path.endswith("/"):
                return query.page(list(self.catalogues.values()))
            case ["genomes", "catalogues", catalogue, *below]:
                return self.of_catalogue(catalogue, below, query)
            case ["genomes"]:
                return self.list_genomes(query)
            case ["genomes", accession, *below]:
                return self.of_genome(accession, below, query)
            case ["biomes"]:
                return self.list_biomes(query)
            case ["my-data", "studies"]:
                raise Refusal(401, "Unauthorized")
        raise missing()

    def embedded(self, studies):
        harvested = [self.studies[study["accession"]] for study in studies if study["accession"] in self.studies]
        return [without(study, OF_STUDY_DETAIL) for study in harvested]

    def list_studies(self, query):
        order, lineage = query.order(STUDY_ORDERS), query.text("biome_lineage")
        feature, search = FEATURES.get(query.one_of("has_analyses_from_pipeline", PIPELINES)), query.text("search")
        found = [
            study
            for study in self.studies.values()
            if (not lineage or is_in_biome(study, lineage))
            and (not feature or feature in self.features[study["accession"]]["has_analyses_from_pipeline"])
            and (not search or is_found_study(study, search))
        ]
        return query.page([without(study, OF_STUDY_DETAIL) for study in ordered(found, order)])

    def of_study(self, accession, below, query):
        if accession not in self.studies:
            raise missing(f"Study with accession = {accession}  was not found")

        def names_it(document):
            return any(study["accession"] == accession for study in document["studies"])

        match below:
            case []:
                return self.studies[accession]
            case ["samples"]:
                return query.page([without(sample, ["studies"]) for sample in self.samples.values() if names_it(sample)])
            case ["analyses"]:
                return self.list_analyses(query, lambda analysis: analysis["study_accession"] == accession)
            case ["publications"]:
                return query.page([without(it, ["studies"]) for it in self.publications.values() if names_it(it)])
        raise missing()

    def list_analyses(self, query, condition):
        return query.page([without(it, OF_ANALYSIS_DETAIL) for it in self.analyses.values() if condition(it)])

    def list_samples(self, query):
        lineage, search, order = query.text("biome_lineage"), query.text("search"), query.order(SAMPLE_ORDERS)
        found = [
            sample
            for sample in self.samples.values()
            if (not lineage or is_in_biome(sample, lineage)) and (not search or is_found_sample(sample, search))
        ]
        return query.page([without(sample, ["metadata", "studies"]) for sample in ordered(found, order)])

    def of_sample(self, accession, below, query):
        sample = self.sample_of_name.get(accession)
        # The real program fails below samples that are missing.
        if sample is None:
            raise missing(f"No sample available for accession {accession}")
        names = {sample["accession"], *sample["ena_accessions"]}
        match below:
            case []:
                return sample | {"studies": self.embedded(sample["studies"])}
            case ["runs"]:
                of_sample = [run for run in self.runs.values() if run["sample"]["accession"] == sample["accession"]]
                return query.page([without(run, OF_RUN_DETAIL) for run in of_sample])
            case ["assemblies"]:
                return query.page([it for it in self.assemblies.values() if it["sample_accession"] in names])
        raise missing()

    def list_runs(self, query):
        label = EXPERIMENT_TYPES.get(query.one_of("has_experiment_type", list(EXPERIMENT_TYPES)))
        found = [run for run in self.runs.values() if label in (None, run["experiment_type"])]
        return query.page([without(run, OF_RUN_DETAIL) for run in found])

    def of_run(self, accession, below, query):
        if accession not in self.runs:
            raise missing(f"Analysed run with accession {accession} not found.")
        match below:
            case []:
                return self.runs[accession]
            case ["analyses"]:
                return self.list_analyses(query, lambda it: it["run"] is not None and it["run"]["accession"] == accession)
            case ["assemblies"]:
                # An assembly itself names the first of its runs only.
                all_runs = self.runs_of_assemblies
                return query.page([it for name, it in self.assemblies.items() if accession in all_runs.get(name, [])])
        raise missing()

    def of_assembly(self, accession, below, query):
        if accession not in self.assemblies:
            raise missing()
        match below:
            case []:
                return self.assemblies[accession]
            case ["analyses"]:
                is_of_it = lambda it: it["assembly"] is not None and it["assembly"]["accession"] == accession
                return self.list_analyses(query, is_of_it)
            case ["genome-links"]:
                return query.page(self.links.get(accession, {"items": []})["items"])
            case ["additional-contained-genomes"]:
                return query.page(self.contained.get(accession, {"items": []})["items"])
        raise missing()

    def of_analysis(self, accession, below, query):
        if below[:1] == ["annotations"] and len(below) == 2:
            # Names of types are checked before anything is looked up.
            query.values["annotation_type"] = below[1]
            query.one_of("annotation_type", ANNOTATION_TYPES, place="path")
            query.check()
        if accession not in self.analyses:
            raise missing(f"Analysis with accession = {accession}  was not found")
        match below:
            case []:
                return self.analyses[accession]
            case ["annotations"]:
                return self.analyses[accession] | self.annotations[accession]
            case ["annotations", kind]:
                annotations = self.annotations[accession]["annotations"]
                of_kind = annotations["taxonomies"] or {} if kind.startswith("taxonomies__") else annotations
                return query.page(of_kind.get(kind.removeprefix("taxonomies__")) or [])
        raise missing()

    def list_publications(self, query):
        order, title = query.order(PUBLICATION_ORDERS), query.text("title")
        first, last = query.integer("published_after"), query.integer("published_before")
        found = [
            publication
            for publication in self.publications.values()
            if is_in_years(publication["published_year"], first, last)
            and (not title or contains(publication["title"], title))
        ]
        return query.page([without(publication, ["studies"]) for publication in ordered(found, order)])

    def of_publication(self, number, below, query):
        query.values["pubmed_id"] = number
        number = query.integer("pubmed_id", place="path")
        query.check()
        match below:
            case [] if number in self.publications:
                publication = self.publications[number]
                return publication | {"studies": self.embedded(publication["studies"])}
            case []:
                raise missing(f"Publication with pubmed_id = {number}  was not found")
            case ["annotations"] if number in self.publication_annotations:
                return without(self.publication_annotations[number], ["pubmed_id"])
        raise missing()

    def super_study(self, slug):
        if slug not in self.super_studies:
            raise missing(f"SuperStudy with slug = {slug}  was not found")
        found = self.super_studies[slug]
        # The biomes of these studies have no lineage in the real program.
        return found | {name: self.embedded(found[name]) for name in ("flagship_studies", "related_studies")}

    def list_genomes(self, query, catalogue=None):
        order, lineage, search = query.order(GENOME_ORDERS), query.text("biome_lineage"), query.text("search")
        found = [
            genome
            for genome in self.genomes.values()
            if catalogue in (None, genome["catalogue_id"])
            and (not lineage or is_in_biome(genome, lineage))
            and (not search or is_found_genome(genome, search))
        ]
        return query.page([without(genome, OF_GENOME_DETAIL) for genome in ordered(found, order)])

    def of_genome(self, accession, below, query):
        genome, catalogue = self.genomes.get(accession), query.text("catalogue_id")
        if genome is None or catalogue not in (None, genome["catalogue_id"]):
            raise missing()
        match below:
            case []:
                return genome
            case ["annotations"]:
                return self.genome_annotations[accession]
        raise missing()

    def of_catalogue(self, name, below, query):
        if name not in self.catalogues:
            raise missing()
        match below:
            case []:
                return self.catalogues[name]
            case ["genomes"]:
                return self.list_genomes(query, name)
        raise missing()

    def list_biomes(self, query):
        lineage, depth = query.text("biome_lineage"), query.integer("max_depth", least=1)
        found = [
            biome
            for biome in self.biomes
            if (not lineage or is_in_biome({"biome": biome}, lineage))
            and (depth is None or len(biome["lineage"].split(":")) <= depth)
        ]
        return query.page(found)
