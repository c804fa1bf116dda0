"""UDPipe 1 as an outside command of `rearc experiment`: CoNLL-U with tags in, with trees out.

    python udpipe.py MODEL BEAM < in.conllu > out.conllu

Needs `pip install ufal.udpipe`.
"""

import sys

import ufal.udpipe as ud


def main() -> None:
    file, beam = sys.argv[1:]
    model = ud.Model.load(file)
    if model is None:
        raise SystemExit(f"{file}: no model of UDPipe")
    pipeline = ud.Pipeline(model, "conllu", ud.Pipeline.NONE, f"beam_search={beam}", "conllu")
    error = ud.ProcessingError()
    sys.stdout.write(pipeline.process(sys.stdin.read(), error))
    if error.occurred():
        raise SystemExit(f"{file}: {error.message}")


if __name__ == "__main__":
    main()
