// The message economy, counted independently of the code that holds it: what is wrong with a sequence of messages.
import type { Severity } from "../../lib/records/incident.ts";

export type JudgedMessage = {
  atMs: number;
  incident: string;
  /** `failure` for the failure rules. */
  group: string;
  event: string;
  severity: Severity;
  isWide: boolean;
  /** Incidents whose end is told with the end of this one. */
  replaces: readonly string[];
};

const dayMs = 86_400_000;

/** The most messages in any 24 hours. */
export function countInDay(messages: readonly JudgedMessage[]): number {
  return messages.reduce(
    (most, { atMs }) =>
      Math.max(most, messages.filter((one) => one.atMs > atMs - dayMs && one.atMs <= atMs).length),
    0,
  );
}

/** Changes that make an incident worse than all messages about it before. */
function isWorse(message: JudgedMessage, messages: readonly JudgedMessage[]): boolean {
  const before = messages.filter((one) => one.incident === message.incident && one.atMs < message.atMs);
  return (
    (message.severity === "page" && before.every(({ severity }) => severity !== "page")) ||
    (message.isWide && before.every(({ isWide }) => !isWide))
  );
}

/** Messages in the order in which they were sent. */
export function judgeMessages(messages: readonly JudgedMessage[]): string[] {
  const faults: string[] = [];
  for (const [incident, own] of Map.groupBy(messages, (one) => one.incident)) {
    const events = own.map(({ event }) => event);
    for (const event of ["opened", "resolved"])
      if (events.filter((one) => one === event).length > 1)
        faults.push(`${incident}: ${event} more than once`);
    if (events.includes("resolved") && events.at(-1) !== "resolved")
      faults.push(`${incident}: a message after its end`);
    const changes = own.filter((one) => one.event === "changed" && !isWorse(one, messages));
    if (countInDay(changes) > 3) faults.push(`${incident}: changed more than 3 times in 24 h`);
    if (countInDay(own.filter(({ event }) => event === "reminder")) > 1)
      faults.push(`${incident}: more than one reminder in 24 h`);
  }
  for (const [group, own] of Map.groupBy(messages, (one) => one.group)) {
    const most = countInDay(own);
    if (most > (group === "failure" ? 14 : 8)) faults.push(`${group}: ${most} messages in 24 h`);
  }
  // From the 20th on only the first and the last message of a page, and the summary.
  for (const [index, message] of messages.entries()) {
    const before = messages.slice(0, index).filter(({ atMs }) => atMs > message.atMs - dayMs);
    const ended = [message.incident, ...message.replaces];
    const isEndOfPage =
      message.event === "resolved" &&
      messages.some((one) => ended.includes(one.incident) && one.severity === "page");
    const isOpeningOfPage =
      message.severity === "page" && (message.event === "opened" || isWorse(message, messages));
    const isBoundary = isEndOfPage || isOpeningOfPage;
    if (before.length >= 20 && !isBoundary && message.event !== "digest")
      faults.push(`${message.incident}: ${message.event} is message ${before.length + 1} of its day`);
  }
  return faults;
}
