// The page: reads the data, then keeps everything in step with the selected plan.

const SETTLE = 150; // ms of rest before what is not needed while moving is brought up to date

class Page {
  constructor(data) {
    this.data = data;
    this.frontier = new Frontier(data);
    this.scheduler = new Scheduler(data);
    this.palette = new Palette(data);
    this.last = this.frontier.points - 1;
    this.best = this.frontier.cheapest();
    this.decimals = decimalsFor(data.unitTime);
    this.isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
    this.timeline = new Timeline(element("timeline"), data, this.scheduler);
    this.timeline.fastest = this.frontier.quanta(this.last);
    this.tables = new Tables(data, this.scheduler, this.palette);
    this.chart = new Chart(element("chart"), this.frontier, (point) => this.select(point));
    this.steps = new Steps(this.frontier, (point) => this.select(point));
    this.queries = new Queries(this.frontier, (point) => this.select(point));
    this.timings = { steps: [] };
    this._words();
    this._listen();
    // An end of the frontier would show little of it.
    const isInside = this.best > 0 && this.best < this.last;
    this.select(this._fromAddress() ?? (isInside ? this.best : Math.floor(this.last / 2)));
    this.isDark = controlTheme(() => this._recolor());
  }

  /** Show a plan everywhere. */
  select(point) {
    const began = performance.now();
    this.point = point;
    const durations = this.frontier.durations(point);
    this.plan = this.scheduler.schedule(durations);
    this.options = this.frontier.options(durations);
    this.totals = this._totals();
    this._showTotals();
    this._drawTimeline();
    this.chart.mark(point);
    this.timings.steps.push(performance.now() - began);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this._settle(), SETTLE);
  }

  /** Called once the plotting library is there. */
  async drawChart() {
    const began = performance.now();
    await this.chart.draw(this.theme(), this.last, this.best);
    this.timings.drawing = performance.now() - began;
    this.timings.chart ??= performance.now();
  }

  /** The page's colours, read once per theme: asking makes the browser lay the page out. */
  theme() {
    this.colors ??= this._readTheme();
    return this.colors;
  }

  _readTheme() {
    const style = getComputedStyle(document.documentElement);
    const names = ["ink", "muted", "line", "card", "accent", "strong", "slack", "blocking"];
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }

  record() {
    return planRecord(this.frontier, this.point, this.plan, this.options);
  }

  _totals() {
    const { frontier, point, last } = this;
    const total = frontier.total(point);
    const fastest = frontier.total(last);
    return {
      time: frontier.time(point),
      total,
      measured: frontier.measured(this.options) + frontier.blocking(point),
      saved: fastest - total,
      percent: fastest === 0 ? 0 : 100 * (1 - total / fastest),
      slower: 100 * (frontier.time(point) / frontier.time(last) - 1),
    };
  }

  _showTotals() {
    const { time, total, measured, saved, percent, slower } = this.totals;
    const { costUnit } = this.data.terms;
    const unit = costUnit ? ` ${costUnit}` : "";
    const put = (id, text) => (element(id).textContent = text);
    put("time", `${shown(time, this.decimals)} s`);
    put("time-note", slower > 0 ? `${shown(slower, 2)} % longer than the fastest` : "the fastest plan");
    put("total", `${shown(total, 1)}${unit}`);
    put("total-note", this.point === this.best ? `the least ${this.data.terms.cost}` : "by the cost model");
    put("saved", `${shown(percent, 2)} %`);
    put("saved-note", `${shown(saved, 1)}${unit} less than the fastest`);
    put("measured", `${shown(measured, 1)}${unit}`);
    const off = total === 0 ? 0 : 100 * (measured / total - 1);
    put("measured-note", `${off > 0 ? "+" : ""}${shown(off, 2)} % against the model`);
    put("place", `plan ${shown(this.point)} of ${shown(this.last)}`);
    this.steps.show(
      this.point,
      `${shown(time, this.decimals)} seconds, ${shown(total, 1)} ${costUnit || this.data.terms.cost},` +
        ` saves ${shown(percent, 2)} percent`,
    );
    if (this.hasSplit) this._showSplit();
  }

  /** Where the energy goes: operations, waiting for others, waiting that slower options could use. */
  _showSplit() {
    const waits = { slack: 0, blocking: 0 };
    for (const gaps of this.scheduler.idle(this.plan)) {
      for (const [from, to, kind] of gaps) waits[kind] += to - from;
    }
    const { blockingPower } = this.data.terms;
    const joules = (quanta) => quanta * this.data.unitTime * blockingPower;
    const busy = this.data.terms.devices * this.plan.end - waits.slack - waits.blocking;
    const parts = {
      needed: this.frontier.cost(this.point) + joules(busy),
      blocking: joules(waits.blocking),
      slack: joules(waits.slack),
    };
    this.split = parts;
    for (const [name, value] of Object.entries(parts)) {
      const share = (100 * value) / this.totals.total;
      element(`${name}-bar`).style.flexGrow = String(Math.max(share, 0));
      element(`${name}-value`).textContent = `${shown(value, 1)} J \u00b7 ${shown(share, 1)} %`;
    }
  }

  _drawTimeline() {
    this.paint = this.palette.paint(element("color").value, this.isDark());
    this.timeline.draw(this.plan, this.options, this.paint, this.theme());
  }

  _showKey() {
    const { key } = this.paint;
    const made = document.createDocumentFragment();
    const text = (words) => {
      const span = document.createElement("span");
      span.textContent = words;
      made.append(span);
      return span;
    };
    if (key.kind === "range") {
      const unit = key.unit ? ` ${key.unit}` : "";
      text(`${shown(key.low)}${unit}`);
      text("").className = "ramp";
      made.lastChild.style.background = `linear-gradient(90deg, ${key.anchors.join(",")})`;
      text(`${shown(key.high)}${unit}`);
    } else {
      for (const [name, color] of key.names) {
        text("").className = "swatch";
        made.lastChild.style.background = color;
        text(name);
      }
    }
    element("key").replaceChildren(made);
  }

  _recolor() {
    this.colors = undefined;
    this._drawTimeline();
    this._showKey();
    if (this.chart.ready) this.drawChart();
  }

  /** Tables, address and announcement wait until the reader rests. */
  _settle() {
    this.tables.update(this.plan, this.options);
    for (const [button, { first = 0 }] of this.downloads) {
      button.disabled = this.point < first;
      button.title = button.disabled ? "This format has no number for the longest schedule; choose a plan one step shorter." : "";
    }
    const { time, total, percent } = this.totals;
    const { cost, costUnit } = this.data.terms;
    const critical = this.options.reduce(
      (sum, option, i) => sum + (option >= 0 && this.plan.slack[i] === 0 ? 1 : 0),
      0,
    );
    element("timeline").setAttribute(
      "aria-label",
      `Timeline of the selected plan: ${shown(time, this.decimals)} seconds,` +
        ` ${counted(critical, "operation")} on critical paths. Plus and minus zoom, arrows move;` +
        " the table below lists the operations.",
    );
    element("status").textContent =
      `Selected: ${shown(time, this.decimals)} s, ${shown(total, 1)} ${costUnit || cost}, saves` +
      ` ${shown(percent, 2)} %.`;
    history.replaceState(null, "", `#point=${this.point}`);
  }

  _fromAddress() {
    const found = /^#point=(\d+)$/.exec(location.hash);
    return found && Number(found[1]) <= this.last ? Number(found[1]) : null;
  }

  _words() {
    const { data } = this;
    const { terms, settings, provenance } = data;
    const { isTransfer } = this.scheduler;
    const operations = data.arrays.optionOf.reduce(
      (sum, table, i) => sum + (table >= 0 && !isTransfer[i] ? 1 : 0),
      0,
    );
    const facts = [counted(this.frontier.points, "plan"), counted(operations, "operation")];
    if (!data.packed) facts.push(counted(data.lanes.length, terms.lane));
    if (settings.microbatches) {
      facts.push(counted(settings.microbatches, "micro-batch", "micro-batches"));
    }
    if (settings.schedule) facts.push(String(settings.schedule));
    facts.push(`solved by ${provenance.backend} ${provenance.backend_version}`.trim());
    if (!data.complete) facts.push("stopped by a time limit: shorter schedules exist");
    element("facts").textContent = facts.join(" \u00b7 ");
    for (const place of document.querySelectorAll("[data-term]")) {
      const word = terms[place.dataset.term];
      place.textContent = word && "bracket" in place.dataset ? `[${word}]` : word;
    }
    // With a plain cost there is nothing to split, and lanes may share a device.
    this.hasSplit = terms.devices > 0 && terms.devices === data.lanes.length && !data.packed;
    element("split").hidden = !this.hasSplit;
    element("lanes-summary").hidden = data.packed;
    for (const entry of document.querySelectorAll(".idle")) entry.hidden = data.packed;
    const modes = { knob: terms.knob, power: terms.costUnit === "J" ? "power" : "cost per second", kind: "kind" };
    element("color").append(...this.palette.modes.map((mode) => new Option(modes[mode], mode)));
    const told = Object.entries({ ...settings, ...flat(provenance), "rounding of costs, at most": data.costError });
    for (const [name, value] of told) {
      const [term, detail] = ["dt", "dd"].map((tag) => document.createElement(tag));
      term.textContent = name.replaceAll("_", " ");
      detail.textContent = value === null || value === "" ? "none" : String(value);
      element("provenance").append(term, detail);
    }
  }

  _listen() {
    element("fastest").addEventListener("click", () => this.select(this.last));
    element("best").addEventListener("click", () => this.select(this.best));
    element("longest").addEventListener("click", () => this.select(0));
    element("color").addEventListener("change", () => this._recolor());
    new ResizeObserver(() => this.timeline.resize()).observe(element("timeline").parentElement);
    window.addEventListener("hashchange", () => this.select(this._fromAddress() ?? this.point));
    controlTimeline(this.timeline, (operation) => this._describe(operation));
    this.downloads = [];
    for (const [format, file] of Object.entries(FILE_FORMATS)) {
      if (file.suits && !file.suits(this.data)) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = format;
      button.addEventListener("click", () => this._download(file));
      element("downloads").append(button);
      this.downloads.push([button, file]);
    }
  }

  _download({ name, type, text }) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text(this.record(), this.frontier)], { type }));
    link.download = name(this.point);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  _describe(operation) {
    const { data, plan, options } = this;
    const { knob, knobUnit, costUnit } = data.terms;
    const seconds = (quanta) => `${shown(quanta * data.unitTime, this.decimals)} s`;
    const name = operationName(data.nodes[operation], data.terms);
    const power = `${shown(this.palette.power[options[operation]], 1)} ${costUnit === "J" ? "W" : "per s"}`;
    const lines = [
      name,
      `${knob}: ${label(data.knobs[options[operation]])} ${knobUnit}`.trim(),
      `${costUnit === "J" ? "power" : "cost"}: ${power}`,
      `${seconds(plan.start[operation])} + ${seconds(plan.durations[operation])}`,
      plan.slack[operation] === 0 ? "on a critical path" : `slack: ${seconds(plan.slack[operation])}`,
    ];
    return lines.map((text, i) => {
      const line = document.createElement(i === 0 ? "strong" : "span");
      line.textContent = text;
      return line;
    });
  }
}

function flat(values, prefix = "") {
  const result = {};
  for (const [name, value] of Object.entries(values)) {
    const nested = value !== null && typeof value === "object";
    if (nested) Object.assign(result, flat(value, `${prefix}${name}: `));
    else result[prefix + name] = value;
  }
  return result;
}

/** Run the plotting library, which the page holds as text. */
function runLibrary() {
  const script = document.createElement("script");
  script.textContent = element("library").textContent;
  document.head.append(script);
}

readData(element("data").textContent)
  .then((data) => {
    const page = new Page(data);
    page.timings.picture = performance.now();
    window.lowtimeReport = page;
    element("page").removeAttribute("aria-busy");
    // The library is large: it is run once the first picture is on the screen.
    requestAnimationFrame(() =>
      setTimeout(() => {
        runLibrary();
        page.drawChart();
      }),
    );
  })
  .catch((error) => {
    element("status").textContent = `This page could not be shown: ${error.message}`;
    element("status").className = "failed";
    throw error;
  });
