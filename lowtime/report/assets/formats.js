// Files of the selected plan, as `lowtime plan` writes them.

class PythonFloat {
  constructor(value) {
    this.value = value;
  }
}

const float = (value) => new PythonFloat(value);

/** Text of a JSON value, as Python's json.dumps writes it with indent=1. */
function pythonJson(value, depth = 0) {
  if (value instanceof PythonFloat) return pythonFloat(value.value);
  if (value === null || typeof value !== "object") return pythonString(value);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const inner = " ".repeat(depth + 1);
  const items = Array.isArray(value)
    ? value.map((item) => pythonJson(item, depth + 1))
    : Object.entries(value).map(
        ([key, item]) => `${pythonString(key)}: ${pythonJson(item, depth + 1)}`,
      );
  if (!items.length) return open + close;
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${" ".repeat(depth)}${close}`;
}

/** JSON of a scalar with other letters than ASCII escaped. */
function pythonString(value) {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (letter) => (letter === "\u007f" ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** A plan with what the files need of it: seconds, energies, operations by lane and start. */
function planRecord(frontier, point, plan, options) {
  const { data } = frontier;
  const { devices, blockingPower } = data.terms;
  // The command multiplies in this order: the last bit shows.
  const blocking = frontier.time(point) * (devices * blockingPower);
  const cost = frontier.cost(point);
  const measured = frontier.measured(options);
  const totals = {
    point,
    time: float(frontier.time(point)),
    energy: float(cost + blocking),
    measured_energy: float(measured + blocking),
    cost: float(cost),
    measured_cost: float(measured),
  };
  const operations = [];
  for (let i = 0; i < options.length; i++) {
    if (options[i] < 0) continue;
    const seconds = {
      start: float(plan.start[i] * data.unitTime),
      duration: float(plan.durations[i] * data.unitTime),
      critical: plan.slack[i] === 0,
    };
    const knob = data.knobs[options[i]];
    const parts = entries(data.nodes[i]);
    operations.push(
      kindOf(data.nodes[i]) === null
        ? { node: data.nodes[i], knob, ...seconds }
        : { stage: parts[0], instruction: parts[1], microbatch: parts[2], frequency: knob, ...seconds },
    );
  }
  // Stable, as in Python: operations without a duration keep the order of the nodes.
  operations.sort((a, b) => (a.stage ?? 0) - (b.stage ?? 0) || a.start.value - b.start.value);
  const knobs = Array.from(options, (option) => (option < 0 ? null : data.knobs[option]));
  return { totals, operations, knobs };
}

function jsonFile({ totals, operations }) {
  return `${pythonJson([{ ...totals, operations }])}\n`;
}

function csvFile({ totals, operations }) {
  const rows = operations.map((operation) => ({ ...totals, ...operation }));
  const lines = rows.map((row) => Object.values(row).map(csvCell).join(","));
  return `${[Object.keys(rows[0] ?? totals).join(","), ...lines].join("\n")}\n`;
}

function csvCell(value) {
  if (value instanceof PythonFloat) return pythonFloat(value.value);
  if (typeof value === "boolean") return value ? "True" : "False";
  const text = typeof value === "string" ? value : label(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether training systems can read plans of this project: every computation has a published name. */
function isPipeline(data) {
  return (
    data.terms.devices > 0 &&
    data.nodes.every((node) => kindOf(node) !== null && Number.isInteger(entries(node)[0])) &&
    data.knobs.every((knob) => knob === null || Number.isInteger(knob))
  );
}

/** Zeus' plan file: a Python literal, one list of (instruction, knob) a rank, then comments. */
function zeusFile({ totals, knobs }, frontier) {
  const { planNames, settings, nodes, terms } = frontier.data;
  const ranks = new Map();
  nodes.forEach((node, i) => {
    const [stage, kind] = entries(node);
    if (!(kind in planNames)) return;
    const rank = settings.rank_of_stage?.[stage] ?? stage;
    if (!ranks.has(rank)) ranks.set(rank, []);
    ranks.get(rank).push(`('${planNames[kind]}', ${knobs[i]})`);
  });
  const lanes = [...ranks].sort(([a], [b]) => a - b).map(([, lane]) => `[${lane.join(", ")}],\n`);
  const { point, time, cost, measured_cost: measured } = totals;
  const blocking = lanes.length * time.value * terms.blockingPower;
  const notes = {
    "cost change": frontier.cost(point) - frontier.cost(point - 1),
    "total cost": cost.value,
    "total cost with P2P": cost.value + blocking,
    "measured cost": measured.value,
    "measured cost with P2P": measured.value + blocking,
    "total time": time.value,
  };
  const lines = Object.entries(notes).map(
    ([title, value]) => `# Iteration ${point - 1} ${title}: ${pythonFloat(value)}\n`,
  );
  return `[\n${lanes.join("")}]\n${lines.join("")}`;
}

/** What can be downloaded: file name and text of a record; Zeus numbers from the second point. */
const FILE_FORMATS = {
  JSON: { name: (point) => `plan_${point}.json`, type: "application/json", text: jsonFile },
  CSV: { name: (point) => `plan_${point}.csv`, type: "text/csv", text: csvFile },
  Zeus: {
    name: (point) => `freqs_pipeline_${String(point - 1).padStart(5, "0")}.py`,
    type: "text/x-python",
    text: zeusFile,
    suits: isPipeline,
    first: 1,
  },
};
