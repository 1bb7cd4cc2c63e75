"""`python -m ruleengine`: the same as the command `rulewright`."""

from ruleengine.cli import main

if __name__ == "__main__":
    main()
