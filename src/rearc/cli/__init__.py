"""The command `rearc`: one file per verb."""


def main() -> None:
    """Run the command line."""
    import os
    import sys

    # NumPy's own threads take their time to start, and nothing here needs them
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from rearc.cli.guard import prepare_streams

        prepare_streams()
        if sys.argv[1:2] == ["parse"]:
            from rearc.cli.quick import parse_plainly

            if parse_plainly(sys.argv[2:]):
                return
        from rearc.cli.app import app

        app()
    except KeyboardInterrupt:
        sys.exit(130)
