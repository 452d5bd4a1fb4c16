// Small charts as trees of SVG elements. The report serializes them to text and the page creates DOM nodes, so
// that text from outside is never parsed as markup.
import { scaleLinear, scaleUtc } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import { utcFormat } from "d3-time-format";

/** An SVG element: tag, attributes and children, which are elements or text. */
export type Drawing = [
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Drawing | string)[],
];

export function renderSvg(drawing: Drawing): string {
  const [tag, attributes, ...children] = drawing;
  const allAttributes = tag === "svg" ? { xmlns: "http://www.w3.org/2000/svg", ...attributes } : attributes;
  const attributeText = Object.entries(allAttributes).map(
    ([name, value]) => ` ${name}="${escapeText(String(value))}"`,
  );
  const inner = children.map((child) => (typeof child === "string" ? escapeText(child) : renderSvg(child)));
  return `<${tag}${attributeText.join("")}>${inner.join("")}</${tag}>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeText = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

export type Spark = {
  /** The accessible label: what the chart shows. */
  label: string;
  /** One value per bucket; undefined means unknown and is drawn as a gap, not as 0. */
  values: readonly (number | undefined)[];
  /** The limits of the scale; derived from the values if absent. */
  min?: number;
  max?: number;
  /** Drawn as a line if it is within the scale. */
  threshold?: number;
  /** On which side of the threshold a value is bad. */
  bad?: "above" | "below";
};

const spark = { width: 120, height: 28, pad: 2 };
const round = (value: number) => Math.round(value * 10) / 10;

/** A sparkline. Values beyond the threshold are marked by a dot, not by colour alone. */
export function drawSpark({ label, values, min, max, threshold, bad = "above" }: Spark): Drawing {
  const known = values.filter((value) => value !== undefined);
  const low = min ?? Math.min(...known, 0);
  const high = Math.max(max ?? 0, ...known, low + 1e-9);
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [spark.pad, spark.width - spark.pad]);
  const y = scaleLinear([low, high], [spark.height - spark.pad, spark.pad]).clamp(true);
  const path = line<number | undefined>()
    .defined((value) => value !== undefined)
    .x((_, index) => round(x(index)))
    .y((value) => round(y(value ?? low)));
  const isBad = (value: number | undefined) =>
    value !== undefined &&
    threshold !== undefined &&
    (bad === "above" ? value > threshold : value < threshold);
  const marks = values.flatMap((value, index): Drawing[] =>
    value !== undefined && (isBad(value) || isIsolated(values, index))
      ? [drawDot(x(index), y(value), isBad(value))]
      : [],
  );
  const isThresholdVisible = threshold !== undefined && threshold >= low && threshold <= high;
  return [
    "svg",
    frame(spark.width, spark.height, "spark", label),
    ...(isThresholdVisible ? [drawThreshold(spark.pad, spark.width - spark.pad, y(threshold))] : []),
    ["path", { class: "value", d: path(values) ?? "", "vector-effect": "non-scaling-stroke" }],
    ...marks,
  ];
}

/** A value without neighbours has no line segment, so it is drawn as a dot. */
const isIsolated = (values: Spark["values"], index: number) =>
  values[index - 1] === undefined && values[index + 1] === undefined;

const drawDot = (x: number, y: number, isBad: boolean): Drawing => [
  "circle",
  { class: isBad ? "bad" : "point", cx: round(x), cy: round(y), r: isBad ? 2 : 1.5 },
];

const drawThreshold = (from: number, to: number, y: number): Drawing => [
  "line",
  {
    class: "threshold",
    x1: from,
    x2: to,
    y1: round(y),
    y2: round(y),
    "vector-effect": "non-scaling-stroke",
  },
];

const frame = (width: number, height: number, name: string, label: string) => ({
  class: name,
  viewBox: `0 0 ${width} ${height}`,
  preserveAspectRatio: "none",
  role: "img",
  "aria-label": label,
});

export type Strip = {
  label: string;
  fromMs: number;
  untilMs: number;
  spans: readonly { fromMs: number; untilMs: number; tone: "page" | "warning" | "info" | "past" }[];
};

const stripHeight = 14;

/** Time spans on a horizontal axis, in percent of its width, so that the strip scales without distortion. */
export function drawStrip({ label, fromMs, untilMs, spans }: Strip): Drawing {
  const x = scaleLinear([fromMs, untilMs], [0, 100]).clamp(true);
  const shown = spans.filter((span) => span.untilMs >= fromMs && span.fromMs <= untilMs);
  return [
    "svg",
    { class: "strip", height: stripHeight, width: "100%", role: "img", "aria-label": label },
    ["rect", { class: "ground", x: 0, y: stripHeight / 2 - 0.5, width: "100%", height: 1 }],
    ...shown.map((span): Drawing => {
      const start = x(span.fromMs);
      // At least 0.5 % wide, so that a short span stays visible.
      const width = Math.max(0.5, x(span.untilMs) - start);
      return [
        "rect",
        {
          class: `span ${span.tone}`,
          x: `${round(Math.min(start, 99.5))}%`,
          y: 1,
          width: `${round(width)}%`,
          height: stripHeight - 2,
          rx: 2,
        },
      ];
    }),
  ];
}

const formats: [number, (date: Date) => string][] = [
  [2 * 86_400_000, utcFormat("%H:%M")],
  [120 * 86_400_000, utcFormat("%-d %b")],
  [Number.POSITIVE_INFINITY, utcFormat("%b %Y")],
];

/** The time axis below the strips, in UTC. */
export function drawAxis(fromMs: number, untilMs: number, ticks = 6): Drawing {
  const scale = scaleUtc([new Date(fromMs), new Date(untilMs)], [0, 100]);
  const format = formats.find(([spanMs]) => untilMs - fromMs <= spanMs)?.[1] ?? utcFormat("%Y-%m-%d");
  return [
    "svg",
    { class: "axis", height: 20, width: "100%", "aria-hidden": "true" },
    ...scale.ticks(ticks).flatMap((date): Drawing[] => {
      const place = round(scale(date));
      if (place < 2 || place > 97) return [];
      const x = `${place}%`;
      return [
        ["line", { x1: x, x2: x, y1: 0, y2: 4 }],
        ["text", { x, y: 16, "text-anchor": "middle" }, format(date)],
      ];
    }),
  ];
}

/** A bar that shows a part of a whole, for budgets and coverage. */
export function drawShare(label: string, part: number, whole: number): Drawing {
  const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
  return [
    "svg",
    { class: "share", height: 8, width: "100%", role: "img", "aria-label": label },
    ["rect", { class: "ground", x: 0, y: 0, width: "100%", height: 8, rx: 4 }],
    ["rect", { class: "part", x: 0, y: 0, width: `${round(share * 100)}%`, height: 8, rx: 4 }],
  ];
}

export type Series = { label: string; points: readonly { atMs: number; value: number | undefined }[] };

/** A larger chart with its own time axis, for the report. */
export function drawSeries(
  { label, points }: Series,
  {
    width = 640,
    height = 160,
    unit = "",
    top = 1e-9,
  }: {
    width?: number;
    height?: number;
    unit?: string;
    /** The minimum upper limit of the scale, so that values near 0 do not fill the chart. */
    top?: number;
  } = {},
): Drawing {
  const edge = { left: 54, right: 4, top: 8, bottom: 22 };
  const times = points.map(({ atMs }) => atMs);
  const known = points.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
  const x = scaleUtc([edge.left, width - edge.right]);
  if (times.length > 0) x.domain([new Date(firstMs), new Date(lastMs)]);
  const y = scaleLinear([0, Math.max(...known, top)], [height - edge.bottom, edge.top]).nice(2);
  const format = formats.find(([spanMs]) => lastMs - firstMs <= spanMs)?.[1];
  const isKnown = ({ value }: Series["points"][number]) => value !== undefined;
  const placeX = ({ atMs }: Series["points"][number]) => round(x(new Date(atMs)));
  const placeY = ({ value }: Series["points"][number]) => round(y(value ?? 0));
  const shape = area<Series["points"][number]>()
    .defined(isKnown)
    .curve(curveStepAfter)
    .x(placeX)
    .y0(round(y(0)))
    .y1(placeY);
  const outline = line<Series["points"][number]>().defined(isKnown).curve(curveStepAfter).x(placeX).y(placeY);
  return [
    "svg",
    { class: "series", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...y.ticks(2).flatMap((value): Drawing[] => [
      [
        "line",
        { class: "grid", x1: edge.left, x2: width - edge.right, y1: round(y(value)), y2: round(y(value)) },
      ],
      [
        "text",
        { x: edge.left - 6, y: round(y(value)) + 4, "text-anchor": "end" },
        `${y.tickFormat(2)(value)}${unit}`,
      ],
    ]),
    ["path", { class: "value", d: shape(points) ?? "" }],
    ["path", { class: "outline", d: outline(points) ?? "" }],
    ...x.ticks(Math.max(2, Math.floor(width / 80))).flatMap((date): Drawing[] => {
      const place = round(x(date));
      // A label at the edge would be cut off.
      if (place < edge.left + 8 || place > width - 22) return [];
      return [["text", { x: place, y: height - 6, "text-anchor": "middle" }, format?.(date) ?? ""]];
    }),
  ];
}
