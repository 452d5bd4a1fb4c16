// Random streams of messages that rules would like to send, offered to the limits as the assessment offers them: whoever
// is held back asks again. The streams flicker, grow, change, return and storm.
import {
  failureGroup,
  isSummaryDue,
  limitMessage,
  listOpen,
  type MessageCandidate,
  type ToldMessage,
} from "../../lib/assess/message-limits.ts";
import type { Severity } from "../../lib/records/incident.ts";
import { createChance } from "../random.ts";
import { type JudgedMessage, judgeMessages } from "./judge-messages.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Fault = {
  incident: string;
  rule: string;
  group: string;
  severity: Severity;
  isWide: boolean;
  untilMs: number;
  /** The last instant at which an announced incident of its group was open, or at which it began. */
  coveredMs: number;
  /** Incidents that it goes on with: its end is also theirs. */
  replaces: string[];
  /** What it would like to say beside its opening and its end. */
  wants: "changed" | "reminder" | undefined;
};

const rules: readonly { rule: string; group: string; severity: Severity }[] = [
  { rule: "down", group: failureGroup, severity: "page" },
  { rule: "gone", group: failureGroup, severity: "page" },
  { rule: "drift", group: "drift", severity: "page" },
  { rule: "silent", group: "silent", severity: "page" },
  { rule: "certificate", group: "certificate", severity: "warning" },
  ...["sunset", "slow", "frozen", "rate", "deprecation"].map(
    (rule): { rule: string; group: string; severity: Severity } => ({
      rule,
      group: rule,
      severity: "warning",
    }),
  ),
];

export type StreamResult = { offered: number; sent: number; summaries: number; faults: string[] };

/** So many virtual days of a stream; on the last two nothing happens any more. */
export function playStream(days: number, seed: number): StreamResult {
  // Neighbouring seeds would begin with nearly the same numbers.
  const chance = createChance(Math.imul(seed, 2_654_435_761));
  /** Calm streams, lively ones, and storms of one rule. */
  const perHour = [0.1, 0.5, 2, 6][Math.floor(chance() * 4)]!;
  const shortestMs = [minuteMs, 10 * minuteMs, hourMs][Math.floor(chance() * 3)]!;
  const favourite = chance() < 0.5 ? Math.floor(chance() * rules.length) : undefined;
  const told: ToldMessage[] = [];
  const messages: JudgedMessage[] = [];
  const faults: string[] = [];
  const firing = new Map<string, Fault>();
  /** Announced or held back, and over: their ends are still to be told. */
  let ended: Fault[] = [];
  const missed: Fault[] = [];
  const waiting: { incident: string; atMs: number }[] = [];
  let lastSummaryMs: number | undefined;
  let [number, offered, summaries] = [0, 0, 0];
  const endMs = days * dayMs;
  const quietMs = endMs - 2 * dayMs;
  const wasTold = (incident: string) => told.some((one) => one.incident === incident);

  function offer(fault: Fault, event: MessageCandidate["event"], nowMs: number): boolean {
    offered += 1;
    const { incident, rule, group, severity, isWide, replaces } = fault;
    const candidate = { incident, rule, group, event, severity, isWide, replaces };
    const verdict = limitMessage(told, candidate, nowMs);
    if (verdict === "hold") return false;
    told.push({ ...candidate, atMs: nowMs, isInSummary: verdict === "summary" });
    if (verdict === "send") messages.push({ ...candidate, atMs: nowMs });
    else waiting.push({ incident, atMs: nowMs });
    return true;
  }

  for (let nowMs = 0; nowMs < endMs; nowMs += 4 * minuteMs) {
    const isQuiet = nowMs >= quietMs;
    ended = ended.filter((fault) => !offer(fault, "resolved", nowMs));
    for (const fault of [...firing.values()]) {
      if (fault.untilMs > nowMs && !isQuiet) continue;
      firing.delete(fault.incident);
      if (wasTold(fault.incident) || fault.replaces.length > 0) {
        if (!offer(fault, "resolved", nowMs)) ended.push(fault);
      } else {
        missed.push(fault);
        waiting.push({ incident: fault.incident, atMs: nowMs });
      }
    }
    while (!isQuiet && chance() < (perHour * 4) / 60) {
      const row =
        rules[favourite !== undefined && chance() < 0.8 ? favourite : Math.floor(chance() * rules.length)]!;
      const untilMs = nowMs + shortestMs * (1 + chance() ** 4 * 300);
      const incident = `${row.rule}-${++number}`;
      const isWide = chance() < 0.3;
      firing.set(incident, {
        ...row,
        incident,
        isWide,
        untilMs,
        coveredMs: nowMs,
        replaces: [],
        wants: undefined,
      });
    }
    for (const fault of firing.values()) {
      if (wasTold(fault.incident)) {
        if (chance() < 0.05) fault.wants = "changed";
        else if (chance() < 0.02 && fault.severity === "page") fault.wants = "reminder";
        if (chance() < 0.01) fault.isWide = true;
        if (chance() < 0.002) fault.severity = "page";
        if (fault.wants && offer(fault, fault.wants, nowMs)) fault.wants = undefined;
        continue;
      }
      // A fault that returned before its end could be told goes on with the announced incident.
      const replaced = ended.filter(({ group }) => group === fault.group);
      ended = ended.filter((one) => !replaced.includes(one));
      fault.replaces.push(...replaced.flatMap(({ incident, replaces }) => [incident, ...replaces]));
      const isSent = offer(fault, "opened", nowMs);
      // A page waits only while the group has an announced incident, or for an hour.
      if (isSent || fault.severity !== "page") continue;
      if (listOpen(told).some(({ group }) => group === fault.group)) fault.coveredMs = nowMs;
      if (nowMs - fault.coveredMs > hourMs + 4 * minuteMs)
        faults.push(
          `${fault.incident}: a page was not reported for ${(nowMs - fault.coveredMs) / minuteMs} min`,
        );
    }
    const firstWaitingMs = waiting[0]?.atMs;
    if (isSummaryDue({ firstWaitingMs, lastSummaryMs, nowMs })) {
      lastSummaryMs = nowMs;
      summaries += 1;
      waiting.length = 0;
      const shared = { severity: "info", isWide: false, replaces: [] } as const;
      messages.push({
        ...shared,
        atMs: nowMs,
        incident: `summary-${nowMs}`,
        group: "digest",
        event: "digest",
      });
    }
    // As the assessment does: what ended more than a day ago is forgotten.
    const open = new Set(listOpen(told).map(({ incident }) => incident));
    const isInSummary = new Set([...firing.keys(), ...ended.map(({ incident }) => incident)]);
    for (let index = told.length - 1; index >= 0; index--) {
      const { incident, atMs } = told[index]!;
      if (nowMs - atMs >= dayMs && !open.has(incident) && !isInSummary.has(incident)) told.splice(index, 1);
    }
  }
  faults.push(...judgeMessages(messages));
  for (const { incident } of listOpen(told))
    faults.push(`${incident}: announced, and its end was never told`);
  if (ended.length > 0) faults.push(`${ended.length} ends were never told`);
  if (waiting.length > 0) faults.push(`${waiting.length} lines were never in a summary`);
  return { offered, sent: messages.length, summaries, faults };
}
