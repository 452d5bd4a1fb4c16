// The verdict on V1, and the age of each endpoint's last check.
import { type EndpointChecks, exitCodeOf, type Verdict } from "../../assess/verdict.ts";
import { type Block, sentence } from "../../report/document.ts";
import { describeDuration, timeText } from "../../time.ts";

const toIso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

export const verdictJson = (verdict: Verdict) => ({
  kind: verdict.kind,
  headline: verdict.headline,
  exitCode: exitCodeOf(verdict),
  incident: verdict.incident?.id,
  checks: verdict.checks.map(({ endpoint, sentMs, servedMs }) => ({
    endpoint,
    checkedAt: toIso(sentMs),
    servedAt: toIso(servedMs),
  })),
});

function describeChecks({ sentMs, servedMs }: EndpointChecks, nowMs: number): string {
  if (sentMs === undefined) return "not checked yet";
  const when = (ms: number) =>
    `${timeText(new Date(ms).toISOString(), new Date(nowMs).toISOString())}, ${describeDuration((nowMs - ms) / 1_000)} ago`;
  if (servedMs === undefined) return `last checked at ${when(sentMs)}; never served`;
  return servedMs === sentMs
    ? `last served at ${when(servedMs)}`
    : `last checked at ${when(sentMs)}; last served at ${when(servedMs)}`;
}

export const composeVerdict = (verdict: Verdict, nowMs: number): Block[] => [
  sentence(verdict.headline),
  {
    kind: "table",
    columns: [{ title: "" }, { title: "" }],
    rows: verdict.checks.map((checks) => [checks.endpoint, describeChecks(checks, nowMs)]),
  },
];
