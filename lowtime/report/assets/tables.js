// Tables of the selected plan: a summary of every lane, and the operations of one.

const MOST_ROWS = 400; // more would make the page slow; the files hold all

function cell(row, text, kind = "td") {
  const made = document.createElement(kind);
  made.textContent = text;
  if (kind === "th") made.scope = row.parentNode?.tagName === "THEAD" ? "col" : "row";
  row.append(made);
  return made;
}

function fillTable(table, titles, rows) {
  const [head, body] = [table.tHead, document.createElement("tbody")];
  head.replaceChildren();
  const line = document.createElement("tr");
  head.append(line);
  for (const title of titles) cell(line, title, "th");
  for (const values of rows) {
    const row = document.createElement("tr");
    values.forEach((value, i) => cell(row, value, i === 0 ? "th" : "td"));
    body.append(row);
  }
  table.tBodies[0].replaceWith(body);
}

class Tables {
  constructor(data, scheduler, palette) {
    this.data = data;
    this.scheduler = scheduler;
    this.palette = palette;
    this.decimals = decimalsFor(data.unitTime);
    this.lane = document.getElementById("lane");
    this.lane.append(
      ...data.lanes.map((name, i) => new Option(data.packed ? "all" : `${data.terms.lane} ${name}`, i)),
    );
    this.lane.addEventListener("change", () => this.operations());
    this.lane.parentElement.hidden = data.packed;
  }

  update(plan, options) {
    Object.assign(this, { plan, options });
    if (!this.data.packed) this.summary();
    this.operations();
  }

  seconds(quanta) {
    return shown(quanta * this.data.unitTime, this.decimals);
  }

  summary() {
    const idle = this.scheduler.idle(this.plan);
    const rows = this.data.lanes.map((name, lane) => {
      const inOrder = this.scheduler
        .inOrder(lane, this.plan)
        .filter((i) => !this.scheduler.isTransfer[i]);
      const waits = { slack: 0, blocking: 0 };
      for (const [from, to, kind] of idle[lane]) waits[kind] += to - from;
      const busy = this.plan.end - waits.slack - waits.blocking;
      return [
        name,
        String(inOrder.length),
        this.seconds(busy),
        this.seconds(waits.blocking),
        this.seconds(waits.slack),
        this._runs(inOrder),
      ];
    });
    const { lane, knob, knobUnit } = this.data.terms;
    const titles = [
      lane,
      "operations",
      "busy [s]",
      "blocked [s]",
      "slack [s]",
      `${knob}${knobUnit ? ` [${knobUnit}]` : ""} \u00d7 operations, in order`,
    ];
    fillTable(document.getElementById("lanes-table"), titles, rows);
  }

  /** Runs of equal knobs per kind: "forward 1410 x3, 1395 x9". */
  _runs(inOrder) {
    const kinds = new Map();
    for (const i of inOrder) {
      const kind = kindOf(this.data.nodes[i]) ?? "";
      const knob = label(this.data.knobs[this.options[i]]);
      const runs = kinds.get(kind) ?? kinds.set(kind, []).get(kind);
      if (runs.at(-1)?.[0] === knob) runs.at(-1)[1]++;
      else runs.push([knob, 1]);
    }
    return [...kinds]
      .map(([kind, runs]) =>
        `${kind} ${runs.map(([knob, count]) => `${knob}\u00a0\u00d7${count}`).join(", ")}`.trim(),
      )
      .join("; ");
  }

  operations() {
    const { terms, arrays, knobs, nodes, unitTime } = this.data;
    const inOrder = this.scheduler.inOrder(Number(this.lane.value), this.plan);
    const unit = (name) => (name ? ` [${name}]` : "");
    const titles = [
      "operation",
      `${terms.knob}${unit(terms.knobUnit)}`,
      "start [s]",
      "duration [s]",
      "slack [s]",
      terms.costUnit === "J" ? "power [W]" : "cost per second",
      `measured ${terms.cost}${unit(terms.costUnit)}`,
      "critical",
    ];
    const rows = inOrder.slice(0, MOST_ROWS).map((i) => {
      const option = this.options[i];
      const drawn = terms.blockingPower * arrays.optionQuanta[option] * unitTime;
      return [
        operationName(nodes[i], terms),
        label(knobs[option]),
        this.seconds(this.plan.start[i]),
        this.seconds(this.plan.durations[i]),
        this.seconds(this.plan.slack[i]),
        shown(this.palette.power[option], 1),
        shown(arrays.optionCosts[option] + drawn, 2),
        this.plan.slack[i] === 0 ? "yes" : "no",
      ];
    });
    fillTable(document.getElementById("operations-table"), titles, rows);
    const more = inOrder.length - rows.length;
    document.getElementById("more-rows").textContent =
      more > 0 ? `${counted(more, "more operation is", "more operations are")} in the files below.` : "";
  }
}
