"""Exponential coefficients as the published library fits them; run it with lowtime==0.3.0's Python.

    python bench/fit_as_published.py PROFILE.csv UNIT_TIME BLOCKING_POWER > coefficients.json

The output maps ``stage/instruction`` to ``[a, b, c]`` of ``a * exp(b * quanta) + c``.
"""

import csv
import json
import sys
import warnings
from collections import defaultdict

from lowtime.cost_model import ExponentialModel
from lowtime.operation import CandidateExecutionOptions, ExecutionOption


def main(path, unit_time, blocking_power):
    warnings.simplefilter("ignore")  # overflows of hopeless initial guesses
    tables = defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            tables[row["stage"], row["instruction"]].append(
                ExecutionOption(
                    real_time=float(row["time"]),
                    unit_time=unit_time,
                    cost=float(row["energy"]),
                    knob=int(row["frequency"]),
                )
            )
    fitted = {}
    for (stage, instruction), options in tables.items():
        candidates = CandidateExecutionOptions(options=options)
        if len(candidates.options) <= 3:
            candidates = CandidateExecutionOptions(options=options, noise_factor=0.95)
        for option in candidates.options:
            option.cost -= blocking_power * option.quant_time * unit_time
        model = ExponentialModel(candidates, search_strategy="best")
        fitted[f"{stage}/{instruction}"] = [float(x) for x in model.coefficients]
        print(stage, instruction, len(candidates.options), file=sys.stderr)
    json.dump(fitted, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]))
