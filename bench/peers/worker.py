"""One contestant in a process: it makes a call, then times it as often as it is told.

    python bench/peers/worker.py < requests > replies

One JSON object per line. ``{"make": "module:function", "args": {...}}`` makes a call, runs it and
replies with its answer and its time (the function returns the call, or a setup, which is not timed,
and a call that takes what the setup returns); ``{"repeats": n}`` times it. The script stands alone,
so that environments of other versions of lowtime can run it: the folder of this repository must not
be on their path.
"""

import gc
import json
import os
import sys
from importlib import import_module
from pathlib import Path

# Behind everything installed: `measure` is found there, and no `lowtime`.
sys.path.append(str(Path(__file__).parents[1]))

from measure import timed


def serve(requests, replies):
    """Answer until the requests end; an error is a reply, too."""
    setup = call = None
    for line in requests:
        request = json.loads(line)
        try:
            if "make" in request:
                gc.unfreeze()
                setup = call = None
                module, name = request["make"].split(":")
                made = getattr(import_module(module), name)(**request["args"])
                setup, call = made if isinstance(made, tuple) else (None, made)
                answers = []

                def kept(*arguments, call=call, answers=answers):
                    answers.append(call(*arguments))

                reply = {**timed(kept, 1, setup)._asdict(), "answer": answers.pop()}
                gc.collect()
                gc.freeze()  # the input stays; only what runs leave behind is looked through
            else:
                gc.collect()
                reply = timed(call, request["repeats"], setup)._asdict()
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"[:300]}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    # What solvers print must not come between the replies.
    private = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    serve(sys.stdin, private)
