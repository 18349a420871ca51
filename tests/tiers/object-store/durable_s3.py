"""moto's S3 on port 5000, whose objects survive a kill: changes are appended to a file, and
repeated at the next start.

It prints a line after they were repeated.
"""

import os
import sys
import threading
import urllib.error
import urllib.request

changes = os.environ["MOTO_RECORDER_FILEPATH"] = sys.argv[1]
os.environ["MOTO_ENABLE_RECORDING"] = "true"

from moto.moto_api._internal.recorder.models import Recorder
from moto.server import main

record = Recorder._record_request
one_at_a_time = threading.Lock()


def record_change(self, request, *rest):
    if request.method not in ("GET", "HEAD"):
        with one_at_a_time:
            record(self, request, *rest)


Recorder._record_request = record_change


def whole_lines():
    """Discards a change that was being written when the server was killed: it was not acknowledged.
    """
    with open(changes, "ab+") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)


def replay():
    """Waits until the server accepts requests, and has it make all changes again."""
    request = urllib.request.Request("http://127.0.0.1:5000/moto-api/recorder/replay-recording", method="POST")
    while True:
        try:
            urllib.request.urlopen(request).read()
            break
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                os._exit(1)
    print("ready", flush=True)


whole_lines()
threading.Thread(target=replay, daemon=True).start()
main(["-H", "0.0.0.0", "-p", "5000"])
