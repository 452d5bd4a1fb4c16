// Builds the report of the last 30 days that were watched, stores it under its date and sends a digest of it.

import { readAssessment, type Settings } from "../lib/assess/assess.ts";
import { subscriptionWarning } from "../lib/assess/text/scheduled-alerts.ts";
import { readVerdict } from "../lib/assess/verdict.ts";
import { read, readBundledFile, readTable } from "../lib/aws/environment.ts";
import { createLedger } from "../lib/aws/ledger.ts";
import { createOutbox, readProof } from "../lib/aws/outbox.ts";
import { createS3, readReport, storeReport } from "../lib/aws/reports.ts";
import { readTeamFacts, type TeamFiles } from "../lib/readiness/gates/usage.ts";
import type { Report } from "../lib/records/report.ts";
import { digestReport } from "../lib/report/digest.ts";
import { readHealthDays } from "../lib/report/health-days.ts";
import { renderHtml } from "../lib/report/html.ts";
import { renderMarkdown } from "../lib/report/markdown.ts";
import { buildReport, describeMonitor } from "../lib/report/model.ts";
import { dayMs } from "../lib/time.ts";

const days = 30;
const { env } = process;
const bucket = read(env, "BUCKET");
const s3 = createS3();
const settings = JSON.parse(read(env, "SETTINGS")) as Settings;
const team = (readBundledFile("team.json") ?? {}) as TeamFiles;
const ledger = createLedger(readTable(env));
const outbox = createOutbox(readTable(env));

/** Reads the previous report by its date, so that a repeated run compares with the same report. */
async function readPrevious(nowMs: number): Promise<Report | undefined> {
  const day = new Date(nowMs - Number(read(env, "EVERY_DAYS")) * dayMs).toISOString().slice(0, 10);
  const text = await readReport(s3, bucket, `${day}.json`);
  const previous = text === undefined ? undefined : (JSON.parse(text) as Report);
  return previous?.schema === "v1watch/report/1" ? previous : undefined;
}

/** The time before the function's timeout that is reserved for storing the report. */
const flushMs = 30_000;

export async function handler(event: { tick: string }, context: { getRemainingTimeInMillis(): number }) {
  const nowMs = Date.parse(event.tick);
  const known = await readAssessment(
    ledger,
    settings,
    nowMs,
    () => context.getRemainingTimeInMillis() < flushMs,
  );
  const { state } = known;
  const startOfDay = (ms: number) => Math.floor(ms / dayMs) * dayMs;
  // Only the period that was watched.
  const fromMs = startOfDay(Math.max(nowMs - (days - 1) * dayMs, Date.parse(state.firstAt ?? event.tick)));
  const subscriptions = await ledger.subscriptionStatus();
  const warning = subscriptionWarning(subscriptions);
  const proof = await readProof(readTable(env), subscriptions);
  const report = buildReport({
    facts: {
      ...readTeamFacts(team, nowMs),
      nowMs,
      proof,
    },
    watch: {
      ...known,
      decisions: await ledger.decisions(),
      days: await readHealthDays(ledger.observations(fromMs, nowMs + 1)),
    },
    monitor: { ...describeMonitor(readVerdict({ ...known, nowMs }), state), warning },
    address: settings.baseUrl,
    fromMs,
    previous: await readPrevious(nowMs),
  });
  const day = report.period.until;
  const files = [
    ["html", "text/html; charset=utf-8", renderHtml(report)],
    ["md", "text/markdown; charset=utf-8", renderMarkdown(report)],
    ["json", "application/json", `${JSON.stringify(report, null, 2)}\n`],
  ] as const;
  for (const [extension, contentType, body] of files) {
    await storeReport(s3, bucket, { name: `${day}.${extension}`, contentType, body });
  }
  // The assessment function delivers the digest from the outbox.
  const alert = digestReport(report, `s3://${bucket}/reports/${day}.html`);
  await outbox.put([{ id: alert.id, kind: "alert", alert }]);
  console.log({ event: "reported", day, verdict: report.verdict.verdict });
}
