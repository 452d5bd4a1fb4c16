// The date of V1's end: what a person configured, and what V1 announces, endpoint by endpoint.
import type { EndpointId } from "../contract/endpoints.ts";
import type { Facts, Incident } from "../records/incident.ts";
import { dayMs, dayText } from "../time.ts";

/** A day such as 2026-12-31 has passed when it is over. */
export const endOfDayMs = (date: string) => Date.parse(date) + dayMs - 1_000;

/** A day, the earliest instant of it, and the endpoints that have it. */
export type SharedDate = { day: string; date: string; endpoints: EndpointId[] };

/** Endpoints whose dates are of one day are together; the earliest day first. */
export function groupDates(dates: Partial<Record<EndpointId, string>> = {}): SharedDate[] {
  const groups = new Map<string, SharedDate>();
  const sorted = Object.entries(dates).sort(([, a], [, b]) => (a < b ? -1 : 1));
  for (const [endpoint, date] of sorted) {
    const day = dayText(Date.parse(date));
    const group = groups.get(day) ?? { day, date, endpoints: [] };
    group.endpoints.push(endpoint as EndpointId);
    groups.set(day, group);
  }
  return [...groups.values()];
}

/** What V1's Sunset headers announce, with the incident that people know it from. */
export type AnnouncedDate = SharedDate & { dateMs: number; incident: Incident };

/** Of all firing incidents: endpoints that announce their ends weeks apart have one each. The earliest first. */
export function announcedDates(incidents: readonly Incident[]): AnnouncedDate[] {
  const firing = incidents.filter(({ state, facts }) => state === "firing" && facts.source === "sunset");
  const dates = Object.assign({}, ...firing.map(({ facts }) => facts.dates)) as Facts["dates"];
  return groupDates(dates).map((group) => ({
    ...group,
    dateMs: Date.parse(group.date),
    incident: firing.find(({ facts }) => group.endpoints.some((endpoint) => facts.dates?.[endpoint]))!,
  }));
}

export type RetirementDate = { dateMs: number; source: "configured" | "sunset" };

/** What a person configured, else what V1 announces: also once the configured day is over and V1 names a later one. */
export function chooseRetirementDate(
  configured: string | undefined,
  announcedMs: number | undefined,
  nowMs: number,
): RetirementDate | undefined {
  const configuredMs = configured === undefined ? undefined : endOfDayMs(configured);
  const isOutdated =
    configuredMs !== undefined && configuredMs <= nowMs && announcedMs !== undefined && announcedMs > nowMs;
  if (configuredMs !== undefined && !isOutdated) return { dateMs: configuredMs, source: "configured" };
  return announcedMs === undefined ? undefined : { dateMs: announcedMs, source: "sunset" };
}
