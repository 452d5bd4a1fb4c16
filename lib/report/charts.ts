// The charts of the report.

import { scaleLinear, scaleUtc } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import { utcFormat } from "d3-time-format";
import { dayMs } from "../time.ts";
import type { Drawing } from "./svg.ts";

const round = (value: number) => Math.round(value * 10) / 10;

const formats: [number, (date: Date) => string][] = [
  [2 * dayMs, utcFormat("%H:%M")],
  [120 * dayMs, utcFormat("%-d %b")],
  [Number.POSITIVE_INFINITY, utcFormat("%b %Y")],
];

export type Series = {
  label: string;
  unit: string;
  /** The minimum upper limit of the scale, so that values near 0 do not fill the chart. */
  top: number;
  /** The period that was watched. */
  fromMs: number;
  untilMs: number;
  points: readonly { atMs: number; value: number | undefined }[];
};

const [width, height] = [320, 110];
const edge = { left: 54, right: 4, top: 8, bottom: 22 };

/** A chart with a time axis in UTC. An unknown value is a gap, never 0. */
export function drawSeries({ label, unit, top, fromMs, untilMs, points }: Series): Drawing {
  const known = points.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const x = scaleUtc([edge.left, width - edge.right]).domain([new Date(fromMs), new Date(untilMs)]);
  const y = scaleLinear([0, Math.max(...known, top)], [height - edge.bottom, edge.top]).nice(2);
  const format = formats.find(([spanMs]) => untilMs - fromMs <= spanMs)?.[1];
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
