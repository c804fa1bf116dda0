"""`python -m rearc` is the command `rearc`."""

from rearc.cli import main

if __name__ == "__main__":
    main()
