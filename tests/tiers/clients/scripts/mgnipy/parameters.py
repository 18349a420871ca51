"""The parameters of a request to version 2: their values, and the errors of invalid ones."""

import re
from urllib.parse import parse_qsl

PAGE_SIZE_MAX = 100


class Refusal(Exception):
    """A request that is answered by another status than 200."""

    def __init__(self, status, detail):
        super().__init__(status, detail)
        self.answer = (status, {"detail": detail})


def missing(text="Not Found"):
    return Refusal(404, text)


def choice(texts):
    quoted = [f"'{text}'" for text in texts]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


class Parameters:
    """The parameters of a request. All that are wrong are told at once, by `page` or `check`."""

    def __init__(self, query):
        # The last of several with one name counts.
        self.values = dict(parse_qsl(query, keep_blank_values=True))
        self.faults = []

    def text(self, name):
        """Returns a text. An empty one is none."""
        return self.values.get(name) or None

    def one_of(self, name, known, kind="enum", place="query"):
        value = self.values.get(name)
        if value is not None and value not in known:
            return self._fault(kind, name, place, f"Input should be {choice(known)}", expected=choice(known))
        return value or None

    def order(self, names):
        """Returns the member to order by, with `-` in front if it is descending."""
        return self.one_of("order", [sign + name for name in names for sign in ("", "-")] + [""], "literal_error")

    def integer(self, name, default=None, least=None, place="query"):
        text = self.values.get(name)
        if text is None:
            return default
        if not re.fullmatch(r"\s*[+-]?\d+(_\d+)*(\.0*)?\s*", text):
            problem = "Input should be a valid integer, unable to parse string as an integer"
            return self._fault("int_parsing", name, place, problem)
        value = int(text.strip().split(".")[0])
        if least is not None and value < least:
            return self._fault("greater_than_equal", name, place, f"Input should be greater than or equal to {least}", ge=least)
        return value

    def check(self):
        if self.faults:
            raise Refusal(422, self.faults)

    def page(self, documents, page_size=PAGE_SIZE_MAX):
        """Returns the requested page of a list. Pages after its end are empty."""
        page, size = self.integer("page", 1, 1), self.integer("page_size", page_size, 1)
        self.check()
        size = min(size, PAGE_SIZE_MAX)
        return {"count": len(documents), "items": documents[(page - 1) * size : page * size]}

    def _fault(self, kind, name, place, message, **context):
        self.faults.append({"type": kind, "loc": [place, name], "msg": message} | ({"ctx": context} if context else {}))
