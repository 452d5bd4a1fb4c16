import { describe, expect, test } from "vitest";
import { drawSeries } from "../../lib/report/charts.ts";
import { renderSvg } from "../../lib/report/svg.ts";
import { fc } from "../random.ts";

const dayMs = 86_400_000;
const startMs = Date.parse("2026-11-01T00:00:00Z");
const draw = (values: readonly (number | undefined)[], stepMs = dayMs, label = "x") =>
  renderSvg(
    drawSeries({
      label,
      unit: "",
      top: 1,
      fromMs: startMs,
      untilMs: startMs + Math.max(1, values.length - 1) * stepMs,
      points: values.map((value, index) => ({ atMs: startMs + index * stepMs, value })),
    }),
  );

describe("a chart of the report", () => {
  test("A chart of the report contains no NaN, Infinity or undefined for arbitrary values", () => {
    const value = fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 80 }), (values) => {
        expect(draw(values)).not.toMatch(/NaN|Infinity|undefined/);
      }),
      { numRuns: 200 },
    );
  });

  test("A chart of the report draws an unknown value as a gap, not as 0", () => {
    const outline = /class="outline" d="([^"]*)"/.exec(draw([1, 2, undefined, 2, 1]))?.[1] ?? "";
    expect(outline.match(/M/g)).toHaveLength(2);
  });

  test("A chart of the report escapes every text", () => {
    const svg = draw([1, 2], dayMs, '"><script>alert(1)</script>');
    expect(svg).not.toContain("<script>");
    expect(svg).toContain("&lt;script&gt;");
  });

  test("A chart of the report labels the axis of a day with hours and the axis of a year with months, in UTC", () => {
    expect(draw([1, 2], dayMs)).toContain(">12:00<");
    expect(draw([1, 2], 365 * dayMs)).toContain(">Jan 2027<");
  });
});
