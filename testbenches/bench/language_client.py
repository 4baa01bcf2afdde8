"""A client of `sluice lsp` for benchmarks."""

import json
import subprocess


class Client:
    """A session with a language server."""

    def __init__(self, sluice):
        self.server = subprocess.Popen([sluice, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, method, params, number=None):
        """Sends a notification, or a request with a number."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        text = json.dumps(message).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.server.stdin.flush()

    def receive(self):
        """Returns the next message of the server."""
        length = 0
        while line := self.server.stdout.readline().strip():
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.server.stdout.read(length))
