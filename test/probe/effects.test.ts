// Applies every effect of the simulator and probes V1 over HTTP. The observations of all three endpoints must
// show the effect and no other difference.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Config } from "../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { probe } from "../../lib/probe/probe.ts";
import {
  type Finding,
  type Notices,
  type Observation,
  type Outcome,
  observation,
  type Staleness,
  type Variant,
} from "../../lib/records/observation.ts";
import {
  type Effect,
  type EffectKind,
  effectKinds,
  sampleEffect,
} from "../../lib/simulator/effects/index.ts";
import { days } from "../../lib/simulator/population.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { configure } from "../config/configure.ts";

const start = Date.UTC(2026, 10, 14, 12);
const clock = { time: start, now: () => clock.time };
let simulator: Simulator;
let config: Config;

beforeAll(async () => {
  simulator = await startSimulator({ passports: 200, seed: 1, clock });
  const { population } = simulator;
  const first = population.ranked()[0]!;
  expect(population.passport(first, { now: start }).passport_socials.length).toBeGreaterThan(1);
  expect(population.credentials(first, { now: start }).length).toBeGreaterThan(3);
  config = configure({
    baseUrl: simulator.url,
    samples: { ids: [population.idOf(first)] },
    timeouts: { deadlineMs: 1_000 },
  });
});
afterAll(() => simulator.close());

type View = {
  outcome: Outcome;
  attempts: number;
  findings: string[];
  notices: Notices;
  staleness: Staleness | null;
};
type Views = Partial<Record<string, View>>;

/** `9 of 25 <id>`, because the id alone does not show how many records are affected. */
const show = ({ id, count, of }: Finding) => `${count} of ${of} ${id}`;

const viewOf = ({ outcome, attempts, findings, notices, staleness }: Observation): View => ({
  outcome,
  attempts: attempts.length,
  findings: findings.map(show),
  notices,
  staleness,
});

async function probeAll(extra: readonly Variant[]): Promise<Views> {
  const authenticated = endpointIds.map((endpoint) => ({
    endpoint,
    variant: "authenticated" as Variant,
    attempts: 2 as const,
    reason: "scheduled" as const,
  }));
  const others = extra.map((variant) => ({
    endpoint: "passport-list" as EndpointId,
    variant,
    attempts: 2 as const,
    reason: "scheduled" as const,
  }));
  const { observations } = await probe({
    tickMs: clock.time,
    config,
    plan: { requests: [...authenticated, ...others] },
    key: { kind: "key", key: "sentinel-key-3f2a" },
    nowMs: clock.now,
    allowLoopback: true,
  });
  expect(observations.length).toBe(3 + extra.length);
  for (const one of observations) expect(observation.safeParse(one).error).toBeUndefined();
  return Object.fromEntries(
    observations.map((one) => [
      one.variant === "authenticated" ? one.endpoint : `${one.endpoint} ${one.variant}`,
      viewOf(one),
    ]),
  );
}

type Row = {
  /** Default: the sample effect of the effect table. */
  effect?: Effect;
  /** Sent in addition to the three authenticated requests. */
  variants?: Variant[];
  /** The time between the start of the effect and the requests. */
  afterMs?: number;
  /** The differences from the healthy observations by endpoint. Everything else must be equal. */
  shows: Record<string, Partial<View>>;
};

const everywhere = (view: Partial<View>) =>
  Object.fromEntries(endpointIds.map((endpoint) => [endpoint, view])) as Record<EndpointId, Partial<View>>;
const failing = (
  kind: Outcome["kind"],
  more: Partial<Outcome> = {},
  notices: Notices = {},
): Partial<View> => ({
  outcome: { kind, ...more },
  staleness: null,
  notices,
});
const status = (code: number, notices: Notices = {}): Row => ({
  effect: {
    kind: "status",
    status: code,
    ...(notices.retryAfterSeconds && { retryAfterSeconds: notices.retryAfterSeconds }),
  },
  shows: everywhere(failing("status", { status: code }, notices)),
});
const unauthorized = failing("unauthorized", { status: 401 });
const noRecords = {
  records: 0,
  dated: 0,
  missing: 0,
  null: 0,
  future: 0,
  unparsable: 0,
  calculating: 0,
  muted: false,
  skewSeconds: 0,
};
const stale = (more: Partial<Staleness>) => expect.objectContaining(more) as unknown as Staleness;
const usage = { current: 5000, limit: 5000, exhausted: true };
const later = new Date(start + 47 * days).toISOString();
const now = new Date(start).toISOString();

const rows: Record<EffectKind, Row[]> = {
  "drop-field": [
    {
      shows: {
        "passport-list": { findings: ["25 of 25 passport-list passports[].connections_count missing"] },
      },
    },
    {
      effect: { kind: "drop-field", path: "pagination" },
      shows: {
        "passport-list": {
          findings: ["1 of 1 passport-list pagination missing"],
          staleness: expect.not.objectContaining({ total: expect.anything() }) as unknown as Staleness,
        },
      },
    },
  ],
  "add-field": [
    {
      shows: {
        "passport-list": { findings: ["25 of 25 passport-list passports[].created_at extra string"] },
      },
    },
  ],
  "rename-field": [
    {
      shows: {
        "passport-list": {
          findings: [
            "25 of 25 passport-list passports[].main_wallet missing",
            "25 of 25 passport-list passports[].main_wallet_address extra string",
          ],
        },
      },
    },
  ],
  "retype-field": [
    {
      shows: { "passport-list": { findings: ["25 of 25 passport-list passports[].score retyped string"] } },
    },
    {
      effect: { kind: "retype-field", path: "passport.passport_profile", to: "array" },
      shows: { passport: { findings: ["1 of 1 passport passport.passport_profile retyped array"] } },
    },
  ],
  "null-field": [
    {
      shows: {
        "passport-list": { findings: ["25 of 25 passport-list passports[].passport_profile.bio null"] },
      },
    },
  ],
  "stick-calculating": [
    {
      shows: {
        "passport-list": { staleness: stale({ calculating: 25 }) },
        passport: { staleness: stale({ calculating: 1 }) },
      },
    },
  ],
  freeze: [
    {
      afterMs: 5 * days,
      shows: everywhere({
        staleness: stale({ ages: expect.toSatisfy(({ newest }) => newest >= 5 * 86_400) as never }),
      }),
    },
  ],
  "keyword-ignored": [
    {
      variants: ["keyword"],
      shows: {
        "passport-list keyword": {
          findings: [
            expect.stringMatching(
              /^\d+ of 25 passport-list passports\[\]\.passport_profile\.display_name filter$/,
            ),
          ],
          staleness: stale({ total: 200 }),
        },
      },
    },
  ],
  "stub-data": [
    { shows: everywhere({ notices: { body: "stub-data" } }) },
    {
      effect: { kind: "stub-data", form: "empty" },
      shows: {
        "passport-list": { notices: { body: "empty" }, staleness: { ...noRecords, total: 0 } },
        passport: { notices: { body: "stub-data" } },
        "passport-credentials": { notices: { body: "empty" }, staleness: noRecords },
      },
    },
  ],
  "v2-shaped": [
    {
      shows: {
        "passport-list": {
          findings: [
            "1 of 1 passport-list passports envelope missing",
            "1 of 1 passport-list profiles extra array",
          ],
          notices: { body: "v2-shaped" },
          staleness: { ...noRecords, total: 200 },
        },
        passport: {
          findings: ["1 of 1 passport passport envelope missing", "1 of 1 passport profile extra object"],
          notices: { body: "v2-shaped" },
          staleness: noRecords,
        },
        "passport-credentials": {
          findings: [
            "1 of 1 passport-credentials passport_credentials envelope missing",
            "1 of 1 passport-credentials credentials extra array",
          ],
          notices: { body: "v2-shaped" },
          staleness: noRecords,
        },
      },
    },
  ],
  "data-shrinking": [
    {
      shows: {
        "passport-list": { staleness: stale({ records: 3, total: 3 }) },
        "passport-credentials": { staleness: stale({ records: 3 }) },
      },
    },
  ],
  unsorted: [
    {
      shows: {
        "passport-list": {
          findings: [expect.stringMatching(/^\d+ of 24 passport-list passports\[\]\.score order$/)],
        },
      },
    },
  ],
  markup: [{ shows: everywhere({ notices: { warning: 299 } }) }],
  unauthorized: [
    {
      variants: ["anonymous"],
      shows: { ...everywhere(unauthorized), "passport-list anonymous": unauthorized },
    },
    {
      effect: { kind: "unauthorized", who: "authenticated" },
      variants: ["anonymous"],
      shows: everywhere(unauthorized),
    },
    {
      effect: { kind: "unauthorized", who: "anonymous" },
      variants: ["anonymous"],
      shows: { "passport-list anonymous": unauthorized },
    },
  ],
  "quota-exhausted": [
    {
      variants: ["anonymous"],
      shows: everywhere(failing("unauthorized", { status: 401, detail: "quota" }, { usage })),
    },
  ],
  status: [
    ...[403, 500, 502, 504].map((code) => status(code)),
    ...[404, 410].map((code) => status(code, { withdrawn: true })),
    ...[429, 503].map((code) => status(code, { retryAfterSeconds: 3600 })),
  ],
  redirect: [
    {
      shows: everywhere(
        failing("redirect", { status: 302 }, { redirect: { origin: "other", leadsTo: "other-version" } }),
      ),
    },
    {
      effect: { kind: "redirect", status: 308, location: "/gone" },
      shows: everywhere(
        failing("redirect", { status: 308 }, { redirect: { origin: "same", leadsTo: "elsewhere" } }),
      ),
    },
  ],
  sunset: [{ shows: everywhere({ notices: { sunset: later } }) }],
  deprecation: [{ shows: everywhere({ notices: { deprecation: { form: "rfc9745", at: now } } }) }],
  link: [{ shows: everywhere({ notices: { links: ["successor-version"] } }) }],
  "wrong-content-type": [
    {
      shows: {
        "passport-list": { findings: ["1 of 1 passport-list (body) content-type"] },
        passport: { findings: ["1 of 1 passport (body) content-type"] },
        "passport-credentials": { findings: ["1 of 1 passport-credentials (body) content-type"] },
      },
    },
  ],
  html: [{ shows: everywhere(failing("not-json", { status: 200, detail: "html" })) }],
  "empty-body": [{ shows: everywhere(failing("not-json", { status: 200, detail: "empty" })) }],
  "deep-nesting": [{ shows: everywhere(failing("not-json", { status: 200, detail: "deep" })) }],
  "proto-keys": [
    {
      shows: Object.fromEntries(
        endpointIds.map((endpoint) => [
          endpoint,
          {
            findings: [
              `1 of 1 ${endpoint} <dynamic> extra object`,
              `1 of 1 ${endpoint} constructor extra object`,
            ],
          },
        ]),
      ),
    },
  ],
  "huge-numbers": [
    {
      shows: {
        "passport-list": {
          findings: ["1 of 25 passport-list passports[].activity_score format non-finite"],
        },
        passport: { findings: ["1 of 1 passport passport.activity_score format non-finite"] },
        "passport-credentials": {
          findings: [
            expect.stringMatching(
              /^1 of \d+ passport-credentials passport_credentials\[\]\.max_score format non-finite$/,
            ),
          ],
        },
      },
    },
  ],
  "bad-utf8": [{ shows: everywhere(failing("bad-encoding", { status: 200, detail: "utf-8" })) }],
  "gzip-bomb": [{ shows: everywhere(failing("too-large", { status: 200, detail: "body" })) }],
  "bad-gzip": [{ shows: everywhere(failing("bad-encoding", { status: 200, detail: "corrupt" })) }],
  "slow-drip": [{ shows: everywhere(failing("timeout", { status: 200, detail: "body" })) }],
  hang: [{ shows: everywhere(failing("timeout", { detail: "headers" })) }],
  reset: [{ shows: everywhere({ ...failing("network", { detail: "reset" }), attempts: 2 }) }],
  truncated: [{ shows: everywhere(failing("truncated", { status: 200, detail: "closed" })) }],
};

test("Every effect has a row in the table", () => {
  expect(effectKinds.filter((kind) => !rows[kind]?.length)).toEqual([]);
});

const cases = effectKinds.flatMap((kind) =>
  (rows[kind] ?? []).map((row) => ({ ...row, effect: row.effect ?? sampleEffect(kind) })),
);

test.each(cases)(
  "The effect $effect changes only its own part of the observations",
  async ({ effect, variants = [], afterMs, shows }) => {
    try {
      simulator.inject([effect]);
      clock.time = start + (afterMs ?? 0);
      const broken = await probeAll(variants);
      simulator.clear();
      const healthy = await probeAll(variants);
      for (const { findings, notices, outcome } of Object.values(healthy) as View[]) {
        expect({ findings, notices, outcome }).toEqual({
          findings: [],
          notices: {},
          outcome: { kind: "ok", status: 200 },
        });
      }
      const expected = Object.fromEntries(
        Object.entries(healthy).map(([name, view]) => [name, { ...view, ...shows[name] }]),
      );
      expect(broken).toEqual(expected);
    } finally {
      simulator.clear();
      clock.time = start;
    }
  },
);

test("No effect changes a prototype", () => {
  expect({}).not.toHaveProperty("polluted");
});
