// The chart of the frontier, drawn by plotly: thin on load, thinned anew for what is zoomed into.

const CHART_POINTS = 700;
class Chart {
  constructor(element, frontier, onSelect) {
    this.element = element;
    this.frontier = frontier;
    this.onSelect = onSelect;
    this.range = [0, frontier.points - 1];
    this.ready = false;
  }

  /** Draw everything; called again when the colours of the page change. */
  async draw(theme, fastest, best) {
    const { point } = this;
    const { frontier } = this;
    const { terms } = frontier.data;
    this.theme = theme;
    const unit = terms.costUnit ? ` [${terms.costUnit}]` : "";
    const marker = (symbol, color, size) => ({ symbol, color, size, line: { width: 0 } });
    const hover = `%{x:.6~g} s<br>%{y:.6~g} ${terms.costUnit}<extra>%{fullData.name}</extra>`;
    const base = { type: "scatter", hovertemplate: hover };
    const traces = [
      { ...base, name: "measured options", mode: "lines", line: { color: theme.muted, width: 1 } },
      {
        ...base,
        name: "cost model",
        mode: frontier.points > 1 ? "lines" : "markers",
        line: { color: theme.accent, width: 2.5 },
      },
      {
        ...base,
        name: `fastest, least ${terms.cost}`,
        mode: "markers",
        x: [frontier.time(fastest), frontier.time(best)],
        y: [frontier.total(fastest), frontier.total(best)],
        marker: marker("diamond", theme.ink, 9),
      },
      {
        ...base,
        name: "selected plan", // for the legend; the mark itself is drawn over the chart
        mode: "markers",
        x: [null],
        y: [null],
        marker: { ...marker("circle", theme.strong, 13), line: { color: theme.card, width: 2 } },
      },
    ];
    this._curves(traces);
    const axis = (title) => ({
      title: { text: title, standoff: 8 },
      gridcolor: theme.line,
      linecolor: theme.line,
      zeroline: false,
      automargin: true,
    });
    const layout = {
      autosize: true,
      margin: { l: 60, r: 16, t: 8, b: 44 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: FONT, size: 12, color: theme.ink },
      xaxis: axis("time [s]"),
      yaxis: { ...axis(`${terms.cost}${unit}`), tickformat: ",~g" },
      legend: { x: 1, xanchor: "right", y: 1, bgcolor: "rgba(0,0,0,0)" },
      hovermode: "closest",
      // A finger must be able to scroll past the chart.
      dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
      separators: ".,",
    };
    const config = {
      responsive: true,
      displaylogo: false,
      displayModeBar: false,
      doubleClick: "reset",
    };
    await Plotly.react(this.element, traces, layout, config);
    this.mark(point);
    if (this.ready) return;
    this.ready = true;
    this.element.on("plotly_afterplot", () => this.mark(this.point));
    this.element.on("plotly_click", ({ points }) => this._pick(points[0].x));
    this.element.on("plotly_relayout", (change) => this._zoomed(change));
  }

  /** Move the mark of the selected plan: plotly would draw everything again for it. */
  mark(point) {
    this.point = point;
    const axes = this.element._fullLayout;
    if (!axes?.xaxis?.l2p) return;
    const { xaxis, yaxis } = axes;
    const x = xaxis.l2p(this.frontier.time(point));
    const y = yaxis.l2p(this.frontier.total(point));
    const isInside = x >= 0 && x <= xaxis._length && y >= 0 && y <= yaxis._length;
    const style = document.getElementById("mark").style;
    style.visibility = isInside ? "visible" : "hidden";
    style.transform = `translate(${x + xaxis._offset}px, ${y + yaxis._offset}px)`;
  }

  _curves(traces) {
    const { frontier } = this;
    const picks = frontier.spread(...this.range, CHART_POINTS);
    const times = picks.map((i) => frontier.time(i));
    [traces[0].x, traces[1].x] = [times, times];
    traces[1].y = picks.map((i) => frontier.total(i));
    const measured = frontier.measuredAlong(picks);
    traces[0].y = picks.map((i, k) => measured[k] + frontier.blocking(i));
  }

  _pick(seconds) {
    const { frontier } = this;
    const longest = frontier.data.longestTime;
    const point = Math.round(longest - seconds / frontier.data.unitTime);
    this.onSelect(Math.min(Math.max(point, 0), frontier.points - 1));
  }

  _zoomed(change) {
    const isReset = change["xaxis.autorange"];
    const from = change["xaxis.range[0]"];
    if (!isReset && from === undefined) return;
    const { frontier } = this;
    const last = frontier.points - 1;
    const pointAt = (seconds) =>
      Math.min(
        Math.max(Math.round(frontier.data.longestTime - seconds / frontier.data.unitTime), 0),
        last,
      );
    this.range = isReset ? [0, last] : [pointAt(change["xaxis.range[1]"]), pointAt(from)];
    const traces = [{}, {}];
    this._curves(traces);
    Plotly.restyle(this.element, { x: traces.map((t) => t.x), y: traces.map((t) => t.y) }, [0, 1]);
  }
}
