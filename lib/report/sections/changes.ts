// What is different since the last report, in sentences: worse first.
import type { Report } from "../../records/report.ts";

type Changes = NonNullable<Report["changes"]>;
type Item = Changes["items"][number];

const maxItems = 40;
const tones: readonly Item["tone"][] = ["worse", "better", "news"];
const standing = { pass: 2, unknown: 1, fail: 0 } as const;
const progress = { v1: 0, dual: 1, v2: 2 } as const;

const item = (isBetter: boolean | undefined, text: string): Item => ({
  tone: isBetter === undefined ? "news" : isBetter ? "better" : "worse",
  text,
});

function compareGates(before: Report, now: Report): Item[] {
  return now.gates.flatMap((gate) => {
    const old = before.gates.find(({ id }) => id === gate.id);
    if (!old || old.state === gate.state) return [];
    return [item(standing[gate.state] > standing[old.state], `${gate.title}: ${old.state} → ${gate.state}`)];
  });
}

/** Without a watch nothing is known of V1 itself, and nothing of it has changed. */
const isWatched = ({ health }: Report) => health.length > 0;

function compareTime(before: Report["timeLeft"], now: Report["timeLeft"]): Item[] {
  if (before.date === now.date) return [];
  if (now.date === undefined) return [item(undefined, `V1 no longer names a date (was ${before.date})`)];
  if (before.date === undefined) return [item(false, `V1's end has a date: ${now.date}`)];
  return [item(now.date > before.date, `V1's end moved from ${before.date} to ${now.date}`)];
}

function compareDrift(before: Report, now: Report): Item[] {
  const active = ({ drift }: Report) =>
    new Map(
      drift.filter(({ level, isCurrent }) => level === "breaking" && isCurrent).map((row) => [row.id, row]),
    );
  const [old, present] = [active(before), active(now)];
  return [
    ...[...present.values()]
      .filter(({ id }) => !old.has(id))
      .map(({ path, what }) => item(false, `V1 differs anew: ${path}, ${what}`)),
    ...[...old.values()]
      .filter(({ id }) => !present.has(id))
      .map(({ path }) => item(true, `V1 is as documented again: ${path}`)),
  ];
}

function compareConsumers(before: Report, now: Report): Item[] {
  if (!before.consumers || !now.consumers) return [];
  const old = new Map(before.consumers.map((consumer) => [consumer.name, consumer]));
  const known = new Set(now.consumers.map(({ name }) => name));
  return [
    ...now.consumers.flatMap(({ name, status }) => {
      const was = old.get(name)?.status;
      if (was === undefined)
        return [item(status === "v2" ? undefined : false, `a new consumer: ${name}, ${status}`)];
      return was === status ? [] : [item(progress[status] > progress[was], `${name}: ${was} → ${status}`)];
    }),
    ...before.consumers
      .filter(({ name }) => !known.has(name))
      .map(({ name }) => item(true, `${name} no longer uses V1`)),
  ];
}

function compareCounts(before: Report, now: Report): Item[] {
  const items: Item[] = [];
  const [had, has] = [before.mapping?.decided, now.mapping?.decided];
  if (had !== undefined && has !== undefined && had !== has)
    items.push(item(has > had, `decided rows of the mapping: ${had} → ${has}`));
  const [saw, sees] = [before.parity?.differences.length, now.parity?.differences.length];
  if (saw !== undefined && sees !== undefined && saw !== sees)
    items.push(item(sees < saw, `differences between V1 and V2: ${saw} → ${sees}`));
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
            `The verdict: ${before.verdict.verdict} → ${now.verdict.verdict}`,
          ),
        ]),
    ...(isWatched(now) ? compareTime(before.timeLeft, now.timeLeft) : []),
    ...compareGates(before, now),
    ...compareConsumers(before, now),
    ...(isWatched(now) ? compareDrift(before, now) : []),
    ...compareCounts(before, now),
  ].sort((a, b) => tones.indexOf(a.tone) - tones.indexOf(b.tone));
  const shown = items.slice(0, maxItems);
  if (items.length > maxItems) shown.push(item(undefined, `and ${items.length - maxItems} more`));
  return { since: before.generatedAt, items: shown };
}
