// The log of checks as an auditor reads it: what each check shows of V1, and nothing of the rules.
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { classify, type ResponseClass } from "../../lib/records/outcome.ts";

export type Check = Observation & {
  quality: "good" | "bad" | "none";
  class: ResponseClass;
};

/** In order of time. A sample that is not found while another one of the same tick is served says nothing. */
export function readLog(observations: readonly Observation[]): Check[] {
  const sorted = observations.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1));
  const opinions = new Map(
    sorted.filter(({ reason }) => reason === "second-opinion").map((one) => [one.id, one.outcome.kind]),
  );
  const served = new Map<EndpointId, Set<string>>(endpointIds.map((endpoint) => [endpoint, new Set()]));
  return sorted.map((one) => {
    const known = served.get(one.endpoint)!;
    const isOwnSample =
      (one.outcome.status === 404 && opinions.get(`${one.id}/second-opinion`) === "ok") ||
      (classify(one) === "stub" && one.sample !== undefined && !known.has(one.sample));
    const name = isOwnSample ? "none" : classify(one);
    const quality = name === "none" ? "none" : name === "ok" ? "good" : "bad";
    if (quality === "good" && one.isPrimary && one.sample) known.add(one.sample);
    return { ...one, quality, class: name };
  });
}

export const isNotice = ({ notices: { deprecation, links = [], warning, message } }: Check) =>
  deprecation !== undefined ||
  links.some((rel) => rel !== "latest-version") ||
  warning === 299 ||
  message === true;
