// Sentences about the changes since the previous report, with deteriorations first.
import type { Report } from "../../records/report.ts";

type Changes = NonNullable<Report["changes"]>;
type Item = Changes["items"][number];

const maxItems = 40;
const tones: readonly Item["tone"][] = ["worse", "better", "neutral"];
const gateRank = { pass: 2, unknown: 1, fail: 0 } as const;
const statusRank = { v1: 0, dual: 1, v2: 2 } as const;

const item = (isBetter: boolean | undefined, text: string): Item => ({
  tone: isBetter === undefined ? "neutral" : isBetter ? "better" : "worse",
  text,
});

function compareGates(before: Report, now: Report): Item[] {
  return now.gates.flatMap((gate) => {
    const old = before.gates.find(({ id }) => id === gate.id);
    if (!old || old.state === gate.state) return [];
    return [item(gateRank[gate.state] > gateRank[old.state], `${gate.title}: ${old.state} → ${gate.state}`)];
  });
}

/** Without monitor data, changes of V1 itself cannot be reported. */
const hasMonitorData = ({ health }: Report) => health.length > 0;

function compareTime(before: Report["timeLeft"], now: Report["timeLeft"]): Item[] {
  if (before.date === now.date) return [];
  if (now.date === undefined)
    return [item(undefined, `V1's retirement date is no longer known (was ${before.date})`)];
  if (before.date === undefined) return [item(false, `V1's retirement date is now known: ${now.date}`)];
  return [item(now.date > before.date, `V1's retirement date moved from ${before.date} to ${now.date}`)];
}

function compareDrift(before: Report, now: Report): Item[] {
  const active = ({ drift }: Report) =>
    new Map(
      drift.filter(({ level, isCurrent }) => level === "breaking" && isCurrent).map((row) => [row.id, row]),
    );
  const [old, current] = [active(before), active(now)];
  return [
    ...[...current.values()]
      .filter(({ id }) => !old.has(id))
      .map(({ path, what }) => item(false, `New breaking difference: ${path}, ${what}`)),
    ...[...old.values()]
      .filter(({ id }) => !current.has(id))
      .map(({ path }) => item(true, `V1 matches its document again: ${path}`)),
  ];
}

function compareConsumers(before: Report, now: Report): Item[] {
  if (!before.consumers || !now.consumers) return [];
  const old = new Map(before.consumers.map((consumer) => [consumer.name, consumer]));
  const known = new Set(now.consumers.map(({ name }) => name));
  return [
    ...now.consumers.flatMap(({ name, status }) => {
      const oldStatus = old.get(name)?.status;
      if (oldStatus === undefined)
        return [item(status === "v2" ? undefined : false, `New consumer: ${name}, ${status}`)];
      return oldStatus === status
        ? []
        : [item(statusRank[status] > statusRank[oldStatus], `${name}: ${oldStatus} → ${status}`)];
    }),
    ...before.consumers
      .filter(({ name }) => !known.has(name))
      .map(({ name }) => item(true, `${name} no longer uses V1`)),
  ];
}

function compareCounts(before: Report, now: Report): Item[] {
  const items: Item[] = [];
  const [decidedBefore, decidedNow] = [before.mapping?.decided, now.mapping?.decided];
  if (decidedBefore !== undefined && decidedNow !== undefined && decidedBefore !== decidedNow)
    items.push(item(decidedNow > decidedBefore, `Decided mapping rows: ${decidedBefore} → ${decidedNow}`));
  const [differencesBefore, differencesNow] = [
    before.parity?.differences.length,
    now.parity?.differences.length,
  ];
  if (differencesBefore !== undefined && differencesNow !== undefined && differencesBefore !== differencesNow)
    items.push(
      item(
        differencesNow < differencesBefore,
        `Differences between V1 and V2: ${differencesBefore} → ${differencesNow}`,
      ),
    );
  for (const { id, question, status, summary } of now.gaps) {
    const old = before.gaps.find((gap) => gap.id === id);
    if (old && old.status !== status) items.push(item(undefined, `${question} ${summary}`));
  }
  return items;
}

export function compareReports(before: Report, now: Report): Changes {
  const items = [
    ...(before.verdict.verdict === now.verdict.verdict
      ? []
      : [
          item(
            now.verdict.verdict === "ready" || before.verdict.verdict === "not ready",
            `Verdict: ${before.verdict.verdict} → ${now.verdict.verdict}`,
          ),
        ]),
    ...(hasMonitorData(now) ? compareTime(before.timeLeft, now.timeLeft) : []),
    ...compareGates(before, now),
    ...compareConsumers(before, now),
    ...(hasMonitorData(now) ? compareDrift(before, now) : []),
    ...compareCounts(before, now),
  ].sort((a, b) => tones.indexOf(a.tone) - tones.indexOf(b.tone));
  const shown = items.slice(0, maxItems);
  if (items.length > maxItems) shown.push(item(undefined, `and ${items.length - maxItems} more`));
  return { since: before.generatedAt, items: shown };
}
