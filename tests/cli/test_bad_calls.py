"""Every command, called wrongly: what is wrong is said with what would do, and never a traceback.

A line below is a call, its exit code and words of the answer.
"""

import re
import shlex
from io import StringIO
from pathlib import Path

import pytest

from ruleengine.cli import COMMANDS, run

RECORD = "rulewright record 1\nspec nim\n\n"
FILES = {
    "empty.rules": b"",
    "blank.record": b"",
    "bytes.rules": bytes(range(256)),
    "broken.rules": b'rulebook broken "Broken"\n    seats 2\nstart\n    end drw\n',
    "text": b"words\n",
    "odd.record": f"{RECORD}A: take 9, from 1\n".encode(),
    "good.record": f"{RECORD}A: take 1, from 1\n".encode(),
    "late.record": f"{RECORD}A: take 1, from 1\nchance 3\n".encode(),
    "newer.record": b"rulewright record 9\nspec nim\n\n",
    "set.record": b"rulewright record 1\nspec nim\nset heaps=99\n\nA: take 1, from 1\n",
    "seats.record": b"rulewright record 1\nspec nim\nplayers two\n\nA: take 1, from 1\n",
    "other.record": b"rulewright record 1\nspec kuhn\n\nchance J\n",
    "misspelt.record": b"rulewright record 1\nspec nim\nplayrs 2\n\nA: take 1, from 1\n",
    "small.record": b"rulewright record 1\nspec nim\n\na: take 1, from 1\n",
    "cut.record": b"rulewright record 1\nspec nim\n\nA: take 1",
    "strange.record": b"\xff\xfe\x00words",
}
QUICK = "-n 1 --watch 0 --ladder none"
CALLS = f"""
book nmi                                                2  did you mean `nim`
book empty.rules                                        1  begin with `rulebook NAME "Title"`
book nim -o text/under                                  2  `text` is a file, not a folder
book nim --check -o nowhere                             1  without `--check` writes them
check nowhere.rules                                     2  there is no file `nowhere.rules`
check folder.rules                                      2  is a folder, and no rulebook is in it
check good.record                                       2  as in `rulewright replay nim good.record`
check text                                              2  the name of one ends with `.rules`
check                                                   2  as in `rulewright check klink`
check bytes.rules                                       1  save the file as UTF-8
check broken.rules                                      1  did you mean `draw`?
check nim --fromat json                                 2  Did you mean '--format'
check nim --set heaps=3                                 2  it belongs to what plays or draws one
check nim --players 3                                   2  at every number of players
check nim --confirm all                                 2  nim has no table of clauses
coverage nim --games 0 --merge nowhere                  2  there is no such file
coverage nim --games 0 --merge folder                   2  it is a folder
coverage nim --games 0 --merge text                     2  this is no rulewright coverage
coverage nim --save folder                              2  it is a folder; name a file in it
coverage nim --html text/under.html                     2  `text` is a file, not a folder
coverage nim --games 0 --no-scenarios --save text/under  2  `text` is a file, not a folder
coverage empty.rules                                    1  begin with `rulebook NAME "Title"`
demo nmi                                                2  did you mean `nim`
demo nim -o text/under                                  2  `text` is a file, not a folder
demo nim -n 0                                           2  `0` is no whole number of at least 1
diff nim                                                2  Missing argument 'NEW'
diff nim nmi                                            2  did you mean `nim`
diff nim git:HEAD                                       2  write git:REVISION:SPEC
diff nim kuhn -o out.xyz                                2  end it with one of .html
diff nim kuhn -o text/under.md                          2  `text` is a file, not a folder
diff nim kuhn --size 7                                  2  0<x<=1
diff nim kuhn --simulate 999999 -o text/under.md        2  `text` is a file, not a folder
diff nim kuhn --set heap=3                              2  did you mean `heaps`
doctor extra                                            2  unexpected extra argument
explain unknown-nmae                                    2  did you mean `unknown-name`
explore nim --limit 3                                   1  --limit allows more
explore nim --machine wasmm                             2  'wasm'
explore kuhn --knowledge --machine wasm                 2  only the interpreter tells
explore kuhn --knowledge --perft 3                      2  --knowledge makes no difference
explore nim --depth -1                                  2  `-1` is no whole number of at least 0
flow nim --phase turn                                   2  there are start
flow nim -T pgn                                         2  'png'
flow nim -o out.xyz                                     2  end it with one of svg
flow nim -o text/under.svg                              2  `text` is a file, not a folder
flow nim --select NI-1                                  2  nothing in the chart cites `NI-1`
flow nim --against nim,heap=4                           2  did you mean `heaps`
flow nim --trace nowhere                                2  there is no such file
flow nim --trace odd.record                             1  A: take 1, from 1
flow nim --upto 3                                       2  it goes with --trace
flow nim --heat 0                                       2  `0` is no whole number of at least 1
flow nim --level huge                                   2  'overview', 'steps', 'full'
flow klink --phase trun                                 2  did you mean `turn`
flow nim --heat 2 --select X                            2  at a time
flow nim --conforms folder                              2  it is a folder
flow nim --aid -o page.png                              2  written as HTML or SVG
fmt nowhere.rules                                       2  there is no file `nowhere.rules`
fmt folder                                              2  is no file `*.rules`
fmt broken.rules                                        1  did you mean `draw`?
ladder nim --rungs foo                                  2  there are random, greedy
ladder nim --rungs random                               2  at least two rungs
ladder nim -j 99999999999999999999                      2  at most 64
ladder nim --score blah -n 1                            2  nothing is called `blah`
leaks nim --players 9                                   2  it is for 2
leaks nim --stops 0                                     2  `0` is no whole number of at least 1
lint folder.rules                                       2  is a folder, and no rulebook is in it
lint nim --games -1                                     2  `-1` is no whole number of at least 0
mutate nim --sample 0                                   2  `0` is no whole number of at least 1
mutate nim --sample 1 --games 0 --resume text           2  name another file
mutate nim --sample 1 --games 0 --resume text/under     2  `text` is a file, not a folder
new nim                                                 2  how about `my_nim`?
new "my game"                                           2  how about `my_game`?
new folder                                              2  nothing is written over
play nim                                                2  pipe answers in
play nim --seat Z                                       2  the seats are A and B
play nim --seat A --bots A                              2  cannot be a person and a bot
play nim --bots B=foo                                   2  there are random, greedy
play nim --bots B=mcts:0                                2  0 is not from 1
play nim --bots B=mcts:9 --score blah                   2  nothing is called `blah`
play nim --resume odd.record                            1  A: take 1, from 1
play nim --resume set.record                            2  `set.record` is no game of this rulebook
play nim --resume other.record                          2  rulewright play kuhn
play nim --resume folder                                2  it is a folder
play nim --record text/under                            2  there is no folder `text`
play nim --set heaps=99                                 2  1 to 8
play klink --given first_player=Q                       2  it is one of A, B, C
play klink --ruling KL-R11=on                           2  one_pair_owner_chooses
play nim --bots B=mcts:x                                2  neither a number of rounds
replay nim nowhere                                      2  there is no such file
replay nim folder                                       2  it is a folder
replay nim blank.record                                 1  rulewright record 1
replay nim newer.record                                 1  only version 1 can be read
replay nim misspelt.record                              1  did you mean `players 2`
replay nim small.record                                 1  did you mean `A: take 1, from 1`
replay nim cut.record                                   1  line 4: `A: take 1` does not fit
replay nim strange.record                               2  it is encoded as UTF-16
replay nim late.record                                  1  line 5: `chance 3` does not fit
replay good.record                                      2  as in `rulewright replay nim good.record`
replay nim set.record                                   2  `set.record` is no game of this rulebook
replay nim seats.record                                 1  line 3: `players` is a whole number
replay nim good.record --flow out.xyz                   2  end it with one of svg
replay nim good.record --seat Z                         2  the seats are A, B
replay nim good.record --upto 3                         2  go with `--flow FILE`
replay kuhn good.record                                 1  chance J
report nim --bots foo                                   2  there are random, greedy
report nim -n 999999 -o text/under.html                 2  `text` is a file, not a folder
report nim {QUICK} -o folder                            2  name a file in it
report nim {QUICK} -o page.xyz                          2  end it with one of .html
report nim {QUICK} -o page.html --json                  2  do not go together
report nim {QUICK} --score blah                         2  nothing is called `blah`
report nim {QUICK} -o text/under.html                   2  `text` is a file, not a folder
rulings kuhn                                            2  leaves nothing open
rulings nim --only lost                                 2  did you mean `last`
rulings nim -n 999999 -o text/under.md                  2  `text` is a file, not a folder
rulings nim --only NI-R9                                2  there are last
rulings nim -n 2 -o page.xyz                            2  end it with .md or .json
rulings nim -n 2 -o text/under.md                       2  `text` is a file, not a folder
simulate nim -n 1e6                                     2  `1e6` is no whole number
simulate nim -n 999999999 -o text/under.csv             2  `text` is a file, not a folder
simulate nim --players 99999999999999999999             2  it is for 2
simulate nim --set heaps                                2  NAME=VALUE
simulate nim --set last=lsoes                           2  did you mean `loses`
simulate nim --set heaps=3 --set heaps=4                2  it is 3 already
simulate nim --bots random,random,random                2  nim has 2 seats
simulate nim --bots greedy                              2  for example `--score 'score[p]'`
simulate nim -n 1 --bots random --score blah            2  nothing is called `blah`
simulate nim -n 2 -o text/under.csv                     2  `text` is a file, not a folder
simulate nim+nowhere                                    2  no variant is called `nowhere`
simulate nim,heaps=3                                    2  `nim --set heaps=3`
simulate nim,heaps=3,last=wins                          2  `nim --set heaps=3 --set last=wins`
simulate nim --jbos 2                                   2  '--jobs'
solve nim --limit 3                                     1  there are more than 3 situations
solve nim --set heap=2                                  2  did you mean `heaps`
sweep nim --vary heaps                                  2  write NAME=1..9
sweep nim --vary heaps=a..b                             2  the numbers 1 to 8
sweep nim --vary heaps=9                                2  1 to 8
sweep nim --vary heaps=1..99999999999                   2  more than 10,000 numbers
sweep nim --players abc                                 2  write 3, 2..4, or 2,4
sweep nim --readings lost                               2  did you mean `last`
sweep nim -n 2 -j 1 -o out.xyz                          2  end it with .csv
sweep nim -n 2 -j 1 --store text                        2  is no store of a sweep
sweep nim -n 2 -j 1 --store text/under.sqlite           2  it is a file, not a folder
test nim -k nowhere --games 0 -j 1                      2  no test has `nowhere` in its name
test nim -j 0                                           2  `0` is no whole number of at least 1
test nim+nowhere                                        2  no variant is called `nowhere`
why nim good.record                                     2  Missing argument 'ANSWER'
why nim good.record taek 1                              2  did you mean `take`
why nim nowhere take 1                                  2  there is no such file
why nim good.record take 1 from 1 and more              2  looks like `take 1, from 2`
why nim good.record --at 9 take 1                       2  decisions near it are 1, 2
why nim good.record --seat A take 1                     2  at step 2 B is asked, not A
why nim odd.record take 1                               1  A: take 1, from 1
"""


ROWS = re.findall(r"^(.+?)\s{2,}([12])  (.+)$", CALLS, re.MULTILINE)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that are not what a command wants, and no terminal."""
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.rules").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO())
    return tmp_path


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("call", "code", "said"), ROWS, ids=lambda part: part[:60])
def test_bad_call(call: str, code: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    """The exit code says whose fault it is, and the answer what to type instead."""
    ended = run(shlex.split(call))
    out, err = capfd.readouterr()

    assert (ended, said in out + err) == (int(code), True), out + err
    assert "Traceback" not in out + err


def test_every_command_is_called_wrongly() -> None:
    """No command is left out of the table."""
    assert {call.split()[0] for call, _, _ in ROWS} == set(COMMANDS)
    assert len(ROWS) == len(CALLS.strip().splitlines())
