// What a reader moves: the slider, the boxes, the timeline's view, the theme.

const element = (id) => document.getElementById(id);

/** Slider and step buttons; the fastest plan is at the left, as on the chart. */
class Steps {
  constructor(frontier, onSelect) {
    this.frontier = frontier;
    this.last = frontier.points - 1;
    this.slider = element("slider");
    this.slider.max = String(this.last);
    this.onSelect = onSelect;
    this.slider.addEventListener("input", () => onSelect(this.last - Number(this.slider.value)));
    this.slider.addEventListener("keydown", (event) => this._key(event));
    element("slower").addEventListener("click", () => this.step(1));
    element("faster").addEventListener("click", () => this.step(-1));
  }

  show(point, text) {
    this.slider.value = String(this.last - point);
    this.slider.setAttribute("aria-valuetext", text);
    element("faster").disabled = point === this.last;
    element("slower").disabled = point === 0;
    this.point = point;
  }

  /** So many quanta longer. */
  step(quanta) {
    this.onSelect(Math.min(Math.max(this.point - quanta, 0), this.last));
  }

  _key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(10, Math.round(this.last / 100));
    const one = event.shiftKey ? 10 : 1;
    const steps = {
      ArrowRight: one,
      ArrowUp: one,
      ArrowLeft: -one,
      ArrowDown: -one,
      PageUp: page,
      PageDown: -page,
      Home: -this.last,
      End: this.last,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.step(steps[event.key]);
  }
}

/** The three boxes: deadline, budget, slowdown. */
class Queries {
  constructor(frontier, onSelect) {
    this.frontier = frontier;
    this.onSelect = onSelect;
    this._listen("deadline", (value) => this.deadline(value));
    this._listen("budget", (value) => this.budget(value));
    this._listen("slowdown", (value) => this.slowdown(value));
  }

  deadline(seconds) {
    const { frontier } = this;
    const point = frontier.atDeadline(seconds);
    if (point >= 0) return point;
    const shortest = pythonFloat(frontier.time(frontier.points - 1));
    throw new RangeError(`No plan finishes within ${seconds} s; the shortest takes ${shortest} s.`);
  }

  budget(most) {
    const { frontier } = this;
    const { cost, costUnit } = frontier.data.terms;
    const point = frontier.atBudget(most);
    if (point >= 0) return point;
    const least = shown(frontier.total(frontier.cheapest()), 3);
    throw new RangeError(
      `No plan needs ${shown(most, 3)} ${costUnit} of ${cost} or less; the least is ${least} ${costUnit}.`,
    );
  }

  slowdown(factor) {
    if (factor < 1) throw new RangeError("A slowdown is 1 or more: 1.2 for 20 % slower.");
    return this.deadline(this.frontier.time(this.frontier.points - 1) * factor);
  }

  _listen(name, query) {
    const [form, box, answer] = [`${name}-form`, name, `${name}-answer`].map(element);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = typedNumber(box.value);
      let message = "";
      try {
        if (Number.isNaN(value)) throw new RangeError("Type a number, such as 12.5.");
        this.onSelect(query(value));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        message = error.message;
      }
      box.setAttribute("aria-invalid", String(message !== ""));
      answer.textContent = message;
    });
  }
}

/** Zoom, pan and the details of the operation under the pointer. */
function controlTimeline(timeline, describe) {
  const { canvas } = timeline;
  const tip = element("tip");
  const actions = {
    "zoom-in": () => timeline.zoom(1.6),
    "zoom-out": () => timeline.zoom(1 / 1.6),
    "zoom-fit": () => timeline.fit(),
    "pan-left": () => timeline.pan(-0.25),
    "pan-right": () => timeline.pan(0.25),
  };
  for (const [id, action] of Object.entries(actions)) element(id).addEventListener("click", action);
  const keys = {
    "+": "zoom-in",
    "=": "zoom-in",
    "-": "zoom-out",
    0: "zoom-fit",
    ArrowLeft: "pan-left",
    ArrowRight: "pan-right",
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  // A plain wheel scrolls the page.
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const { left } = canvas.getBoundingClientRect();
      const turn = event.deltaY || event.deltaX;
      timeline.zoom(turn < 0 ? 1.2 : 1 / 1.2, timeline.quantaAt(event.clientX - left));
    },
    { passive: false },
  );
  let grabbed = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") grabbed = event.clientX;
  });
  window.addEventListener("pointerup", () => (grabbed = null));
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    if (grabbed !== null) {
      timeline.pan(-(event.clientX - grabbed) / (timeline.width - timeline.gutter));
      grabbed = event.clientX;
    }
    const operation = timeline.operationAt(event.clientX - box.left, event.clientY - box.top);
    tip.hidden = operation < 0;
    if (operation < 0) return;
    tip.replaceChildren(...describe(operation));
    const right = event.clientX - box.left + 14;
    tip.style.left = `${Math.max(0, Math.min(right, box.width - tip.offsetWidth))}px`;
    tip.style.top = `${event.clientY - box.top + 16}px`;
  });
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
}

/** Light, dark, or as the system: remembered nowhere, so the page stores nothing. */
function controlTheme(onChange) {
  const button = element("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to the ${isDark() ? "light" : "dark"} theme`);
    onChange();
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  system.addEventListener("change", show);
  show();
  return isDark;
}
