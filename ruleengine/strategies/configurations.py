"""Configurations of a spec: how many play, readings, parameters."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from compiler.config import Configuration
from compiler.pipeline import Spec
from ruleengine.configurations import parameters


@st.composite
def configurations(draw: DrawFn, spec: Spec) -> Configuration:
    """What a spec may be played with; the simplest is the fewest players and all defaults."""
    settings: dict[str, str | int] = {}
    for ruling in spec.rulings:
        names = [reading.name.text for reading in ruling.readings]
        usual = [reading.name.text for reading in ruling.readings if reading.default is not None]
        found = draw(st.sampled_from([*usual, *names]))
        if found not in usual:
            settings[ruling.name.text] = found
    for name, values in parameters(spec).items():
        if draw(st.booleans()):
            settings[name] = draw(st.sampled_from(values))
    return Configuration(draw(st.sampled_from(spec.seats(settings))), settings)
