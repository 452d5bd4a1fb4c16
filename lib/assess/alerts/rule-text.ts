// What a rule's text consists of, and words that several rules share.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Facts } from "../../records/incident.ts";

export type RuleText = {
  /** ASCII, and short enough for a subject. */
  title(facts: Facts): string;
  /** Whole sentences; every number and instant is one of the facts. `at` is the instant of the alert. */
  facts(facts: Facts, at: string): string[];
  impact(facts: Facts): string;
  steps: readonly string[];
};

export const whereText = (endpoints: readonly EndpointId[]) =>
  endpoints.length === 0 || endpoints.length === endpointIds.length
    ? `all ${endpointIds.length} endpoints`
    : endpoints.join(", ");
export const where = ({ endpoints }: Facts) => whereText(endpoints);

export const zeros = "Consumers that turn a failed call into 0 or [] show wrong values.";
export const curlFirst = "Run the command below and compare.";
export const outlook = "`v1watch outlook` shows what is known about V1's retirement.";
