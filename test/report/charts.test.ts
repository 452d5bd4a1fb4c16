import { describe, expect, test } from "vitest";
import { drawAxis, drawSeries, drawShare, drawSpark, drawStrip, renderSvg } from "../../lib/report/charts.ts";
import { fc } from "../random.ts";

const numbersOf = (svg: string) => svg.match(/-?(?:\d+\.?\d*(?:e[+-]?\d+)?|NaN|Infinity)/g) ?? [];

describe("charts", () => {
  test("contain no NaN, Infinity or undefined for arbitrary values", () => {
    const value = fc.option(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 80 }),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        (values, threshold) => {
          const svg = renderSvg(drawSpark({ label: "x", values, threshold }));
          expect(svg).not.toMatch(/NaN|Infinity|undefined/);
          expect(numbersOf(svg).length).toBeGreaterThan(3);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("draw an unknown value as a gap, not as 0", () => {
    const [, , path] = drawSpark({ label: "x", values: [1, 2, undefined, 2, 1], min: 0 });
    expect(String((path as [string, { d: string }])[1].d).match(/M/g)).toHaveLength(2);
  });

  test("mark a value beyond the threshold with a dot", () => {
    const svg = renderSvg(
      drawSpark({ label: "x", values: [100, 40, 100], threshold: 99, bad: "below", min: 0 }),
    );
    expect(svg.match(/class="bad"/g)).toHaveLength(1);
    expect(svg).toContain('class="threshold"');
  });

  test("escape every text", () => {
    const svg = renderSvg(drawShare('"><script>alert(1)</script>', 1, 2));
    expect(svg).not.toContain("<script>");
    expect(svg).toContain("&lt;script&gt;");
  });

  test("keep a zero-length span visible and omit spans outside the range", () => {
    const spans = [
      { fromMs: 500, untilMs: 500, tone: "page" as const },
      { fromMs: 5_000, untilMs: 6_000, tone: "page" as const },
    ];
    const svg = renderSvg(drawStrip({ label: "x", fromMs: 0, untilMs: 1_000, spans }));
    expect(svg.match(/class="span page"/g)).toHaveLength(1);
    expect(svg).toContain('width="0.5%"');
  });

  test("label a day's axis with hours and a year's axis with months, in UTC", () => {
    const startMs = Date.parse("2026-11-01T00:00:00Z");
    expect(renderSvg(drawAxis(startMs, startMs + 86_400_000))).toContain(">12:00<");
    expect(renderSvg(drawAxis(startMs, startMs + 365 * 86_400_000))).toContain(">Jan 2027<");
  });

  test("render a series without points", () => {
    expect(renderSvg(drawSeries({ label: "x", points: [] }))).not.toMatch(/NaN|Infinity/);
  });
});
