"""The command `rearc`: one file per verb."""


def main() -> None:
    """Run the command line."""
    import sys

    try:
        from rearc.cli.app import app
        from rearc.cli.common import prepare_streams

        prepare_streams()
        app()
    except KeyboardInterrupt:
        sys.exit(130)
