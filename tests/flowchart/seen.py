"""What tests look at in a chart, and games that several of them draw."""

from compiler.flowchart.model import Chart, Kind

CHOICE = """
    start
        -> turn
    phase turn "Turn"
        active chooses "Keep or pass?"
            keep "Keep"
                when rounds < 3
                score = 1
            pass_on to q in players "Pass on"
                unless q is active
                active = q
                -> turn
            otherwise "Stuck"
                end draw
        end winners [active]
"""

PHASES = """
    start
        do deal(3)
        -> turn
    phase deal(n: 1..6) "Deal"
        for p in players
            move top n of deck to hand[p]
    phase turn "Turn"
        rounds += 1
        if rounds is 9 "Last round?"
            -> finish([active])
        do nothing
        active = next(active)
        -> turn
    phase nothing "Nothing"
        let kept = score
        if kept > 3
            leave nothing
    phase finish(best: set of player) "The end"
        end winners best
"""

Arrow = tuple[str, str, str]


def kinds(drawn: Chart) -> list[tuple[str, str]]:
    """The boxes of a chart: kind and words, beginnings left out."""
    return [(node.kind.value, node.label) for node in drawn.nodes if node.kind is not Kind.START]


def arrows(drawn: Chart) -> list[Arrow]:
    """The arrows of a chart, by ids, with their words."""
    return [(edge.source, edge.label, edge.target) for edge in drawn.edges]


def only(drawn: Chart, kind: Kind) -> str:
    """The id of the only box of a kind."""
    (found,) = [node.id for node in drawn.nodes if node.kind is kind]
    return found
