// Checks that are assessed late, such as those of hours in which the assessment was broken, may show an incident from its
// beginning to its end. Its RESOLVED says everything in the past tense, so it is the only message.
import { type Alert, incidentOf, isOfIncident, numberOf } from "../../records/alert.ts";

const sentence = "This is its only alert: v1watch assessed these checks after it had ended.";

/**
 * `alerts`: of checks that are assessed together. `announced`: of the incidents that people know. What began in these checks and
 * was replaced in them has no message: the incident that took its place says so.
 */
export function tellEndedOnce(alerts: readonly Alert[], announced: readonly Alert[]): Alert[] {
  const known = new Set(announced.map(incidentOf));
  const begun = new Set(
    alerts.filter((alert) => isOfIncident(alert) && numberOf(alert) === 1).map(incidentOf),
  );
  const isUnknown = (incidentId: string) => begun.has(incidentId) && !known.has(incidentId);
  const ended = new Set(alerts.filter(({ event }) => event === "resolved").map(incidentOf));
  const replaced = new Set(alerts.flatMap(({ supersedes = [] }) => supersedes));
  return alerts.flatMap((alert) => {
    const incidentId = incidentOf(alert);
    if (!isUnknown(incidentId)) return [alert];
    if (replaced.has(incidentId)) return [];
    if (!ended.has(incidentId)) return [alert];
    return alert.event === "resolved" ? [withSentence(alert)] : [];
  });
}

function withSentence(alert: Alert): Alert {
  const [first, ...others] = alert.sections;
  const lines = [...(first?.lines ?? []), sentence];
  return { ...alert, sections: [{ label: first?.label ?? "", lines }, ...others] };
}

/** An incident that is open and told, as its alert says it now. */
type Firing = { id: string; render(number: number): Alert };

/** What people know. */
type Told = {
  announced: readonly Alert[];
  /** As in `Outbox`. */
  lastEnd(incidentId: string): Promise<number>;
  /** Nothing is stored that is later than what is firing: by a clock that was set back it would be what was known then. */
  isLatest(): Promise<boolean>;
};

/**
 * Checks that come late, or that a wrong clock has dated, may change what was told. What people think to be over and is not is told
 * again, and an end of what they think to be open has a number of its own: with that of an end before it, it would not be sent.
 */
export async function tellAgain(
  alerts: readonly Alert[],
  firing: readonly Firing[],
  { announced, lastEnd, isLatest }: Told,
): Promise<Alert[]> {
  const latest = new Map(announced.map((alert) => [incidentOf(alert), numberOf(alert)]));
  const again = new Map<string, Alert>();
  for (const { id, render } of firing) {
    const end = latest.has(id) ? 0 : await lastEnd(id);
    if (end > 0 && (await isLatest())) again.set(id, render(end + 1));
  }
  const numbered = alerts.map(async (alert) => {
    const incidentId = incidentOf(alert);
    const number = latest.get(incidentId);
    if (again.has(incidentId)) return [];
    if (alert.event !== "resolved") return [alert];
    const end = await lastEnd(incidentId);
    const isAwaited = number !== undefined || alert.supersedes?.some((id) => latest.has(id));
    if (end > 0 && !isAwaited) return [];
    const least = Math.max(number ?? 0, end) + 1;
    return [least > numberOf(alert) ? { ...alert, id: `${incidentId}/${least}-resolved` } : alert];
  });
  return [...(await Promise.all(numbered)).flat(), ...again.values()];
}
