// Colours of operations: by knob, by power, or by kind.

const NOTHING_TO_CHOOSE = "#8a929c";

class Palette {
  constructor(data) {
    this.data = data;
    const { optionStart, optionCosts, optionQuanta, optionTimes } = data.arrays;
    const tables = optionStart.length - 1;
    const { terms } = data;
    const { blockingPower } = terms;
    this.power = Float64Array.from(optionCosts, (cost, option) =>
      optionTimes[option] > 0
        ? (cost + blockingPower * optionQuanta[option] * data.unitTime) / optionTimes[option]
        : blockingPower,
    );
    this.tables = tables;
    const kinds = new Set(data.nodes.map(kindOf));
    this.kinds = [...kinds].filter((kind) => kind !== null && (!terms.devices || kind in data.planNames));
    this.modes = ["knob", "power"];
    if (this.kinds.length > 1 && this.kinds.length <= data.categories.length) this.modes.push("kind");
  }

  /** Colours of all options, and the key that explains them. */
  paint(mode, isDark) {
    if (mode === "kind") return this._byKind();
    const values = mode === "power" ? Array.from(this.power) : this.data.knobs;
    // A knob of null is an operation with nothing to choose, such as a transfer.
    const told = values.filter((value) => value !== null);
    if (!told.every((value) => typeof value === "number")) return this._byName(values);
    const low = Math.min(...told);
    const high = Math.max(...told);
    // High values stand out from the page: dark on light, light on dark.
    const anchors = isDark ? [...this.data.sequence].reverse() : this.data.sequence;
    const at = (value) => between(anchors, high > low ? (value - low) / (high - low) : 1);
    const colors = values.map((value) => (value === null ? NOTHING_TO_CHOOSE : at(value)));
    const { knobUnit, costUnit } = this.data.terms;
    const unit = mode === "knob" ? knobUnit : costUnit === "J" ? "W" : `${costUnit}/s`;
    return {
      of: (operation, option) => colors[option],
      key: { kind: "range", low, high, unit, anchors },
    };
  }

  _byKind() {
    const colors = new Map(this.kinds.map((kind, i) => [kind, this.data.categories[i]]));
    return {
      of: (operation) => colors.get(kindOf(this.data.nodes[operation])) ?? NOTHING_TO_CHOOSE,
      key: { kind: "names", names: [...colors] },
    };
  }

  _byName(values) {
    const names = [...new Set(values.filter((value) => value !== null).map(label))].sort();
    const { categories } = this.data;
    const colors = new Map(names.map((name, i) => [name, categories[i % categories.length]]));
    return {
      of: (operation, option) => colors.get(label(values[option])) ?? NOTHING_TO_CHOOSE,
      key: { kind: "names", names: [...colors] },
    };
  }
}

/** Entries of a tuple node or knob (`{"tuple": [...]}`), or null. */
function entries(value) {
  return value !== null && typeof value === "object" ? value.tuple : null;
}

function label(value) {
  const parts = entries(value);
  return parts ? parts.map(label).join(" \u00b7 ") : value === null ? "None" : String(value);
}

/** The kind of a pipeline's operation: (stage, kind, micro-batch); null for other nodes. */
function kindOf(node) {
  const parts = entries(node);
  return parts && parts.length === 3 && typeof parts[1] === "string" ? parts[1] : null;
}

/** The name of an operation: "forward 3", with its stage where the lanes do not tell it. */
function operationName(node, terms) {
  const kind = kindOf(node);
  if (kind === null) return label(node);
  const stage = terms.lane === "stage" ? "" : `, stage ${label(entries(node)[0])}`;
  return `${kind} ${barText(node)}${stage}`;
}

/** The text on an operation's bar: the micro-batch, or the node. */
function barText(node) {
  const parts = entries(node);
  return parts ? label(parts[parts.length - 1]) : label(node);
}

function channels(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/** Colour at a fraction of the way through anchors of equal distance. */
function between(anchors, fraction) {
  const place = Math.min(Math.max(fraction, 0), 1) * (anchors.length - 1);
  const index = Math.min(Math.floor(place), anchors.length - 2);
  const [from, to] = [channels(anchors[index]), channels(anchors[index + 1])];
  const mixed = from.map((value, i) => Math.round(value + (to[i] - value) * (place - index)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function isDarkColor(color) {
  const [red, green, blue] = channels(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 140;
}
