// Helpers that build DOM elements node by node, so that no text is ever parsed as markup.

/** Creates an element: h("a", { href: "#x", class: "secondary" }, "text", child) */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const svgNamespace = "http://www.w3.org/2000/svg";
const svgTags = new Set(["svg", "path", "line", "circle", "rect", "text", "title"]);

/** Creates SVG from a drawing of the API, [tag, attributes, …children]. Tags that are not listed become empty groups. */
export function draw([tag, attributes, ...children]) {
  const node = document.createElementNS(svgNamespace, svgTags.has(tag) ? tag : "g");
  return fill(
    node,
    attributes,
    children.map((child) => (Array.isArray(child) ? draw(child) : child)),
  );
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) {
      if (typeof value === "function") node.addEventListener(name.slice(2), value);
    } else if (name !== "style") node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(
    ...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false),
  );
  return node;
}

const shapes = { ok: "●", warning: "▲", critical: "■", unknown: "○" };

/** A coloured shape for a tone. Hidden from screen readers, because a word always stands next to it. */
export const mark = (tone) =>
  h("span", { class: `mark ${tone}`, "aria-hidden": "true" }, shapes[tone] ?? "○");

export const plural = (number, one, many = `${one}s`) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

/** A time element such as 2026-11-15 02:40, in UTC. */
export const timeElement = (instant) =>
  h("time", { datetime: instant }, instant.slice(0, 16).replace("T", " "));

export function describeAge(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86_400)} d ago`;
}

const renderedData = new WeakMap();

/** Rebuilds a container only if its data changed. Open details stay open and the focus is kept. */
export function update(container, data, build) {
  const key = JSON.stringify(data);
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
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((cells) =>
          h(
            "tr",
            {},
            cells.map((cell, index) => h("td", { "data-label": columns[index] }, cell)),
          ),
        ),
      ),
    ),
  );
}

export const byId = (id) => document.getElementById(id);
