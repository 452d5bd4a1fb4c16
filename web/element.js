// Elements, built one by one: text is always text, whoever wrote it.

/** h("a", { href: "#x", class: "quiet" }, "words", child) */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const svgSpace = "http://www.w3.org/2000/svg";
const svgTags = new Set(["svg", "path", "line", "circle", "rect", "text", "title"]);

/** A drawing of the API, [tag, attributes, …children], as SVG; other tags than these are not drawn. */
export function draw([tag, attributes, ...children]) {
  const node = document.createElementNS(svgSpace, svgTags.has(tag) ? tag : "g");
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

const shapes = { ok: "●", look: "▲", broken: "■", unknown: "○" };

/** A shape and a colour; the word goes beside it. */
export const mark = (tone) =>
  h("span", { class: `mark ${tone}`, "aria-hidden": "true" }, shapes[tone] ?? "○");

export const plural = (number, one, many = `${one}s`) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

/** 2026-11-15 02:40, UTC */
export const when = (instant) => h("time", { datetime: instant }, instant.slice(0, 16).replace("T", " "));

export function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86_400)} d ago`;
}

const shown = new WeakMap();

/** Builds a part anew only when its data changed; open details and the focus stay where they were. */
export function show(place, data, build) {
  const key = JSON.stringify(data);
  if (shown.get(place) === key) return;
  shown.set(place, key);
  const focused = place.contains(document.activeElement) ? document.activeElement?.dataset.key : undefined;
  const open = new Set([...place.querySelectorAll("details[open]")].map((node) => node.dataset.key));
  place.replaceChildren(...[build(data)].flat(2).filter(Boolean));
  for (const node of place.querySelectorAll("details")) if (open.has(node.dataset.key)) node.open = true;
  if (focused !== undefined)
    [...place.querySelectorAll("[data-key]")].find((node) => node.dataset.key === focused)?.focus();
}

/** A table that turns into blocks on a narrow screen; each cell carries its column's name. */
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

export const at = (id) => document.getElementById(id);
