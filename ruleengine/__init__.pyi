from compiler.config import Configuration as Configuration
from compiler.diagnostic import Report as Report
from compiler.pipeline import Spec as Spec
from ruleengine.exploration import explore as explore
from ruleengine.game import Instance as Instance
from ruleengine.game import Option as Option
from ruleengine.game import State as State
from ruleengine.game import load as load
from ruleengine.record import Record as Record
from ruleengine.simulation import simulate as simulate

__all__ = [
    "Configuration",
    "Instance",
    "Option",
    "Record",
    "Report",
    "Spec",
    "State",
    "explore",
    "load",
    "simulate",
]
