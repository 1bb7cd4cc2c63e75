"""The door to NumPy and SciPy: sparse equations by factorization, linear programs by HiGHS."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import splu

from compiler.diagnostic import InternalError
from ruleengine.solve.program import Program
from ruleengine.solve.worth import Number


def solved(
    rows: Sequence[Mapping[int, Number]], sides: Sequence[Sequence[Number]]
) -> list[list[float]]:
    """The x with x[i] = sides[i] + sum of rows[i][j] * x[j]."""
    size = len(rows)
    matrix = eye_array(size, format="csc") - _sparse(rows, size)
    right = np.array([[float(n) for n in side] for side in sides])
    found: list[list[float]] = splu(csc_array(matrix)).solve(right).tolist()
    return found


def maximized(program: Program) -> tuple[list[float], list[float]]:
    """The best x of a linear program, and what each of its `most` rows costs."""
    aim = np.zeros(program.size)
    for at, n in program.aim.items():
        aim[at] = -float(n)
    found = linprog(
        aim,
        A_ub=_sparse(program.most, program.size),
        b_ub=np.zeros(len(program.most)),
        A_eq=_sparse(program.equal, program.size),
        b_eq=np.array([float(n) for n in program.equals]),
        bounds=[(None if at in program.free else 0, None) for at in range(program.size)],
        method="highs",
    )
    if not found.success:
        raise InternalError(f"a game's linear program has no solution: {found.message}")
    return found.x.tolist(), (-found.ineqlin.marginals).tolist()


def _sparse(rows: Sequence[Mapping[int, Number]], size: int) -> csr_array:
    entries = [(i, j, float(n)) for i, row in enumerate(rows) for j, n in row.items()]
    lines = [i for i, _, _ in entries]
    columns = [j for _, j, _ in entries]
    return csr_array(([n for _, _, n in entries], (lines, columns)), shape=(len(rows), size))
