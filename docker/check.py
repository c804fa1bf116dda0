"""Whether what is installed serves: start `rearc serve`, ask for its health and for a parse, end it."""

import json
import signal
import subprocess
import sys
from urllib.request import Request, urlopen

server = subprocess.Popen(
    [sys.executable, "-m", "rearc", "serve", "--port", "0"], stderr=subprocess.PIPE, text=True, encoding="utf-8"
)
try:
    said = server.stderr.readline()
    address = next(word for word in said.split() if word.startswith("http://")).rstrip("/")
    with urlopen(f"{address}/health", timeout=60) as answer:
        health = json.load(answer)
    request = Request(f"{address}/parse", b"Dogs bark.", {"Content-Type": "text/plain"})
    with urlopen(request, timeout=60) as answer:
        words = [line.split("\t") for line in answer.read().decode().splitlines() if "\t" in line]
    assert [word[1] for word in words] == ["Dogs", "bark", "."], words
    assert [word[6] for word in words].count("0") == 1, words
finally:
    server.send_signal(signal.SIGTERM)
    code = server.wait(timeout=60)
assert code == 0, code
print(f"rearc serve {health['version']}: starts, parses and ends")
