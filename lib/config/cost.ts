// Counts the requests of a configuration in a month of 30 days and compares them with the budget.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { type Variant, variants } from "../records/observation.ts";
import type { Mistake } from "./mistakes.ts";
import type { Config } from "./schema.ts";
import { durationMs } from "./values.ts";

const monthMs = 30 * 86_400_000;

/** The share of the budget that is reserved for confirming failed checks. */
const confirmationShare = 0.05;

export const variantEndpoints: Record<Variant, readonly EndpointId[]> = {
  authenticated: endpointIds,
  anonymous: endpointIds,
  "by-wallet": ["passport", "passport-credentials"],
  "unknown-id": ["passport"],
  keyword: ["passport-list"],
  "second-page": ["passport-list"],
  "bad-key": ["passport-list"],
};

export type ProbeRequest = { endpoint: EndpointId; variant: Variant };

/**
 * The enabled rare requests in their order of rotation. Without a key the regular request is already
 * anonymous, so the anonymous variant is left out.
 */
export function rareRequests(config: Config): ProbeRequest[] {
  return variants
    .filter(
      (name) =>
        name !== "authenticated" && config.variants[name] && !(name === "anonymous" && config.key === "none"),
    )
    .flatMap((name) => variantEndpoints[name].map((endpoint) => ({ endpoint, variant: name })));
}

/** Whether the request needs the list's response of the same tick, because its sample is `auto`. */
export function needsList(request: ProbeRequest, config: Config): boolean {
  if (request.endpoint === "passport-list" || request.variant === "unknown-id") return false;
  return (request.variant === "by-wallet" ? config.samples.wallets : config.samples.passports) === "auto";
}

/**
 * `perEndpointFunctions`: every endpoint has its own Lambda function, which has to request the list itself to
 * find a sample.
 */
export type CostOptions = { perEndpointFunctions?: boolean };

/** The requests of one tick at the calm cadence over all endpoints, excluding rare ones. */
export function tickCost(config: Config, { perEndpointFunctions = false }: CostOptions = {}): number {
  const lookups = endpointIds.filter((endpoint) => needsList({ endpoint, variant: "authenticated" }, config));
  return endpointIds.length + (perEndpointFunctions ? lookups.length : 0);
}

export function confirmationReserve(config: Config): number {
  return Math.floor(config.budget.monthlyRequests * confirmationShare);
}

export type MonthlyRequests = {
  rows: { variant: Variant; endpoints: EndpointId[]; every: string; requests: number }[];
  /** Requests for the list that are sent only to find a sample. */
  lookups: number;
  confirmations: number;
  total: number;
  budget: number;
};

export function requestsPerMonth(config: Config, options: CostOptions = {}): MonthlyRequests {
  const calmTicks = Math.ceil(monthMs / durationMs(config.cadence.calm));
  const rareTicks = Math.ceil(monthMs / durationMs(config.cadence.rare));
  const rare = rareRequests(config);
  const rows = variants
    .map((name) => {
      const endpoints =
        name === "authenticated"
          ? [...endpointIds]
          : rare.filter((request) => request.variant === name).map(({ endpoint }) => endpoint);
      const every = name === "authenticated" ? config.cadence.calm : config.cadence.rare;
      return {
        variant: name,
        endpoints,
        every,
        requests: endpoints.length * (name === "authenticated" ? calmTicks : rareTicks),
      };
    })
    .filter(({ endpoints }) => endpoints.length > 0);
  // A rare request is sent in a regular tick, so it needs its own list request only if that tick had none.
  const rareLookups = options.perEndpointFunctions
    ? rare.filter(
        (request) =>
          needsList(request, config) && !needsList({ ...request, variant: "authenticated" }, config),
      ).length
    : 0;
  const lookups = calmTicks * (tickCost(config, options) - endpointIds.length) + rareTicks * rareLookups;
  const confirmations = confirmationReserve(config);
  const total = rows.reduce((sum, { requests }) => sum + requests, lookups + confirmations);
  return { rows, lookups, confirmations, total, budget: config.budget.monthlyRequests };
}

/** The cadences that a remedy may suggest, shortest first. */
const suggestedCadences = [
  "1m",
  "2m",
  "3m",
  "5m",
  "10m",
  "15m",
  "20m",
  "30m",
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

const digits = (number: number) => number.toLocaleString("en");

const autoSamples = ({ samples }: Config) =>
  (["passports", "wallets"] as const)
    .filter((name) => samples[name] === "auto")
    .map((name) => `samples.${name}`)
    .join(" and ");

/** Returns the mistake of a cadence that exceeds the budget, with a cadence that fits as the remedy. */
export function checkBudget(config: Config, options: CostOptions = {}): Mistake | undefined {
  const month = requestsPerMonth(config, options);
  if (month.total <= month.budget) return undefined;
  const costAt = (calm: string) =>
    requestsPerMonth({ ...config, cadence: { ...config.cadence, calm } }, options);
  const base = ({ rows, lookups }: MonthlyRequests) => (rows[0]?.requests ?? 0) + lookups;
  const fitting = suggestedCadences.find(
    (calm) => durationMs(calm) <= durationMs(config.cadence.rare) && costAt(calm).total <= month.budget,
  );
  const sufficientBudget = Math.ceil((month.total - month.confirmations) / (1 - confirmationShare));
  const lookupsText = month.lookups > 0 ? ` (${digits(month.lookups)} of them only to find samples)` : "";
  const totalText =
    base(month) <= month.budget
      ? `, ${digits(month.total)} with the rare variants and a reserve for confirmations`
      : "";
  return {
    path: "cadence.calm",
    problem: `"${config.cadence.calm}" needs ${digits(base(month))} requests a month${lookupsText}${totalText}, the budget is ${digits(month.budget)}.`,
    remedy: [
      fitting ? `Use "${fitting}" (${digits(base(costAt(fitting)))})` : `No cadence fits: use fewer variants`,
      month.lookups > 0 ? `, name ${autoSamples(config)}` : "",
      `, or raise budget.monthlyRequests${fitting ? "" : ` to ${digits(sufficientBudget)}`}.`,
    ].join(""),
  };
}
