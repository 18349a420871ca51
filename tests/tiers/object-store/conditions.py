"""moto's S3 without conditions of puts: conditions.py TREATMENT [OPTION OF MOTO]…

The treatment is `ignore` or `reject`.
"""

import sys

from moto import server

treatment = sys.argv.pop(1)
with_conditions = server.DomainDispatcherApplication


class WithoutConditions:
    def __init__(self, *given):
        self.application = with_conditions(*given)

    def __call__(self, environ, start_response):
        conditions = {"HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"} & environ.keys()
        if environ["REQUEST_METHOD"] == "PUT" and conditions:
            if treatment == "reject":
                start_response("501 Not Implemented", [("Content-Type", "application/xml")])
                return [b"<Error><Code>NotImplemented</Code></Error>"]
            for name in conditions:
                del environ[name]
        return self.application(environ, start_response)


server.DomainDispatcherApplication = WithoutConditions
server.main(sys.argv[1:])
