// The one place that decides whether a message is sent: no rule gets around it. It knows messages, rules by their names,
// groups of rules that share a limit, and instants. Pure: it looks at what was told before and at one candidate.
//
// In any 24 hours:
// - an incident is opened once and resolved once, is changed three times (and when it becomes worse), and has one reminder;
// - failures send 14 messages, any other group 8. An opening is sent only if its end and one change for the worse still
//   fit. The end of a group's last open incident waits while there is no room for the next opening: a fault that comes
//   and goes stays open, so that no page goes unreported;
// - from the 20th message on only the openings and ends of pages are sent singly. The rest is one summary.
import type { Severity } from "../records/incident.ts";

export type MessageCandidate = {
  incident: string;
  rule: string;
  /** Rules of the same group share its limit. */
  group: string;
  /** `notice`: it has no end, such as a countdown. */
  event: "opened" | "changed" | "reminder" | "resolved" | "notice";
  severity: Severity;
  /** It is about the whole API, and not only about a part of it. */
  isWide: boolean;
  /** Announced incidents that this one has replaced: its end is also theirs. */
  replaces: readonly string[];
};

export type ToldMessage = MessageCandidate & {
  atMs: number;
  /** It was named in a summary, and was no message of its own. */
  isInSummary: boolean;
};

/**
 * `hold`: not now; it is a candidate again while it is still true. `summary`: it counts as told, and the next summary
 * names it.
 */
export type MessageVerdict = "send" | "hold" | "summary";

/** The group of the failure rules. */
export const failureGroup = "failure";
const failuresPerDay = 14;
const othersPerDay = 8;
const changesPerDay = 3;
const openingsPerHour = 2;
/**
 * Of the 20 messages of a day the summary is one, and some are kept for what is not made from observations: the digest,
 * the budget, the clock, the store, unconfirmed subscriptions. Their ids contain the day or the month: each is sent once.
 */
const singlesPerDay = 20 - 1 - 6;
/** An opening, its end, and one change for the worse. */
const roomForOpening = 3;

const hourMs = 3_600_000;
export const limitedMs = 24 * hourMs;

type Open = Pick<ToldMessage, "incident" | "group" | "severity" | "isWide">;

/** Incidents that were announced by a message of their own, and whose end was not told. */
export function listOpen(told: readonly ToldMessage[]): Open[] {
  const open = new Map<string, Open>();
  for (const { event, incident, group, severity, isWide, replaces, isInSummary } of told) {
    if (event === "notice" || (isInSummary && event !== "resolved")) continue;
    const before = [incident, ...replaces].flatMap((id) => open.get(id) ?? []);
    for (const id of [incident, ...replaces]) open.delete(id);
    if (event === "resolved") continue;
    const wasPage = before.some((one) => one.severity === "page");
    const wasWide = before.some((one) => one.isWide);
    open.set(incident, { incident, group, severity: wasPage ? "page" : severity, isWide: isWide || wasWide });
  }
  return [...open.values()];
}

/**
 * `told`: all messages of the last 24 hours, and all messages of incidents whose end was not told, in the order in which
 * they were told.
 */
export function limitMessage(
  told: readonly ToldMessage[],
  candidate: MessageCandidate,
  nowMs: number,
): MessageVerdict {
  const { incident, rule, group, event, severity, isWide, replaces } = candidate;
  const sent = told.filter(({ atMs, isInSummary }) => nowMs - atMs < limitedMs && !isInSummary);
  const own = sent.filter((one) => one.incident === incident);
  const open = listOpen(told);
  const isOfGroup = (one: { group: string }) => one.group === group;
  const limit = group === failureGroup ? failuresPerDay : othersPerDay;
  /** What the group may still send, without what is kept back for the ends of its announced incidents. */
  const room = limit - sent.filter(isOfGroup).length - open.filter(isOfGroup).length;
  const announced = open.filter((one) => one.incident === incident || replaces.includes(one.incident));
  const isFirstPage = severity === "page" && announced.every((one) => one.severity !== "page");
  const isWorse = isFirstPage || (isWide && announced.every((one) => !one.isWide));

  const fits = (): boolean => {
    switch (event) {
      case "notice":
        return own.length === 0 && room >= (severity === "page" ? 1 : roomForOpening + 1);
      case "resolved": {
        const stayOpen = open.filter((one) => isOfGroup(one) && !announced.includes(one));
        // An end uses the message that was kept back for it, and frees those of the other incidents that end with it.
        return stayOpen.length > 0 || room + announced.length - 1 >= roomForOpening;
      }
      case "reminder":
        return own.every((one) => one.event !== "reminder") && room > roomForOpening;
      case "opened":
      case "changed": {
        if (announced.length > 0 && isWorse) return room >= 1;
        const changes = own.filter((one) => one.event === "changed").length;
        // Another cause of a failure is news until the end; its incident stays open, so nothing has to be opened anew.
        const kept = group === failureGroup ? 0 : roomForOpening;
        if (announced.length > 0) return changes < changesPerDay && room > kept;
        const openings = sent.filter((one) => one.event === "opened" && one.rule === rule);
        const recent = openings.filter(({ atMs }) => nowMs - atMs < hourMs);
        return room >= roomForOpening && recent.length < openingsPerHour;
      }
    }
  };

  // What a summary announced ends in a summary. A page has a message of its own, whatever a summary said before.
  const isOfSummary =
    announced.length === 0 && told.some((one) => one.incident === incident && one.isInSummary);
  if (isOfSummary && (event === "resolved" || !isFirstPage)) return "summary";
  if (!fits()) return "hold";
  const isEndOfPage = event === "resolved" && announced.some((one) => one.severity === "page");
  const isPageBoundary = isFirstPage || isEndOfPage || (severity === "page" && event === "opened");
  if (isPageBoundary || sent.length < singlesPerDay) return "send";
  return event === "notice" || event === "reminder" ? "hold" : "summary";
}

/** A summary waits for what comes soon after its first line. At most one in 24 hours. */
export function isSummaryDue({
  firstWaitingMs,
  lastSummaryMs = Number.NEGATIVE_INFINITY,
  nowMs,
}: {
  firstWaitingMs: number | undefined;
  lastSummaryMs: number | undefined;
  nowMs: number;
}): boolean {
  const hasWaited = firstWaitingMs !== undefined && nowMs - firstWaitingMs >= hourMs;
  return hasWaited && nowMs - lastSummaryMs >= limitedMs;
}
