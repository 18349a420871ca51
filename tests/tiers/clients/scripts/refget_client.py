"""Asks for sequences with the client of PyPI's refget, and prints what it got as JSON.

Usage: refget_client.py REFGET_URL
"""

import json
import sys

from refget.clients import SequenceClient
from refget.digests import md5_digest, sha512t24u_digest

MD5 = "f1f8f4bf413b16ad135722aa4591043e"
GA4GH = "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2"
NAMES = [MD5, MD5.upper(), GA4GH, f"ga4gh:{GA4GH}", "MGYP000000000012", "MGYP000000000013"]


def problem_of(ask):
    """Returns the text of the error that a request ends with."""
    try:
        ask()
    except Exception as error:
        return str(error)
    return None


if __name__ == "__main__":
    client = SequenceClient(urls=[sys.argv[1]], raise_errors=True)
    own_digests = [md5_digest("ACGT"), "SQ." + sha512t24u_digest("ACGT")]
    seen = {
        "sequences": [client.get_sequence(name) for name in NAMES],
        "own_digests": [client.get_sequence(digest) for digest in own_digests],
        "part": client.get_sequence("MGYP000000000013", start=5, end=15),
        "metadata": client.get_metadata(GA4GH)["metadata"],
        "algorithms": client.service_info()["refget"]["algorithms"],
        "unknown": problem_of(lambda: client.get_sequence("0" * 32)),
        "shown": repr(client),
    }
    print(json.dumps(seen))
