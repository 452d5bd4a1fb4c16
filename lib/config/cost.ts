// What a configuration costs: requests in a month of 30 days, and whether the budget bears them.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { type Variant, variants } from "../records/observation.ts";
import type { Mistake } from "./mistakes.ts";
import type { Config } from "./schema.ts";
import { durationMs } from "./values.ts";

const monthMs = 30 * 86_400_000;

/** The part of the budget that is kept for confirming suspicions. */
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

export type Request = { endpoint: EndpointId; variant: Variant };

/** The rare requests that are on, in their order of rotation; without a key, authenticated is anonymous already. */
export function rareRequests(config: Config): Request[] {
  return variants
    .filter(
      (name) =>
        name !== "authenticated" && config.variants[name] && !(name === "anonymous" && config.key === "none"),
    )
    .flatMap((name) => variantEndpoints[name].map((endpoint) => ({ endpoint, variant: name })));
}

/** A sample that is `auto` is taken from the list's answer in the same tick. */
export function needsList(request: Request, config: Config): boolean {
  if (request.endpoint === "passport-list" || request.variant === "unknown-id") return false;
  return (request.variant === "by-wallet" ? config.samples.wallets : config.samples.passports) === "auto";
}

/** `apart`: every endpoint has its own function, which has to ask for the list itself to find a sample. */
export type Setting = { perEndpointFunctions?: boolean };

/** Requests of one calm tick over all endpoints, rare ones aside. */
export function tickCost(config: Config, { perEndpointFunctions = false }: Setting = {}): number {
  const lookups = endpointIds.filter((endpoint) => needsList({ endpoint, variant: "authenticated" }, config));
  return endpointIds.length + (perEndpointFunctions ? lookups.length : 0);
}

export function confirmationReserve(config: Config): number {
  return Math.floor(config.budget.monthlyRequests * confirmationShare);
}

export type MonthlyRequests = {
  rows: { variant: Variant; endpoints: EndpointId[]; every: string; requests: number }[];
  /** Requests for the list that only find a sample. */
  lookups: number;
  confirmations: number;
  total: number;
  budget: number;
};

export function requestsPerMonth(config: Config, setting: Setting = {}): MonthlyRequests {
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
  // A rare request rides on a calm tick, so it needs its own look at the list only if that tick had none.
  const rareLookups = setting.perEndpointFunctions
    ? rare.filter(
        (request) =>
          needsList(request, config) && !needsList({ ...request, variant: "authenticated" }, config),
      ).length
    : 0;
  const lookups = calmTicks * (tickCost(config, setting) - endpointIds.length) + rareTicks * rareLookups;
  const confirmations = confirmationReserve(config);
  const total = rows.reduce((sum, { requests }) => sum + requests, lookups + confirmations);
  return { rows, lookups, confirmations, total, budget: config.budget.monthlyRequests };
}

const ladder = [
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

const automatic = ({ samples }: Config) =>
  (["passports", "wallets"] as const)
    .filter((name) => samples[name] === "auto")
    .map((name) => `samples.${name}`)
    .join(" and ");

/** The mistake of a cadence that the budget cannot bear, with the cadence that it can. */
export function checkBudget(config: Config, setting: Setting = {}): Mistake | undefined {
  const month = requestsPerMonth(config, setting);
  if (month.total <= month.budget) return undefined;
  const costAt = (calm: string) =>
    requestsPerMonth({ ...config, cadence: { ...config.cadence, calm } }, setting);
  const base = ({ rows, lookups }: MonthlyRequests) => (rows[0]?.requests ?? 0) + lookups;
  const fitting = ladder.find(
    (calm) => durationMs(calm) <= durationMs(config.cadence.rare) && costAt(calm).total <= month.budget,
  );
  const enough = Math.ceil((month.total - month.confirmations) / (1 - confirmationShare));
  const found = month.lookups > 0 ? ` (${digits(month.lookups)} of them only to find samples)` : "";
  const all =
    base(month) <= month.budget
      ? `, ${digits(month.total)} with the rare variants and a reserve for confirmations`
      : "";
  return {
    path: "cadence.calm",
    problem: `"${config.cadence.calm}" needs ${digits(base(month))} requests a month${found}${all}, the budget is ${digits(month.budget)}.`,
    remedy: [
      fitting ? `Use "${fitting}" (${digits(base(costAt(fitting)))})` : `No cadence fits: use fewer variants`,
      month.lookups > 0 ? `, name ${automatic(config)}` : "",
      `, or raise budget.monthlyRequests${fitting ? "" : ` to ${digits(enough)}`}.`,
    ].join(""),
  };
}
