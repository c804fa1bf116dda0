"""The main job of an installed rearc: raw text to trees, by the command and by the module, in any surroundings.

    python .ci/main_job.py [MODEL]

Run outside of the sources, so that what is installed is what is tried.
"""

import subprocess
import sys
import sysconfig

import rearc

TEXT = "If it isn't broken, don't fix it."


def main() -> None:
    model = sys.argv[1] if len(sys.argv) > 1 else "en"
    parser = rearc.load(model)
    (sentence,) = parser(TEXT)
    command = [sys.executable, "-m", "rearc", "parse", "-m", model]
    done = subprocess.run(command, input=TEXT.encode(), capture_output=True, check=True)
    rows = [line.split("\t") for line in done.stdout.decode().splitlines() if "\t" in line]
    words = [row for row in rows if row[0].isdecimal()]
    assert [row[1] for row in words] == sentence.forms
    assert [int(row[6]) for row in words] == sentence.heads
    if model == "en":
        assert sentence.forms[sentence.heads.index(0)] == "fix", sentence
    python = f"{sys.version.split()[0]}{' without the GIL' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''}"
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        python += ", which is off"
    print(f"rearc {rearc.__version__} on Python {python}: {model} parses, {len(words)} words")


main()
