// What a configuration costs: the requests in the longest month, and whether the budget bears them.

import { type EndpointId, endpointIds, endpoints } from "../contract/endpoints.ts";
import { type Variant, variants } from "../records/observation.ts";
import { formatCount } from "../text.ts";
import { dayMs } from "../time.ts";
import { durationMs } from "./durations.ts";
import type { Mistake } from "./mistakes.ts";
import type { OfflineConfig } from "./schema.ts";

/** The longest month, so that no month exceeds the budget. */
const monthMs = 31 * dayMs;

/** An outage takes about 12 requests to confirm and to see end: this is enough for 80 of them. */
const reserve = { requests: 1_000, share: 0.2 } as const;

/** The endpoints that are requested in a variant. */
export const variantEndpoints = Object.fromEntries(
  variants.map((variant) => [
    variant,
    endpointIds.filter(
      (endpoint) =>
        variant === "authenticated" ||
        variant === "anonymous" ||
        endpoints[endpoint].rareVariants.includes(variant),
    ),
  ]),
) as Record<Variant, EndpointId[]>;

export type Request = { endpoint: EndpointId; variant: Variant };

/** The rare requests that are on, in their order of rotation; without a key, every check is anonymous already. */
export function rareRequests(config: OfflineConfig): Request[] {
  return variants
    .filter(
      (name) =>
        name !== "authenticated" && config.variants[name] && !(name === "anonymous" && config.key === "none"),
    )
    .flatMap((name) => variantEndpoints[name].map((endpoint) => ({ endpoint, variant: name })));
}

/** Requests that are kept for confirmation and recovery, in a whole month. */
export function confirmationReserve({ budget }: OfflineConfig): number {
  return Math.min(reserve.requests, Math.floor(budget.monthlyRequests * reserve.share));
}

export type MonthlyRequests = {
  rows: { variant: Variant; endpoints: EndpointId[]; every: string; requests: number }[];
  confirmations: number;
  total: number;
  budget: number;
};

export function requestsPerMonth(config: OfflineConfig): MonthlyRequests {
  const rare = rareRequests(config);
  const rows = variants
    .map((name) => {
      const isPrimary = name === "authenticated";
      const endpoints = isPrimary
        ? [...endpointIds]
        : rare.filter((request) => request.variant === name).map(({ endpoint }) => endpoint);
      const every = isPrimary ? config.cadence.calm : config.cadence.rare;
      const requests = endpoints.length * Math.ceil(monthMs / durationMs(every));
      return { variant: name, endpoints, every, requests };
    })
    .filter(({ endpoints }) => endpoints.length > 0);
  const confirmations = confirmationReserve(config);
  const total = rows.reduce((sum, { requests }) => sum + requests, confirmations);
  return { rows, confirmations, total, budget: config.budget.monthlyRequests };
}

// Cadences whose slots are whole minutes for three endpoints come first in mind, so they are offered.
const ladder = [
  "10s",
  "20s",
  "30s",
  "1m",
  "2m",
  "3m",
  "6m",
  "9m",
  "12m",
  "15m",
  "18m",
  "24m",
  "30m",
  "36m",
  "45m",
  "1h",
  "90m",
  "2h",
  "3h",
  "4h",
  "6h",
  "8h",
  "12h",
  "1d",
];

/** The mistake of a cadence that the budget cannot bear, with the cadence that it can. */
export function checkBudget(config: OfflineConfig): Mistake | undefined {
  const month = requestsPerMonth(config);
  if (month.total <= month.budget) return undefined;
  const costAt = (calm: string) => requestsPerMonth({ ...config, cadence: { ...config.cadence, calm } });
  const scheduled = ({ rows }: MonthlyRequests) => rows[0]?.requests ?? 0;
  const fitting = ladder.find(
    (calm) =>
      durationMs(calm) <= durationMs(config.cadence.rare) &&
      durationMs(calm) >= durationMs(config.cadence.confirm) &&
      costAt(calm).total <= month.budget,
  );
  const requests = month.total - month.confirmations;
  const enough = Math.min(requests + reserve.requests, Math.ceil(requests / (1 - reserve.share)));
  const all =
    scheduled(month) <= month.budget
      ? `, ${formatCount(month.total)} with the rare variants and the reserve for confirmation`
      : "";
  return {
    path: "cadence.calm",
    problem: `"${config.cadence.calm}" needs ${formatCount(scheduled(month))} requests a month${all}, the budget is ${formatCount(month.budget)}.`,
    remedy: [
      fitting
        ? `Use "${fitting}" (${formatCount(scheduled(costAt(fitting)))})`
        : "No cadence fits: use fewer variants",
      `, or raise budget.monthlyRequests${fitting ? "" : ` to ${formatCount(enough)}`}.`,
    ].join(""),
  };
}
