// The schedule behind durations: starts, slack, rows of the timeline, idle time. All in quanta.

class Scheduler {
  constructor(data) {
    this.data = data;
    const { tail, head } = data.arrays;
    this.byTail = order(tail, data.numEvents);
    this.byHead = order(head, data.numEvents).reverse();
    // A pipeline's communication: its rank computes or waits meanwhile.
    this.isTransfer = data.nodes.map((node) => {
      const kind = kindOf(node);
      return data.terms.devices > 0 && kind !== null && !(kind in data.planNames);
    });
    this.lanes = data.lanes.map(() => []);
    for (let i = 0; i < data.nodes.length; i++) {
      if (data.arrays.laneOf[i] >= 0) this.lanes[data.arrays.laneOf[i]].push(i);
    }
  }

  /** Start and slack of every operation, free float, and the total time. */
  schedule(durations) {
    const { tail, head, longest, optionOf } = this.data.arrays;
    const operations = durations.length;
    const length = (arc) => (arc < operations ? durations[arc] : longest[arc]);
    const events = this.data.numEvents;
    const early = new Float64Array(events);
    for (const arc of this.byTail) {
      const finish = early[tail[arc]] + length(arc);
      if (finish > early[head[arc]]) early[head[arc]] = finish;
    }
    const end = early[events - 1];
    const late = new Float64Array(events).fill(end);
    // How long after an event the first operation that needs it starts.
    const needed = new Float64Array(events).fill(Infinity);
    needed[events - 1] = 0;
    for (const arc of this.byHead) {
      const [from, to] = [tail[arc], head[arc]];
      late[from] = Math.min(late[from], late[to] - length(arc));
      const isOperation = arc < operations && optionOf[arc] >= 0;
      const wait = isOperation ? 0 : early[to] - early[from] - length(arc) + needed[to];
      needed[from] = Math.min(needed[from], wait);
    }
    const start = new Float64Array(operations);
    const slack = new Float64Array(operations);
    const free = new Float64Array(operations);
    for (let i = 0; i < operations; i++) {
      start[i] = early[tail[i]];
      const finish = start[i] + durations[i];
      slack[i] = late[head[i]] - finish;
      free[i] = early[head[i]] - finish + needed[head[i]];
    }
    return { durations, start, slack, free, end };
  }

  /** Operations of a lane, by start, then end, then node order. */
  inOrder(lane, { durations, start }) {
    return this.lanes[lane]
      .slice()
      .sort((a, b) => start[a] - start[b] || durations[a] - durations[b] || a - b);
  }

  /** Row of every operation within its lane, and how many rows each lane has. */
  rows(plan) {
    const row = new Int32Array(plan.durations.length).fill(-1);
    const heights = this.lanes.map((_, lane) => {
      const free = [];
      for (const i of this.inOrder(lane, plan)) {
        if (plan.durations[i] === 0 || this.isTransfer[i]) continue;
        let at = free.findIndex((time) => time <= plan.start[i]);
        if (at < 0) at = free.length;
        free[at] = plan.start[i] + plan.durations[i];
        row[i] = at;
      }
      return Math.max(1, free.length);
    });
    return { row, heights };
  }

  /**
   * Idle intervals of every lane: [from, to, kind]. "slack" is time that the operation before could
   * still take without delaying anybody (its free float); all other waiting is "blocking".
   */
  idle(plan) {
    return this.lanes.map((_, lane) => {
      const gaps = [];
      let at = 0;
      let free = 0;
      for (const i of this.inOrder(lane, plan)) {
        if (this.isTransfer[i]) continue;
        addGap(gaps, at, plan.start[i], free);
        const finish = plan.start[i] + plan.durations[i];
        if (finish >= at) [at, free] = [finish, plan.free[i]];
      }
      addGap(gaps, at, plan.end, free);
      return gaps;
    });
  }
}

function addGap(gaps, from, to, free) {
  if (to <= from) return;
  const slackEnd = Math.min(to, from + free);
  if (slackEnd > from) gaps.push([from, slackEnd, "slack"]);
  if (to > slackEnd) gaps.push([slackEnd, to, "blocking"]);
}

/** Indices of arcs by event: a counting sort. */
function order(eventOf, events) {
  const at = new Int32Array(events + 1);
  for (const event of eventOf) at[event + 1]++;
  for (let v = 0; v < events; v++) at[v + 1] += at[v];
  const sorted = new Int32Array(eventOf.length);
  for (let arc = 0; arc < eventOf.length; arc++) sorted[at[eventOf[arc]]++] = arc;
  return sorted;
}
