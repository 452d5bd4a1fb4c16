// What a configuration costs: requests in the longest month, whether the budget bears them, and the prices of AWS.

import { type EndpointId, endpointIds, endpoints } from "../contract/endpoints.ts";
import { type Variant, variants } from "../records/observation.ts";
import { formatCount } from "../text.ts";
import { dayMs } from "../time.ts";
import type { Mistake } from "./mistakes.ts";
import type { Config } from "./schema.ts";
import { durationMs } from "./values.ts";

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
export function rareRequests(config: Config): Request[] {
  return variants
    .filter(
      (name) =>
        name !== "authenticated" && config.variants[name] && !(name === "anonymous" && config.key === "none"),
    )
    .flatMap((name) => variantEndpoints[name].map((endpoint) => ({ endpoint, variant: name })));
}

/** Requests that are kept for confirmation and recovery, in a whole month. */
export function confirmationReserve({ budget }: Config): number {
  return Math.min(reserve.requests, Math.floor(budget.monthlyRequests * reserve.share));
}

export type MonthlyRequests = {
  rows: { variant: Variant; endpoints: EndpointId[]; every: string; requests: number }[];
  confirmations: number;
  total: number;
  budget: number;
};

export function requestsPerMonth(config: Config): MonthlyRequests {
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
export function checkBudget(config: Config): Mistake | undefined {
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

// AWS's list prices in us-east-1, the only place where they are written; the date is when they were written down.
export const pricesDate = "2026-11-15";

/** US dollars: for one unit, and how many units a month the always-free tier gives to an account. */
export const prices = {
  metric: { usd: 0.3, free: 10 },
  /** An alarm on an expression is billed for every metric in it. */
  alarmMetric: { usd: 0.1, free: 10 },
  compositeAlarm: { usd: 0.5, free: 0 },
  /** Left out of the estimate: printed beside it, because an account's first three cost nothing. */
  dashboard: { usd: 3, free: 3 },
  putMetricData: { usd: 0.01 / 1_000, free: 1_000_000 },
  logGb: { usd: 0.53, free: 5 },
  lambdaRequest: { usd: 0.2 / 1_000_000, free: 1_000_000 },
  lambdaArmGbSecond: { usd: 0.0000133334, free: 400_000 },
  lambdaX86GbSecond: { usd: 0.0000166667, free: 400_000 },
  schedule: { usd: 1 / 1_000_000, free: 14_000_000 },
  tableWrite: { usd: 0.625 / 1_000_000, free: 0 },
  tableRead: { usd: 0.125 / 1_000_000, free: 0 },
  tableGb: { usd: 0.25, free: 25 },
  tableBackupGb: { usd: 0.2, free: 0 },
  key: { usd: 1, free: 0 },
  keyRequest: { usd: 0.03 / 10_000, free: 20_000 },
  secret: { usd: 0.4, free: 0 },
  email: { usd: 2 / 100_000, free: 1_000 },
  queueRequest: { usd: 0.4 / 1_000_000, free: 1_000_000 },
  stateTransition: { usd: 0.025 / 1_000, free: 4_000 },
  objectWrite: { usd: 0.005 / 1_000, free: 0 },
  objectRead: { usd: 0.0004 / 1_000, free: 0 },
  canaryRun: { usd: 0.0012, free: 100 },
} as const;

export type Priced = keyof typeof prices;
export type Counts = Partial<Record<Priced, number>>;
export type CostLine = { line: string; usd: number; freeTierUsd: number };

export function price(line: string, counts: Counts): CostLine {
  const rows = Object.entries(counts).map(([name, count]) => ({ ...prices[name as Priced], count }));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    line,
    usd: sum(rows.map(({ usd, count }) => usd * count)),
    freeTierUsd: sum(rows.map(({ usd, count, free }) => usd * Math.max(0, count - free))),
  };
}
