// Helpers that build DOM elements node by node, so that no text is ever parsed as markup.

/** Creates an element: h("a", { href: "/drift", class: "secondary", css: { left: "10%" } }, "text", child) */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) {
      if (typeof value === "function") node.addEventListener(name.slice(2), value);
    } else if (name === "css") Object.assign(node.style, value);
    else if (name !== "style") node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(
    ...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false),
  );
  return node;
}

export const byId = (id) => document.getElementById(id);

const shapes = { ok: "●", info: "◆", warning: "▲", critical: "■", unknown: "○" };

/** A coloured shape for a tone. Hidden from screen readers, because a word always stands next to it. */
export const mark = (tone) =>
  h("span", { class: `mark ${tone}`, "aria-hidden": "true" }, shapes[tone] ?? "○");

export const severityTones = { page: "critical", warning: "warning", info: "info" };

export const plural = (number, one, many = `${one}s`) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

/** 130 min → "2 h 10 min": two units at most. */
export function describeDuration(seconds) {
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ];
  const whole = Math.max(0, Math.round(seconds));
  const first = units.findIndex(([, size]) => whole >= size);
  if (first < 0) return "0 s";
  const [name, size] = units[first];
  const next = units[first + 1];
  const rest = next ? Math.floor((whole % size) / next[1]) : 0;
  return `${Math.floor(whole / size)} ${name}${rest > 0 ? ` ${rest} ${next[0]}` : ""}`;
}

let isUtc = localStorage.getItem("clock") !== "local";

export const usesUtc = () => isUtc;

export function useUtc(value) {
  isUtc = value;
  localStorage.setItem("clock", value ? "utc" : "local");
}

const pad = (number) => String(number).padStart(2, "0");

/** The clock of the browser's time zone or of UTC, as the reader chose. */
function partsOf(instant) {
  const date = new Date(instant);
  const read = (name) => date[`get${isUtc ? "UTC" : ""}${name}`]();
  return {
    day: `${read("FullYear")}-${pad(read("Month") + 1)}-${pad(read("Date"))}`,
    clock: `${pad(read("Hours"))}:${pad(read("Minutes"))}`,
    seconds: pad(read("Seconds")),
  };
}

/** 16:59 on the current day, else 2026-11-15 16:59. */
export function formatTime(instant, { seconds = false, isFull = false } = {}) {
  const parts = partsOf(instant);
  const clock = seconds ? `${parts.clock}:${parts.seconds}` : parts.clock;
  return !isFull && parts.day === partsOf(Date.now()).day ? clock : `${parts.day} ${clock}`;
}

/** 2026-11-15T16:59, as a field for a date and a time has it, on the clock that the reader chose. */
export function toFieldValue(instant) {
  const { day, clock } = partsOf(instant);
  return `${day}T${clock}`;
}

/** The instant of such a field; undefined while it is not filled in. */
export function fromFieldValue(value) {
  const date = new Date(isUtc ? `${value}Z` : value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export const zoneName = () =>
  isUtc ? "UTC" : (Intl.DateTimeFormat().resolvedOptions().timeZone ?? "local time");

export const timeElement = (instant, options) =>
  h("time", { datetime: instant, title: `${new Date(instant).toISOString()}` }, formatTime(instant, options));

const renderedData = new WeakMap();

/** Replaces what a container shows by something that `update` did not render. */
export function replace(container, ...nodes) {
  renderedData.delete(container);
  container.replaceChildren(...nodes);
}

/** Rebuilds a container only if its data changed. Open details stay open and the focus is kept. */
export function update(container, data, build) {
  const key = JSON.stringify([data, isUtc]);
  if (renderedData.get(container) === key) return;
  renderedData.set(container, key);
  const focused = container.contains(document.activeElement)
    ? document.activeElement?.dataset.key
    : undefined;
  const open = new Set([...container.querySelectorAll("details[open]")].map((node) => node.dataset.key));
  container.replaceChildren(...[build(data)].flat(2).filter(Boolean));
  for (const node of container.querySelectorAll("details")) if (open.has(node.dataset.key)) node.open = true;
  if (focused !== undefined)
    [...container.querySelectorAll("[data-key]")].find((node) => node.dataset.key === focused)?.focus();
}

/** A table that becomes a list of blocks on a narrow screen; each cell has its column's name as a label. */
export function table(caption, columns, rows) {
  const heads = columns.map((name) => h("th", { scope: "col" }, name));
  const cell = (content, index) => h("td", { "data-label": columns[index] }, content);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads)),
      h(
        "tbody",
        {},
        rows.map((cells) => h("tr", {}, cells.map(cell))),
      ),
    ),
  );
}

export const pairs = (rows) =>
  h(
    "dl",
    { class: "pairs" },
    rows.filter(Boolean).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]),
  );

/** A sentence in which commands are between backticks. */
export const prose = (sentence) =>
  sentence.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));

export const empty = (text) => h("p", { class: "secondary" }, text);

/** A segmented control. */
export const choices = (label, options, current, choose) =>
  h(
    "div",
    { class: "choices", role: "group", "aria-label": label },
    options.map(([value, text]) =>
      h(
        "button",
        {
          type: "button",
          "data-key": `${label} ${value}`,
          "aria-pressed": String(value === current),
          onclick: () => choose(value),
        },
        text,
      ),
    ),
  );
