// The overview: retirement risk, per endpoint a heartbeat strip, its measures and a chart, and the incidents in time.
import { createChart, formatValue, hasData } from "./charts.js";
import {
  choices,
  describeDuration,
  empty,
  formatTime,
  h,
  mark,
  plural,
  severityTones,
  table,
  update,
} from "./dom.js";
import { checkUrl, fetchJson, incidentUrl, rangeQuery, readRoute, setQuery, viewUrl } from "./state.js";

export function load({ query }) {
  const range = rangeQuery(query);
  return fetchJson(`/api/series${range.size > 0 ? `?${range}` : ""}`);
}

let parts;

export function leave() {
  for (const { chart } of parts?.endpoints.values() ?? []) chart.remove();
  parts = undefined;
}

export function render(container, { summary, data }) {
  if (!parts) {
    const [risk, tools, rows, timeline] = [
      h("section", { class: "risk" }),
      h("div", { class: "tools" }),
      h("div"),
      h("section", { class: "timeline" }),
    ];
    parts = { risk, tools, rows, timeline, endpoints: new Map() };
    container.replaceChildren(risk, tools, rows, timeline);
  }
  showRisk(parts.risk, summary);
  if (!data) return;
  // The chart that the reader chose, or the one that shows what is firing.
  const name = readRoute().query.get("measure") ?? data.measure;
  const measure = data.measures.find((one) => one.name === name) ?? data.measures[0];
  showTools(parts.tools, data, measure);
  for (const card of summary.cards) {
    const series = data.endpoints.find(({ endpoint }) => endpoint === card.endpoint);
    if (series) showEndpoint(parts, card, series, data, measure);
  }
  showTimeline(parts.timeline, data);
}

const dateSources = { configured: "from the configuration", sunset: "from the Sunset header" };

function countdown({ daysLeft, level }) {
  if (daysLeft === undefined || level === "retired") return "";
  if (daysLeft < 0) return `${plural(-daysLeft, "day")} overdue`;
  return daysLeft === 0 ? "today" : `${plural(daysLeft, "day")} left`;
}

/** Each level has a colour and a shape of its own. */
const levelShapes = { unknown: "○", low: "●", elevated: "◆", high: "▲", imminent: "■", retired: "✕" };

export function showRisk(container, { verdict, budget }) {
  update(container, [verdict, budget], () => [
    h(
      "details",
      { "data-key": "risk" },
      h(
        "summary",
        { "data-key": "risk-summary" },
        h("span", { class: "label" }, "Retirement risk"),
        h(
          "strong",
          { class: `level ${verdict.level}` },
          h("span", { class: "mark", "aria-hidden": "true" }, levelShapes[verdict.level]),
          ` ${verdict.level.toUpperCase()}`,
        ),
        h("span", {}, verdict.dateText ? `${countdown(verdict)} · ${verdict.dateText}` : "no date known"),
        h("span", { class: "why" }, "why"),
      ),
      h("p", {}, verdict.headline),
      h(
        "ul",
        {},
        verdict.reasons.map((reason) => h("li", {}, reason)),
        verdict.next && h("li", {}, verdict.next),
      ),
      verdict.dateSource && h("p", { class: "secondary" }, `The date is ${dateSources[verdict.dateSource]}.`),
    ),
    h(
      "p",
      { class: "budget" },
      h("span", { class: "label" }, "Budget "),
      budget.text,
      budget.deferred.length > 0 ? ` · waiting: ${budget.deferred.join("; ")}` : "",
    ),
  ]);
}

const rangeNames = ["1h", "24h", "7d", "30d", "all"];

const resetZoom = () => readRoute().query.has("from") && setQuery({ from: "", until: "" });

function showTools(container, data, measure) {
  const isZoomed = data.range === "selected";
  update(container, [data.measures, measure, data.range, isZoomed && [data.from, data.until]], () => [
    choices(
      "Chart",
      data.measures.map(({ name, label }) => [name, label]),
      measure.name,
      (name) => setQuery({ measure: name }, { replace: true }),
    ),
    choices(
      "Range",
      rangeNames.map((name) => [name, name]),
      data.range,
      (range) => setQuery({ range, from: "", until: "" }),
    ),
    isZoomed
      ? h(
          "span",
          { class: "zoomed" },
          h("button", { type: "button", "data-key": "reset-zoom", onclick: resetZoom }, "Reset zoom"),
          ` ${formatTime(data.from, { seconds: true })} to ${formatTime(data.until, { seconds: true })}`,
        )
      : h("span", { class: "hint" }, "Drag over a chart to zoom"),
  ]);
}

function buildEndpoint(name) {
  const [head, strip, plot, label, reading, rows] = [
    h("div", { class: "head" }),
    buildStrip(`Checks of ${name}`),
    h("div", { class: "plot", role: "img" }),
    h("span"),
    h("span", { "aria-hidden": "true" }),
    h("div"),
  ];
  const data = h("details", { class: "data" }, h("summary", {}, "Chart data as a table"), rows);
  const node = h(
    "article",
    { class: "endpoint", "aria-label": name },
    head,
    strip,
    h("p", { class: "reading" }, label, reading),
    plot,
    data,
  );
  const chart = createChart(plot, {
    onZoom: (from, until) => setQuery({ from, until }),
    onReset: resetZoom,
    onReading: (text) => {
      reading.textContent = text ?? "";
    },
  });
  return { node, head, strip, label, rows, data, chart };
}

/** A heartbeat strip is one stop of the Tab key; arrows move inside it. */
export function buildStrip(label) {
  const strip = h("div", { class: "strip", role: "group", "aria-label": label });
  strip.addEventListener("keydown", (event) => {
    const links = [...strip.querySelectorAll("a")];
    const index = links.indexOf(document.activeElement);
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -links.length, End: links.length }[event.key];
    if (index < 0 || step === undefined) return;
    event.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, index + step))]?.focus();
  });
  return strip;
}

function showEndpoint(all, card, series, data, measure) {
  const { endpoint } = card;
  const known = all.endpoints.get(endpoint);
  const part = known ?? buildEndpoint(endpoint);
  if (!known) {
    all.endpoints.set(endpoint, part);
    all.rows.append(part.node);
  }
  update(part.head, [card, String(rangeQuery())], () => showHead(card));
  const span = { from: data.from, until: data.until };
  update(part.strip, [series.cells, span, String(rangeQuery())], () => showCells(series.cells, span));
  const hasThreshold = measure.endpoints.includes(endpoint);
  const lines = series.lines.filter((line) => line.measure === measure.name);
  const threshold = hasThreshold ? measure.threshold : undefined;
  update(part.label, [measure, threshold, lines.map(({ name }) => name), hasData(lines)], () =>
    describeLines(measure, threshold, lines),
  );
  part.chart.update({
    lines,
    unit: measure.unit,
    threshold,
    from: data.from,
    until: data.until,
    isSingle: series.bucketSeconds === 0,
    bands: bandsOf(data.incidents, endpoint),
    label: describeChart(endpoint, measure, lines),
  });
  // The table is built only while it is open.
  const showRows = () =>
    part.data.open && update(part.rows, [lines], () => showData(endpoint, measure, series, lines));
  part.data.ontoggle = showRows;
  showRows();
}

/** What the chart shows, beside it and not on it: nothing may hide data. */
const describeLines = ({ label, unit }, threshold, lines) => [
  label,
  ...(lines.length > 1
    ? lines.map(({ name }, index) => h("span", { class: `line line-${(index % 4) + 1}` }, name))
    : [hasData(lines) ? "" : " · no data in this range"]),
  threshold === undefined
    ? ""
    : h("span", { class: "threshold" }, `threshold ${formatValue(threshold, unit)}`),
];

const order = ["info", "warning", "page"];

/** The incidents of an endpoint, the worst last. A notice in a header is no fault of the time in which it is sent. */
const bandsOf = (incidents, endpoint) =>
  incidents
    .filter(({ rule, endpoints }) => endpoints.includes(endpoint) && !/^(?:sunset|deprecation)/.test(rule))
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));

function describeChart(endpoint, { label, unit }, lines) {
  if (!hasData(lines)) return `${endpoint}, ${label}: no data in this range`;
  const text = (value) => formatValue(value, unit);
  const described = lines.flatMap(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return [];
    const range = `lowest ${text(Math.min(...known))}, highest ${text(Math.max(...known))}, latest ${text(known.at(-1))}`;
    return [name ? `${name} ${range}` : range];
  });
  return `${endpoint}, ${label}: ${described.join("; ")}`;
}

function showData(endpoint, { label, unit }, { bucketSeconds }, lines) {
  const rows = lines
    .flatMap(({ name, at, values }) => at.map((seconds, index) => ({ name, seconds, value: values[index] })))
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ name, seconds, value }) => [
      formatTime(seconds * 1e3, { isFull: true, seconds: bucketSeconds < 60 }),
      `${formatValue(value, unit)}${name ? ` (${name})` : ""}`,
    ]);
  const caption = `${endpoint}, ${label}, ${bucketSeconds > 0 ? `in steps of ${describeDuration(bucketSeconds)}` : "each check"}, newest first`;
  return table(caption, ["time", label], rows);
}

function showHead({ endpoint, path, tone, word, measures }) {
  return [
    h(
      "div",
      { class: "name" },
      h(
        "h2",
        {},
        h(
          "a",
          { href: viewUrl("/checks", { endpoint }), "data-key": `checks ${endpoint}`, title: path },
          endpoint,
        ),
      ),
      h("p", { class: "word" }, mark(tone), ` ${word}`),
    ),
    h(
      "dl",
      { class: "measures" },
      measures.map(({ name, label, text, tone: measureTone, threshold }) =>
        h(
          "div",
          { class: `measure ${name}`, title: threshold },
          h("dt", {}, label),
          h("dd", { class: measureTone }, text),
        ),
      ),
    ),
  ];
}

/** The place of an instant in a span, in percent. */
function placeIn({ from, until }) {
  const [startMs, endMs] = [Date.parse(from), Date.parse(until)];
  return (instant) =>
    Math.min(100, Math.max(0, (100 * (Date.parse(instant) - startMs)) / Math.max(1, endMs - startMs)));
}

/** Each cell above the instant of its check, or the time of its checks; without a span one beside the other. */
export function showCells(cells, span) {
  if (cells.length === 0) return empty("No check in this range yet.");
  const place = span && placeIn(span);
  const distances = cells
    .slice(1)
    .map(({ from }, index) => (place ? place(from) - place(cells[index].from) : 0));
  const single = `min(7px, max(2px, ${Math.min(...distances, 10)}% - 1px))`;
  const last = cells.findLastIndex(({ id }) => id !== undefined);
  return cells.map(({ from, until, tone, text, id }, index) => {
    const time = formatTime(from, { seconds: until === undefined });
    const tip = `${until ? `${time} to ${formatTime(until)}` : time} · ${text}`;
    const width = place && until ? `${place(until) - place(from)}%` : single;
    return h("a", {
      class: `cell ${tone}${place && !until ? " single" : ""}`,
      href: checkUrl(id),
      "data-tip": tip,
      "aria-label": tip,
      "data-key": from,
      tabindex: index === last ? "0" : "-1",
      css: place && { left: `${place(from)}%`, width },
    });
  });
}

function showTimeline(container, { from, until, incidents }) {
  update(container, [from, until, incidents], () => {
    const place = placeIn({ from, until });
    const lanes = Map.groupBy(incidents, ({ rule }) => rule);
    return [
      h("h2", {}, "Incidents in this range"),
      lanes.size === 0 && empty("None."),
      ...[...lanes].map(([rule, rows]) =>
        h(
          "div",
          { class: "lane" },
          h(
            "span",
            { class: "name" },
            rule.replaceAll("-", " "),
            rows.length > 1 ? h("small", {}, ` ${rows.length}×`) : "",
          ),
          h(
            "div",
            { class: "track" },
            rows.map(({ id, title, severity, from: since, until: over }) => {
              const [left, right] = [place(since), over ? place(over) : 100];
              const tip = `${severity.toUpperCase()} ${title} · ${formatTime(since)} to ${over ? formatTime(over) : "now"}`;
              return h("a", {
                class: `span ${severityTones[severity]}`,
                href: incidentUrl(id),
                "aria-label": tip,
                "data-tip": tip,
                "data-key": `span ${id}`,
                css: { left: `${Math.min(left, 99.4)}%`, width: `${Math.max(0.6, right - left)}%` },
              });
            }),
          ),
        ),
      ),
      lanes.size > 0 &&
        h(
          "div",
          { class: "lane ends" },
          h("div", {}, h("span", {}, formatTime(from)), h("span", {}, formatTime(until))),
        ),
    ];
  });
}
