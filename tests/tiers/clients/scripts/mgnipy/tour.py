"""Drives mgnipy, MGnify's own client, through all its requests to a server of version 2, and
compares the results with the documents.

The client is unchanged, and reads the address of the server from a variable:
`BASE_URL=http://host:port/ tour.py`. Prints a summary as JSON. If anything differs, prints the
differences, and exits with 1.
"""

import asyncio
import contextlib
import json
import os
import sys
import tempfile
import traceback
from importlib.metadata import version
from pathlib import Path

import certifi

DOCUMENTS = Path(__file__).parents[5] / "data/catalogue-v2/documents"


async def main():
    # Imported here, since they read the environment.
    import bugs
    import collecting
    import details
    import lists
    import operations
    import settings
    from model import Catalogue
    from steps import Steps

    catalogue = Catalogue(DOCUMENTS)
    steps = Steps(os.environ["BASE_URL"])
    for part in (settings, lists, details, collecting, operations, bugs):
        try:
            await part.tour(steps, catalogue)
        except Exception:
            steps.differences.append(f"{part.__name__} ends early: {traceback.format_exc()}")
    return steps


if __name__ == "__main__":
    if "BASE_URL" not in os.environ:
        sys.exit("BASE_URL names the server, as in http://127.0.0.1:8080/")
    # With the last slash, as the client shows it.
    os.environ["BASE_URL"] = os.environ["BASE_URL"].rstrip("/") + "/"
    with tempfile.TemporaryDirectory() as folder:
        # It reads settings from the current folder, and keeps answers in a folder of the user.
        os.chdir(folder)
        os.environ["CACHE_DIR"] = os.path.join(folder, "cache")
        # The client opens a new connection for most requests, and reads all certificates for each,
        # although none is used: reading one is faster.
        end = "-----END CERTIFICATE-----\n"
        Path("certificate.pem").write_text(Path(certifi.where()).read_text().split(end)[0] + end)
        os.environ["SSL_CERT_FILE"] = os.path.join(folder, "certificate.pem")
        # The client prints what it does, and warns of each 404.
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            steps = asyncio.run(main())
        os.chdir("/")
    print(json.dumps({"version": version("mgnipy")} | steps.summary()))
    for difference in steps.differences:
        print(difference, file=sys.stderr)
    sys.exit(1 if steps.differences else 0)
