// The verdict as a badge: for a README or a wall. The outlook, and before it what is wrong with V1 now.
import type { Drawing } from "../report/charts.ts";
import { renderSvg } from "../report/charts.ts";
import type { Verdict } from "./api-shapes.ts";

/** White stands on each of them with a contrast of 4.5 or more. */
const grounds = { ok: "#1a7f37", look: "#9a6700", broken: "#cf222e", unknown: "#59636e" } as const;

const width = (text: string) => Math.round(text.length * 6.6 + 14);

export function renderBadge({ trouble, level, tone, daysLeft }: Verdict): string {
  const left =
    daysLeft === undefined ? "" : daysLeft < 0 ? ` · ${-daysLeft} d past` : ` · ${daysLeft} d left`;
  const outlook = level === "unknown" ? "not known yet" : `${level}${level === "retired" ? "" : left}`;
  const isNews = level !== "unknown" && level !== "calm";
  const word = trouble ? `${trouble.replace(/^V1 /, "")}${isNews ? ` · ${outlook}` : ""}` : outlook;
  const [name, said] = [width("V1"), width(word)];
  const label = (text: string, x: number): Drawing => [
    "text",
    {
      x,
      y: 14,
      fill: "#fff",
      "font-family": "system-ui, sans-serif",
      "font-size": 11,
      "text-anchor": "middle",
    },
    text,
  ];
  return renderSvg([
    "svg",
    { width: name + said, height: 20, role: "img", "aria-label": `V1: ${word}` },
    ["title", {}, `V1: ${word}`],
    ["rect", { width: name + said, height: 20, rx: 3, fill: grounds[tone] }],
    ["rect", { width: name, height: 20, rx: 3, fill: "#30363d" }],
    label("V1", name / 2),
    label(word, name + said / 2),
  ]);
}
