// The timeline, drawn on a canvas: a chart library needs too long for thousands of bars a step.

const AXIS_HEIGHT = 26;
const TALL = 0.88; // height of a critical bar within its row, as in the figures
const THIN = 0.52;
const OUTLINE_FROM = 5; // pixels: narrower bars would be all outline
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

class Timeline {
  constructor(canvas, data, scheduler) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.data = data;
    this.scheduler = scheduler;
    this.full = data.longestTime || 1;
    this.view = [0, this.full];
    this.mostRows = 0;
  }

  /** Draw a plan; `theme` names the page's colours. */
  draw(plan, options, paint, theme) {
    Object.assign(this, { plan, options, paint, theme });
    this.layout = this.scheduler.rows(plan);
    this.idle = this.data.packed ? [] : this.scheduler.idle(plan);
    this.redraw();
  }

  /** Draw again at another width. */
  resize() {
    this.width = this.canvas.clientWidth;
    this.redraw();
  }

  redraw() {
    if (!this.plan) return;
    const { row, heights } = this.layout;
    const rows = heights.reduce((sum, height) => sum + height, 0);
    this.mostRows = Math.max(this.mostRows, rows); // the page below must not jump
    this.width ??= this.canvas.clientWidth;
    const width = this.width;
    this.rowHeight = Math.max(4, Math.min(34, Math.floor(560 / Math.max(this.mostRows, 1))));
    const height = this.mostRows * this.rowHeight + AXIS_HEIGHT;
    const ratio = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.height !== height) {
      this.height = height;
      this.canvas.style.height = `${height}px`;
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const context = this.context;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.gutter = this._gutter(context);
    this.laneTop = [0];
    for (const height of heights) this.laneTop.push(this.laneTop.at(-1) + height);
    context.save();
    context.beginPath();
    context.rect(this.gutter, 0, width - this.gutter, height);
    context.clip();
    this._drawBounds(context);
    this._drawIdle(context);
    this._drawTransfers(context);
    this._drawBars(context, row);
    this._drawEnd(context);
    context.restore();
    this._drawLanes(context);
    this._drawAxis(context);
  }

  x(quanta) {
    const [from, to] = this.view;
    return this.gutter + ((quanta - from) / (to - from)) * (this.width - this.gutter - 2);
  }

  quantaAt(x) {
    const [from, to] = this.view;
    return from + ((x - this.gutter) / (this.width - this.gutter - 2)) * (to - from);
  }

  _gutter(context) {
    if (this.data.packed) return 2;
    context.font = `12px ${FONT}`;
    const widths = this.data.lanes.map((lane) => context.measureText(lane).width);
    return Math.min(Math.ceil(Math.max(...widths)) + 12, Math.floor(this.width / 3));
  }

  /** Lines between lanes, where a lane may have several rows. */
  _drawBounds(context) {
    if (this.layout.heights.every((height) => height === 1)) return;
    context.fillStyle = this.theme.line;
    for (const top of this.laneTop.slice(1)) {
      context.fillRect(this.gutter, top * this.rowHeight - 0.5, this.width, 1);
    }
  }

  _drawIdle(context) {
    const { theme } = this;
    this.idle.forEach((gaps, lane) => {
      const top = this.laneTop[lane] * this.rowHeight;
      const height = this.layout.heights[lane] * this.rowHeight;
      for (const [from, to, kind] of gaps) {
        const left = this.x(from);
        const width = this.x(to) - left;
        context.fillStyle = kind === "slack" ? theme.slack : theme.blocking;
        context.fillRect(left, top + height / 2 - 2, width, 4);
      }
    });
  }

  /** Communication, as ticks along the upper edge of the lane that sends or receives. */
  _drawTransfers(context) {
    const { durations, start } = this.plan;
    const { laneOf } = this.data.arrays;
    context.fillStyle = this.theme.muted;
    this.scheduler.isTransfer.forEach((isTransfer, i) => {
      if (!isTransfer || laneOf[i] < 0 || durations[i] === 0) return;
      const left = this.x(start[i]);
      const width = Math.max(this.x(start[i] + durations[i]) - left, 1);
      context.fillRect(left, this.laneTop[laneOf[i]] * this.rowHeight - 1, width, 3);
    });
  }

  _drawBars(context, row) {
    const { durations, start, slack } = this.plan;
    const { laneOf } = this.data.arrays;
    const [from, to] = this.view;
    const drawText = this.rowHeight >= 13;
    context.font = `10.5px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 1;
    for (let i = 0; i < row.length; i++) {
      if (row[i] < 0 || start[i] > to || start[i] + durations[i] < from) continue;
      const left = this.x(start[i]);
      const right = this.x(start[i] + durations[i]);
      const middle = (this.laneTop[laneOf[i]] + row[i] + 0.5) * this.rowHeight;
      const isCritical = slack[i] === 0;
      const height = this.rowHeight * (isCritical ? TALL : THIN);
      const gap = right - left > 3 ? 0.5 : 0;
      const color = this.paint.of(i, this.options[i]);
      context.fillStyle = color;
      context.fillRect(left + gap, middle - height / 2, Math.max(right - left - 2 * gap, 0.6), height);
      if (isCritical && right - left >= OUTLINE_FROM) {
        context.strokeStyle = this.theme.ink;
        context.strokeRect(left + 0.5, middle - height / 2 + 0.5, right - left - 1, height - 1);
      }
      if (drawText && right - left > 12) this._drawText(context, i, color, left, right, middle);
    }
  }

  _drawText(context, operation, color, left, right, middle) {
    const text = barText(this.data.nodes[operation]);
    if (text.length * 6.2 + 4 > right - left) return;
    context.fillStyle = isDarkColor(color) ? "#ffffff" : "#1b1f24";
    context.fillText(text, (left + right) / 2, middle + 0.5);
  }

  _drawEnd(context) {
    const bottom = this.mostRows * this.rowHeight;
    const marks = [
      [this.plan.end, this.theme.strong, []],
      [this.fastest, this.theme.muted, [3, 4]],
    ];
    for (const [at, color, dash] of marks) {
      context.strokeStyle = color;
      context.lineWidth = dash.length ? 1 : 2;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(this.x(at), 0);
      context.lineTo(this.x(at), bottom);
      context.stroke();
    }
    context.setLineDash([]);
  }

  _drawLanes(context) {
    if (this.data.packed) return;
    context.fillStyle = this.theme.ink;
    context.font = `12px ${FONT}`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    let lastMiddle = -Infinity;
    this.data.lanes.forEach((lane, i) => {
      const middle = ((this.laneTop[i] + this.laneTop[i + 1]) / 2) * this.rowHeight;
      if (middle - lastMiddle < 12) return;
      context.fillText(lane, this.gutter - 6, middle, this.gutter - 8);
      lastMiddle = middle;
    });
  }

  _drawAxis(context) {
    const top = this.mostRows * this.rowHeight;
    const unit = this.data.unitTime;
    const [from, to] = this.view.map((quanta) => quanta * unit);
    const step = roundStep((to - from) / Math.max(2, (this.width - this.gutter) / 90));
    context.strokeStyle = this.theme.line;
    context.fillStyle = this.theme.muted;
    context.lineWidth = 1;
    context.font = `11px ${FONT}`;
    context.textBaseline = "top";
    context.beginPath();
    context.moveTo(this.gutter, top + 0.5);
    context.lineTo(this.width, top + 0.5);
    context.stroke();
    for (let n = Math.ceil(from / step); n * step <= to; n++) {
      const x = this.x((n * step) / unit);
      context.textAlign = x > this.width - 24 ? "right" : x < this.gutter + 16 ? "left" : "center";
      context.fillText(`${shown(n * step, decimalsFor(step))} s`, x, top + 7);
      context.fillRect(x, top, 1, 4);
    }
  }

  /** Operation under a place on the canvas, or -1. */
  operationAt(x, y) {
    if (!this.plan || x < this.gutter) return -1;
    const quanta = this.quantaAt(x);
    const line = Math.floor(y / this.rowHeight);
    const { laneOf } = this.data.arrays;
    const { row } = this.layout;
    const { start, durations } = this.plan;
    for (let i = 0; i < row.length; i++) {
      if (row[i] < 0 || this.laneTop[laneOf[i]] + row[i] !== line) continue;
      if (start[i] <= quanta && quanta < start[i] + durations[i]) return i;
    }
    return -1;
  }

  /** Zoom by a factor around a time (the middle by default), within the whole schedule. */
  zoom(factor, around = (this.view[0] + this.view[1]) / 2) {
    const [from, to] = this.view;
    const span = Math.min(this.full, Math.max((to - from) / factor, Math.min(this.full, 20)));
    const share = (around - from) / (to - from);
    this._look(around - share * span, span);
  }

  /** Move by a fraction of what is seen. */
  pan(fraction) {
    const span = this.view[1] - this.view[0];
    this._look(this.view[0] + fraction * span, span);
  }

  fit() {
    this._look(0, this.full);
  }

  _look(from, span) {
    const start = Math.min(Math.max(from, 0), this.full - span);
    this.view = [start, start + span];
    this.redraw();
  }
}

/** The next of 1, 2, 5 x 10^n from a step upwards. */
function roundStep(step) {
  const size = 10 ** Math.floor(Math.log10(step));
  return size * [1, 2, 5, 10].find((factor) => factor * size >= step * (1 - 1e-9));
}
