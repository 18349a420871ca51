"""The steps of a tour: the actual and expected results of the client, and the requests that it
sent.
"""

import json
import logging
import re
from datetime import datetime
from enum import Enum

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
SHOWN_CHARACTERS_MAX = 400


class Steps(logging.Handler):
    """Compares, and counts. It listens to httpx, which logs each request."""

    def __init__(self, base_url):
        super().__init__()
        self.base_url = base_url
        self.num_steps = 0
        self.requests = []
        self.differences = []
        self.failed_by_the_client = []
        logger = logging.getLogger("httpx")
        logger.setLevel(logging.INFO)
        logger.propagate = False
        logger.addHandler(self)

    def emit(self, record):
        method, url, protocol, status, _ = record.args
        self.requests.append(f"{method} {url}")
        if not str(url).startswith(self.base_url):
            self.differences.append(f"{method} {url} goes to another server")
        if status >= 500 and not (method == "POST" and status == 501):
            self.differences.append(f"{method} {url} is answered by {status}")
        if protocol != "HTTP/1.1":
            self.differences.append(f"{method} {url} is answered in {protocol}")

    def equal(self, name, got, expected):
        """Compares what the client returned, or a function of no arguments returns."""
        self.num_steps += 1
        try:
            got = got() if callable(got) else got
        except Exception as error:
            self.differences.append(f"{name}: raises {error!r}")
            return
        if plain(got) != plain(expected):
            self.differences.append(f"{name}: {first_difference(plain(got), plain(expected))}")

    async def equal_later(self, name, coroutine, expected):
        """Compares what a coroutine returns."""
        try:
            got = await coroutine
        except Exception as error:
            self.num_steps += 1
            self.differences.append(f"{name}: raises {error!r}")
            return
        self.equal(name, got, expected)

    def fails(self, name, function, error, message):
        """Checks that a bug of the client is as it was: that it raises this error."""
        self.num_steps += 1
        try:
            got = function()
        except error as raised:
            if message in str(raised):
                self.failed_by_the_client.append(name)
            else:
                self.differences.append(f"{name}: raises {raised!r}, rather than {message!r}")
        except Exception as raised:
            self.differences.append(f"{name}: raises {raised!r}, rather than {error.__name__}")
        else:
            self.differences.append(f"{name}: returns {shown(got)}, but failed by a bug of the client")

    def summary(self):
        return {
            "steps": self.num_steps,
            "requests": len(self.requests),
            "failed_by_the_client": self.failed_by_the_client,
            "differences": len(self.differences),
        }


def plain(value):
    """Returns a value with times instead of their texts, which the client writes in its own form.
    """
    match value:
        case Enum():
            return value.value
        case str() if TIME.fullmatch(value):
            return datetime.fromisoformat(value)
        case dict():
            return {plain(key): plain(member) for key, member in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
    return value


def first_difference(got, expected, path=""):
    """Says where two values differ first."""
    if isinstance(got, dict) and isinstance(expected, dict):
        for key in [*expected, *got]:
            if key not in got or key not in expected:
                return f"{path}/{key} is {'missing' if key not in got else 'there, but should not be'}"
            if got[key] != expected[key]:
                return first_difference(got[key], expected[key], f"{path}/{key}")
    if isinstance(got, list) and isinstance(expected, list):
        for position, (one, other) in enumerate(zip(got, expected)):
            if one != other:
                return first_difference(one, other, f"{path}/{position}")
        return f"{path or '/'} has {len(got)} items in place of {len(expected)}"
    return f"{path or '/'} is {shown(got)} in place of {shown(expected)}"


def shown(value):
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARACTERS_MAX else f"{text[:SHOWN_CHARACTERS_MAX]}…"
