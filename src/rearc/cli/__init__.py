"""The command `rearc`: one file per verb."""


def main() -> None:
    """Run the command line."""
    import os
    import sys

    # NumPy's own threads take their time to start, and nothing here needs them
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from rearc.cli.guard import code_of, heed_signals, prepare_streams

    try:
        heed_signals()
        prepare_streams()
        if sys.argv[1:2] == ["parse"]:
            from rearc.cli.quick import parse_plainly

            if parse_plainly(sys.argv[2:]):
                return
        from rearc.cli.app import app

        app()
    except (
        KeyboardInterrupt,
        SystemExit,
    ) as leaving:  # Typer takes every signal for Ctrl-C as it reads the command line
        reason: BaseException | None = leaving
        while reason is not None and not isinstance(reason, KeyboardInterrupt):
            reason = reason.__context__
        if reason is None:
            raise
        sys.exit(code_of(reason))
