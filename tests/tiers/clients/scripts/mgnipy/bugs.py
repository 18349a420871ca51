"""Operations that fail because of bugs in mgnipy, although the answers are as recorded.

Studies of a biome, and downloads of catalogues and of a genome, were seen to fail with the real
program too. The others are known from the source of the client, and from a server that answers as
the model does.
"""

from mgnipy import MGnipy
from mgnipy.cli import main as command_line


async def tour(steps, catalogue):
    client = MGnipy(cache_dir=None)

    def got(query):
        query.get()
        return query

    def detailed(query):
        query.get_all()
        query.enrich_details()
        return query

    for name, function, error, message in [
        # It names the identifier of biomes and catalogues in two ways.
        ("studies of a biome", lambda: got(client.biome("root:Engineered")).studies, AttributeError, "identifier"),
        ("details of biomes", lambda: detailed(client.biomes(page_size=100)), AttributeError, "identifier"),
        ("downloads of a catalogue", lambda: got(client.catalogue("marine-v2-0")).downloads, AttributeError, "downloads"),
        ("a catalogue of a list", lambda: client.catalogues.get_all()["marine-v2-0"], KeyError, "marine-v2-0"),
        # Downloads of genomes have no group.
        ("downloads of a genome", lambda: got(client.genome("MGYG000000001")).downloads, TypeError, "expected string"),
        ("downloads of genomes", lambda: detailed(client.genomes).downloads, TypeError, "expected string"),
        # It mistakes the number of a publication for its index.
        ("details of publications", lambda: detailed(client.publications), IndexError, "list index out of range"),
        # Below a sample, it uses the requested accession rather than that of the answer.
        ("runs of a sample by another name", lambda: got(client.sample("ERS1474502")).runs, KeyError, "ERS1474502"),
        ("miscellaneous", lambda: client.miscellaneous, KeyError, "miscellaneous"),
        ("descriptions of all resources", client.describe_resources, KeyError, "miscellaneous"),
        ("a resource on the command line", lambda: command_line(["get", "studies", "--limit", "2"]), TypeError, "limit"),
    ]:
        steps.fails(name, function, error, message)
    # Without an error, it finds nothing.
    steps.equal("downloads of catalogues", lambda: detailed(client.catalogues).downloads, [])
