// What a configuration costs: the requests in the longest month, and whether the budget bears them.

import { type EndpointId, endpointIds, endpoints } from "../contract/endpoints.ts";
import { type Variant, variants } from "../records/observation.ts";
import { formatCount } from "../text.ts";
import { dayMs, minuteMs, secondMs } from "../time.ts";
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

/** The shortest cadence that the budget can bear; undefined where none can. */
function findFittingCadence({ cadence }: OfflineConfig, { rows, total, budget }: MonthlyRequests) {
  const others = total - (rows[0]?.requests ?? 0);
  const checks = Math.max(0, Math.floor((budget - others) / endpointIds.length));
  const leastMs = Math.max(monthMs / checks, durationMs(cadence.confirm));
  const calm = leastMs < minuteMs ? `${Math.ceil(leastMs / secondMs)}s` : `${Math.ceil(leastMs / minuteMs)}m`;
  return durationMs(calm) <= durationMs(cadence.rare) ? calm : undefined;
}

/** The mistake of a cadence that the budget cannot bear, with the cadence that it can. */
export function checkBudget(config: OfflineConfig): Mistake | undefined {
  const month = requestsPerMonth(config);
  if (month.total <= month.budget) return undefined;
  const costAt = (calm: string) => requestsPerMonth({ ...config, cadence: { ...config.cadence, calm } });
  const scheduled = ({ rows }: MonthlyRequests) => rows[0]?.requests ?? 0;
  const fitting = findFittingCadence(config, month);
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
