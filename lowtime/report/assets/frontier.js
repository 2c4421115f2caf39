// The frontier: points and plans from segments. Durations are integers; costs are computed with the
// same float operations, in the same order, as in Python.

const KEYFRAME_SEGMENTS = 256;
const KEYFRAME_BYTES = 64 * 2 ** 20; // more segments or operations: fewer keyframes, not more memory
const SCANNED_POINTS = 2e6; // up to here queries look at every point, as Python does

class Frontier {
  constructor(data) {
    this.data = data;
    const { length, slope } = data.arrays;
    this.segments = length.length;
    this.operations = data.nodes.length;
    this.first = new Float64Array(this.segments + 1); // first point of every segment; the last point
    this.base = new Float64Array(this.segments + 1); // cost there, above the start cost
    let units = 0n; // slope x length can pass 2^53
    for (let k = 0; k < this.segments; k++) {
      this.first[k + 1] = this.first[k] + length[k];
      units += BigInt(slope[k]) * BigInt(length[k]);
      this.base[k + 1] = Number(units) * data.costUnit;
    }
    this.points = this.first[this.segments] + 1;
    this._keyframes();
  }

  /** Segment that holds a point; the number of segments for the last point. */
  segmentOf(point) {
    let low = 0;
    let high = this.segments;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.first[middle] <= point) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  quanta(point) {
    return this.data.longestTime - point;
  }

  time(point) {
    return this.quanta(point) * this.data.unitTime;
  }

  cost(point) {
    const k = this.segmentOf(point);
    const inner = point - this.first[k];
    const step = k < this.segments ? this.data.arrays.slope[k] * this.data.costUnit : 0;
    return this.data.startCost + (this.base[k] + inner * step);
  }

  /** What waiting draws: every device, from start to end. */
  blocking(point) {
    const { devices, blockingPower } = this.data.terms;
    return devices * this.time(point) * blockingPower;
  }

  /** Cost with what waiting draws: a pipeline's energy. */
  total(point) {
    return this.cost(point) + this.blocking(point);
  }

  _keyframes() {
    const { length } = this.data.arrays;
    const most = Math.max(1, Math.floor(KEYFRAME_BYTES / (8 * Math.max(1, this.operations))));
    this.interval = Math.max(KEYFRAME_SEGMENTS, Math.ceil(this.segments / most));
    const duration = this.data.arrays.longest.slice(0, this.operations);
    this.frames = [duration.slice()];
    for (let first = 0; first + this.interval < this.segments; first += this.interval) {
      for (let k = first; k < first + this.interval; k++) this._change(duration, k, length[k]);
      this.frames.push(duration.slice());
    }
  }

  _change(duration, segment, quanta) {
    const { offset, arc, sign } = this.data.arrays;
    for (let j = offset[segment]; j < offset[segment + 1]; j++) duration[arc[j]] += sign[j] * quanta;
  }

  /** Durations behind a point: Float64Array of integers, quanta. */
  durations(point) {
    const segment = Math.min(this.segmentOf(point), Math.max(this.segments - 1, 0));
    const frame = Math.min(Math.floor(segment / this.interval), this.frames.length - 1);
    const duration = this.frames[frame].slice();
    if (this.segments === 0) return duration;
    for (let k = frame * this.interval; k < segment; k++) {
      this._change(duration, k, this.data.arrays.length[k]);
    }
    this._change(duration, segment, point - this.first[segment]);
    return duration;
  }

  /** Option of every operation: the slowest that meets its duration; -1 for dummies. */
  options(durations) {
    const { optionOf, optionStart } = this.data.arrays;
    return Int32Array.from(durations, (duration, i) =>
      optionOf[i] < 0 ? -1 : this._option(optionOf[i], optionStart[optionOf[i]], duration),
    );
  }

  /** Slowest option of a table that meets a duration, searched from one of its options. */
  _option(table, from, duration) {
    const { optionStart, optionQuanta } = this.data.arrays;
    const [first, end] = [optionStart[table], optionStart[table + 1]];
    let option = from;
    while (option + 1 < end && optionQuanta[option + 1] <= duration) option++;
    while (option > first && optionQuanta[option] > duration) option--;
    return option;
  }

  /** Sum of the measured costs of the options chosen, correctly rounded. */
  measured(options) {
    const { optionCosts } = this.data.arrays;
    const costs = [];
    for (const option of options) if (option >= 0) costs.push(optionCosts[option]);
    return exactSum(costs);
  }

  /**
   * Measured costs at ascending points, for a curve: one walk along the segments that adds what
   * changes. Its rounding differs from `measured` in the last digits.
   */
  measuredAlong(points) {
    const { optionOf, optionCosts, offset, arc, sign } = this.data.arrays;
    const duration = this.durations(points[0]);
    const option = this.options(duration);
    let cost = this.measured(option);
    let at = points[0];
    let segment = this.segmentOf(at);
    const change = (quanta) => {
      for (let j = offset[segment]; j < offset[segment + 1]; j++) {
        const i = arc[j];
        duration[i] += sign[j] * quanta;
        if (optionOf[i] < 0) continue;
        const chosen = this._option(optionOf[i], option[i], duration[i]);
        if (chosen === option[i]) continue;
        cost += optionCosts[chosen] - optionCosts[option[i]];
        option[i] = chosen;
      }
    };
    return points.map((point) => {
      while (segment < this.segments && this.first[segment + 1] <= point) {
        change(this.first[segment + 1] - at);
        at = this.first[++segment];
      }
      if (point > at) change(point - at);
      at = point;
      return cost;
    });
  }

  /** First (longest) point whose time is at most `seconds`; -1 for none. */
  atDeadline(seconds) {
    if (this.time(this.points - 1) > seconds) return -1;
    let low = 0;
    let high = this.points - 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.time(middle) <= seconds) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Last (fastest) point whose total is at most `budget`; -1 for none. */
  atBudget(budget) {
    if (this.points <= SCANNED_POINTS) {
      for (let i = this.points - 1; i >= 0; i--) if (this.total(i) <= budget) return i;
      return -1;
    }
    // Within a segment totals change by equal steps: its ends tell where to search.
    for (let k = this.segments - 1; k >= 0; k--) {
      let low = this.first[k];
      let high = this.first[k + 1];
      if (this.total(high) <= budget) return high;
      if (this.total(low) > budget) continue;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (this.total(middle) <= budget) low = middle;
        else high = middle - 1;
      }
      return low;
    }
    return -1;
  }

  /** Point of least cost + overhead x time; of equal ones the longest. */
  cheapest() {
    const overhead = this.data.terms.devices * this.data.terms.blockingPower;
    const value = (i) => this.cost(i) + overhead * this.time(i);
    const candidates =
      this.points <= SCANNED_POINTS ? this.points : this.segments + 1;
    let best = 0;
    let least = Infinity;
    for (let c = 0; c < candidates; c++) {
      const point = candidates === this.points ? c : this.first[c];
      const here = value(point);
      if (here < least) [best, least] = [point, here];
    }
    return best;
  }

  /** At most `count` points between two, evenly spread, both included. */
  spread(from, to, count) {
    const picks = [];
    const step = Math.max(1, (to - from) / Math.max(1, count - 1));
    for (let at = from; at < to; at += step) picks.push(Math.round(at));
    picks.push(to);
    return [...new Set(picks)];
  }
}
