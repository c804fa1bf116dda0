"""The service under load, beside `rearc parse` on the same text in the same run.

    python benchmarks/serving.py TEXT [-m MODEL] [--connections 64] [--seconds 30] [--words 200] [--threads 2]

TEXT is plain text. It is cut at blank lines into requests of about --words words each, and a `rearc serve` is started.
Clients are wrk, where it is installed, or else asyncio's; they share the cores with the service. --connections of them
stay open and send the next request when an answer is there.

Printed, and as JSON with --json: requests and words a second, the milliseconds in which 50, 90, 99 and 100 % of them
were answered, answers other than 200, the service's memory after a warm-up, in the middle and at the end, the CPU
seconds it took, and the same of `rearc parse --threads` before and behind it. Where others use the machine, the words a
CPU second are what can be compared.
"""

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

REARC = [sys.executable, "-m", "rearc"]
HEAD = "POST /parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n"
OFFLINE = """
import sys, time
from rearc.cli.parsing import parse_files
from rearc.parser import load
file, model, threads = sys.argv[1:]
words = sum(map(len, load(model)(open(file, encoding="utf-8").read())))  # warms up, too
load_begin = time.perf_counter(), time.process_time()
load(model)
middle = time.perf_counter(), time.process_time()
parse_files([file], model, "/dev/null", int(threads), format="text", to="conllu")
end = time.perf_counter(), time.process_time()
print(words, *(words / ((z - y) - (y - x)) for x, y, z in zip(load_begin, middle, end)))  # which loads once more
"""
SCRIPT = """
local bodies = {{ {bodies} }}
local next = 0
request = function()
  next = next % #bodies + 1
  return wrk.format("POST", "/parse", {{ ["Content-Type"] = "text/plain", ["Host"] = "localhost" }}, bodies[next])
end
local threads = {{}}
setup = function(thread) table.insert(threads, thread) end
init = function() bad = 0; good = 0 end
response = function(status) if status == 200 then good = good + 1 else bad = bad + 1 end end
done = function(summary, latency)
  local errors, bad_all = summary.errors, 0
  for _, thread in ipairs(threads) do bad_all = bad_all + thread:get("bad") end
  io.write(string.format("\\nRESULT %d %d %d %d %d %d %d %d\\n", summary.requests, summary.duration, bad_all,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(90), latency:percentile(99), latency.max))
end
"""


def pieces(text: str, words: int) -> list[str]:
    """Requests of about so many words, whole paragraphs."""
    found: list[list[str]] = [[]]
    size = 0
    for paragraph in re.split(r"\n\s*\n", text):
        if size >= words:
            found.append([])
            size = 0
        found[-1].append(paragraph)
        size += len(paragraph.split())
    return ["\n\n".join(each) + "\n" for each in found if each]


def by_wrk(port: int, bodies: list[str], connections: int, seconds: int) -> dict[str, Any]:
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as script:
        quoted = ", ".join('"' + "".join(f"\\{byte:03d}" for byte in body.encode()) + '"' for body in bodies)
        script.write(SCRIPT.format(bodies=quoted))
        script.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "60s", "-s", script.name]
        done = subprocess.run([*command, f"http://127.0.0.1:{port}/parse"], capture_output=True, text=True, check=True)
    numbers = list(map(int, re.search(r"RESULT (.*)", done.stdout)[1].split()))  # type: ignore[index]
    requests, duration, bad, errors, *latency = numbers
    times = dict(zip(("p50", "p90", "p99", "max"), [each / 1000 for each in latency], strict=True))
    return {"client": "wrk", "requests": requests, "seconds": duration / 1e6, "not 200": bad, "errors": errors} | times


def by_asyncio(port: int, bodies: list[str], connections: int, seconds: int) -> dict[str, Any]:
    sent = [(HEAD.format(len(body.encode())) + body).encode() for body in bodies]
    times: list[float] = []
    wrong = {"not 200": 0, "errors": 0}
    end = time.perf_counter() + seconds

    async def one(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < end:
            begin = time.perf_counter()
            try:
                writer.write(sent[number % len(sent)])
                number += connections
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                wrong["not 200"] += not head.startswith("HTTP/1.1 200")
                length = re.search(r"content-length: (\d+)", head)
                if length:
                    await reader.readexactly(int(length[1]))
                else:
                    while size := int(await reader.readline(), 16):
                        await reader.readexactly(size + 2)
                    await reader.readline()
                times.append(1000 * (time.perf_counter() - begin))
            except (OSError, ValueError, asyncio.IncompleteReadError):
                wrong["errors"] += 1
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()

    async def all_of_them() -> None:
        await asyncio.gather(*(one(k) for k in range(connections)))

    begin = time.perf_counter()
    asyncio.run(all_of_them())
    took = time.perf_counter() - begin
    times.sort()
    at = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
    latency = {name: times[min(len(times) - 1, int(share * len(times)))] for name, share in at.items()}
    return {"client": "asyncio", "requests": len(times), "seconds": took, **wrong, **latency}


def memory(pid: int) -> float:
    """Megabytes that a process has in memory."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024  # type: ignore[index]


def cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("text")
    options.add_argument("-m", "--model", default="en")
    options.add_argument("--connections", type=int, default=64)
    options.add_argument("--seconds", type=int, default=30)
    options.add_argument("--words", type=int, default=200)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--client", choices=["wrk", "asyncio"], default="wrk" if shutil.which("wrk") else "asyncio")
    options.add_argument("--json", action="store_true")
    asked = options.parse_args()
    bodies = pieces(Path(asked.text).read_text("utf-8"), asked.words)
    load = by_wrk if asked.client == "wrk" else by_asyncio

    def offline() -> list[float]:
        """Words, and words a second by the clock and by the CPU, without the service."""
        command = [sys.executable, "-c", OFFLINE, asked.text, asked.model, str(asked.threads)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return list(map(float, said.split()))

    words, *before = offline()
    command = [*REARC, "serve", "--port", "0", "-m", asked.model, "--threads", str(asked.threads)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        port = int(re.search(r":(\d+)$", server.stderr.readline().strip())[1])  # type: ignore[index]
        load(port, bodies, asked.connections, 3)
        start, worked = memory(server.pid), cpu(server.pid)
        first = load(port, bodies, asked.connections, asked.seconds // 2)
        middle = memory(server.pid)
        result = load(port, bodies, asked.connections, asked.seconds - asked.seconds // 2)
        result |= {"memory at start, middle, end (MB)": [round(x) for x in (start, middle, memory(server.pid))]}
        for name in ("requests", "seconds", "not 200", "errors"):
            result[name] += first[name]
        for name in ("p50", "p90", "p99", "max"):
            result[name] = max(result[name], first[name])  # of the two halves the worse
        result["CPU seconds of the service"] = cpu(server.pid) - worked
        server.terminate()
        result["exit code"] = server.wait()
    result["requests/s"] = result["requests"] / result["seconds"]
    result["words a request"] = words / len(bodies)
    result["words/s"] = result["requests/s"] * result["words a request"]
    result["words a CPU second"] = result["requests"] * result["words a request"] / result["CPU seconds of the service"]
    _, *behind = offline()
    for name, first_one, second in zip(("words/s", "words a CPU second"), before, behind, strict=True):
        result[f"{name}, rearc parse --threads {asked.threads}"] = [round(first_one), round(second)]
        result[f"{name}, ratio"] = 2 * result[name] / (first_one + second)
    if asked.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:44} {value:,.2f}" if isinstance(value, float) else f"{name:44} {value}")


if __name__ == "__main__":
    main()
