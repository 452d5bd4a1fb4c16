import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import {
  type Effect,
  type EffectKind,
  effectKinds,
  findRefusal,
  sampleEffect,
  sampleEffects,
} from "../../lib/simulator/effects/index.ts";
import { days, hours } from "../../lib/simulator/population.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { bodyOf, get, type Options, type Reply } from "./client.ts";

const start = Date.UTC(2026, 10, 14, 12);
const clock = { time: start, now: () => clock.time };
let simulator: Simulator;
let paths: Record<EndpointId, string>;

beforeAll(async () => {
  simulator = await startSimulator({ passports: 200, clock });
  const { population } = simulator;
  const index = [...population.ranked()].find(
    (one) =>
      population.passport(one, { now: start }).passport_socials.length > 1 &&
      population.credentials(one, { now: start }).length > 5,
  );
  const id = population.idOf(index ?? 0);
  paths = {
    "passport-list": "/api/v1/passports?keyword=a",
    passport: `/api/v1/passports/${id}`,
    "passport-credentials": `/api/v1/passport_credentials?passport_id=${id}`,
  };
});
afterAll(() => simulator.close());

const request = (endpoint: EndpointId, options?: Options) =>
  get(`${simulator.url}${paths[endpoint]}`, options);

/** Sends the same request twice at the same clock time: without and with the effects. */
async function compare(effects: Effect[], endpoint: EndpointId, options?: Options) {
  const healthy = await request(endpoint, { ...options, deadlineMs: 10_000 });
  simulator.inject(effects);
  const broken = await request(endpoint, options);
  simulator.clear();
  return { healthy, broken };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies here are broken on purpose
type View = { status: number; headers: Record<string, unknown>; body: any };

/** The response as a client sees it, without the Content-Length, which follows from the body. */
function viewOf(reply: Reply): View {
  const { "content-length": _, ...headers } = reply.headers;
  return { status: reply.status, headers, body: bodyOf(reply) };
}

const errorView =
  (status: number, headers: Record<string, string> = {}) =>
  (view: View) => {
    view.status = status;
    view.body = { error: expect.any(String) };
    Object.assign(view.headers, headers, status === 401 && { "www-authenticate": expect.any(String) });
  };
const header = (headers: Record<string, string>) => (view: View) => {
  Object.assign(view.headers, headers);
};
// biome-ignore lint/suspicious/noExplicitAny: records are broken on purpose
const eachPassport = (change: (passport: any) => void) => (view: View) => {
  for (const passport of view.body.passports ?? (view.body.passport ? [view.body.passport] : []))
    change(passport);
};
const withKey = { headers: { "X-API-KEY": "k" } };

type Row = {
  effect: Effect;
  endpoint?: EndpointId;
  options?: Options;
  /** Changes the healthy view into the expected one. The effect must change nothing else. */
  expected(view: View): void;
};

const scores = ["activity_score", "identity_score", "skills_score", "score", "max_score"];

/** Effects after which the response is still JSON, so that every field can be compared. */
const jsonEffects: Row[] = [
  {
    effect: { kind: "drop-field", path: "passports[].connections_count" },
    expected: eachPassport((passport) => delete passport.connections_count),
  },
  {
    effect: { kind: "drop-field", path: "pagination" },
    expected: (view) => {
      delete view.body.pagination;
    },
  },
  {
    effect: { kind: "add-field", path: "passports[].passport_profile.image_url", value: "x" },
    expected: eachPassport((passport) => {
      passport.passport_profile.image_url = "x";
    }),
  },
  {
    effect: { kind: "rename-field", path: "passports[].main_wallet", to: "wallet" },
    expected: eachPassport((passport) => {
      passport.wallet = passport.main_wallet;
      delete passport.main_wallet;
    }),
  },
  {
    effect: { kind: "retype-field", path: "passport.passport_socials[].follower_count", to: "number" },
    endpoint: "passport",
    expected: ({ body }) => {
      for (const social of body.passport.passport_socials)
        social.follower_count = Number(social.follower_count);
    },
  },
  {
    effect: { kind: "retype-field", path: "passports[].score", to: "string" },
    expected: eachPassport((passport) => {
      passport.score = String(passport.score);
    }),
  },
  {
    effect: { kind: "retype-field", path: "passport_credentials[].value", to: "object" },
    endpoint: "passport-credentials",
    expected: ({ body }) => {
      for (const credential of body.passport_credentials) credential.value = { value: credential.value };
    },
  },
  {
    effect: { kind: "null-field", path: "passports[].passport_profile.bio" },
    expected: eachPassport((passport) => {
      passport.passport_profile.bio = null;
    }),
  },
  {
    effect: { kind: "stick-calculating" },
    expected: eachPassport((passport) => {
      passport.calculating_score = true;
    }),
  },
  { effect: { kind: "unauthorized", who: "all" }, expected: errorView(401) },
  { effect: { kind: "unauthorized", who: "authenticated" }, options: withKey, expected: errorView(401) },
  { effect: { kind: "unauthorized", who: "authenticated" }, expected: () => {} },
  { effect: { kind: "unauthorized", who: "anonymous" }, expected: errorView(401) },
  { effect: { kind: "unauthorized", who: "anonymous" }, options: withKey, expected: () => {} },
  {
    effect: { kind: "quota-exhausted", limit: 5000 },
    options: withKey,
    expected: errorView(401, {
      "x-api-usage-current": "5000",
      "x-api-usage-limit": "5000",
      "x-api-usage-status": "exhausted",
    }),
  },
  { effect: { kind: "quota-exhausted", limit: 5000 }, expected: () => {} },
  ...[403, 404, 410, 500, 502, 504].map(
    (status): Row => ({ effect: { kind: "status", status }, expected: errorView(status) }),
  ),
  ...[429, 503].map(
    (status): Row => ({
      effect: { kind: "status", status, retryAfterSeconds: 60 },
      expected: errorView(status, { "retry-after": "60" }),
    }),
  ),
  ...["/api/v2/profiles", "https://v2.invalid/profiles"].map(
    (location): Row => ({
      effect: { kind: "redirect", status: 302, location },
      expected: errorView(302, { location }),
    }),
  ),
  {
    effect: { kind: "sunset", afterMs: 47 * days },
    expected: header({ sunset: "Thu, 31 Dec 2026 12:00:00 GMT" }),
  },
  {
    effect: { kind: "deprecation", afterMs: 0 },
    expected: header({ deprecation: `@${start / 1000}` }),
  },
  {
    effect: { kind: "link", rel: "sunset", href: "https://v2.invalid/" },
    expected: header({ link: '<https://v2.invalid/>; rel="sunset"' }),
  },
  {
    effect: { kind: "wrong-content-type", type: "text/plain" },
    expected: header({ "content-type": "text/plain" }),
  },
  {
    effect: { kind: "stub-data", form: "zeros" },
    expected: eachPassport((passport) => {
      for (const score of scores) if (score in passport) passport[score] = 0;
    }),
  },
  {
    effect: { kind: "stub-data", form: "empty" },
    expected: (view) => {
      view.body = { passports: [], pagination: { current_page: 1, last_page: 1, total: 0 } };
    },
  },
  {
    effect: { kind: "data-shrinking", keep: 3 },
    expected: ({ body }) => {
      body.passports = body.passports.slice(0, 3);
      body.pagination = { current_page: 1, last_page: 1, total: 3 };
    },
  },
  {
    effect: { kind: "data-shrinking", keep: 3 },
    endpoint: "passport-credentials",
    expected: ({ body }) => {
      body.passport_credentials = body.passport_credentials.slice(0, 3);
    },
  },
  {
    effect: { kind: "markup" },
    expected: (view) => {
      view.headers.warning = '299 - "<script>alert(1)</script>"';
      for (const passport of view.body.passports) passport.passport_profile.bio = "<script>alert(1)</script>";
    },
  },
  {
    effect: { kind: "proto-keys" },
    expected: (view) => {
      view.body = JSON.parse(
        JSON.stringify(view.body).replace(
          "{",
          '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},',
        ),
      );
    },
  },
];

describe("an effect changes only its own part of the response:", () => {
  test.each(jsonEffects)(
    "An effect changes only its own part of the response: $effect",
    async ({ effect, endpoint = "passport-list", options, expected }) => {
      const { healthy, broken } = await compare([effect], endpoint, options);
      const view = viewOf(healthy);
      expect(view.status).toBe(200);
      expected(view);
      expect(viewOf(broken)).toEqual(view);
    },
  );
});

/** Effects that need their own checks. */
const special: Partial<Record<EffectKind, () => Promise<void>>> = {
  async freeze() {
    simulator.inject([{ kind: "freeze" }]);
    const frozen = bodyOf(await request("passport-list"));
    clock.time += 5 * days;
    const later = bodyOf(await request("passport-list"));
    simulator.clear();
    const unfrozen = bodyOf(await request("passport-list"));
    clock.time = start;
    type Dated = { passports: { last_calculated_at: string }[] };
    const dates = ({ passports }: Dated) => passports.map((one) => one.last_calculated_at);
    expect(dates(later)).toEqual(dates(frozen));
    expect(dates(unfrozen)).not.toEqual(dates(frozen));
    const undated = (body: Dated) => ({
      ...body,
      passports: body.passports.map((one) => ({ ...one, last_calculated_at: "" })),
    });
    expect(undated(later)).toEqual(undated(unfrozen));
  },

  async "keyword-ignored"() {
    const { healthy, broken } = await compare([{ kind: "keyword-ignored" }], "passport-list");
    const unfiltered = await get(`${simulator.url}/api/v1/passports`);
    expect(broken.bytes).toEqual(unfiltered.bytes);
    expect(broken.bytes).not.toEqual(healthy.bytes);
  },

  async unsorted() {
    const { healthy, broken } = await compare([{ kind: "unsorted" }], "passport-list");
    const order = (reply: Reply) =>
      bodyOf(reply).passports.map((one: { passport_id: number }) => one.passport_id);
    expect(order(broken)).not.toEqual(order(healthy));
    expect(order(broken).toSorted()).toEqual(order(healthy).toSorted());
  },

  async "v2-shaped"() {
    for (const [endpoint, key] of [
      ["passport-list", "profiles"],
      ["passport", "profile"],
      ["passport-credentials", "credentials"],
    ] as const) {
      const { broken } = await compare([{ kind: "v2-shaped" }], endpoint);
      expect(broken.status).toBe(200);
      expect(Object.keys(bodyOf(broken))[0]).toBe(key);
      expect(broken.bytes.toString()).not.toMatch(
        /"(passports?|passport_id|passport_credentials|earned_at)"/,
      );
    }
  },

  async html() {
    const { broken } = await compare([{ kind: "html" }], "passport");
    expect(broken.status).toBe(200);
    expect(broken.headers["content-type"]).toMatch(/^text\/html/);
    expect(broken.bytes.toString()).toMatch(/^<!doctype html>/);
  },

  async "empty-body"() {
    const { healthy, broken } = await compare([{ kind: "empty-body" }], "passport");
    expect(broken.bytes.length).toBe(0);
    expect(broken.headers).toEqual({ ...healthy.headers, "content-length": "0" });
  },

  async "deep-nesting"() {
    const { healthy, broken } = await compare([{ kind: "deep-nesting", depth: 100_000 }], "passport");
    const { nested, ...rest } = bodyOf(broken);
    let depth = 0;
    for (let inner = nested; Array.isArray(inner); inner = inner[0]) depth++;
    expect(depth).toBe(100_000);
    expect(rest).toEqual(bodyOf(healthy));
  },

  async "huge-numbers"() {
    for (const endpoint of endpointIds) {
      const { healthy, broken } = await compare([{ kind: "huge-numbers" }], endpoint);
      const text = broken.bytes.toString();
      expect(text).toMatch(/score":1e400,.*score":9007199254740993,.*score":-0[,}]/s);
      const scoreless = (one: string) => one.replace(/score":-?[\de]+/g, "score");
      expect(scoreless(text)).toBe(scoreless(healthy.bytes.toString()));
    }
  },

  async "bad-utf8"() {
    for (const endpoint of endpointIds) {
      const { healthy, broken } = await compare([{ kind: "bad-utf8" }], endpoint);
      expect(() => new TextDecoder("utf-8", { fatal: true }).decode(broken.bytes)).toThrow();
      const latin1 = broken.bytes.toString("latin1").replace("\xc3\x28\xff", "");
      expect(Buffer.from(latin1, "latin1")).toEqual(healthy.bytes);
    }
  },

  async "gzip-bomb"() {
    const { healthy, broken } = await compare([{ kind: "gzip-bomb", mebibytes: 8 }], "passport");
    expect(broken.headers["content-encoding"]).toBe("gzip");
    expect(broken.bytes.length).toBeLessThan(20_000);
    const inflated = gunzipSync(broken.bytes);
    expect(inflated.length).toBe(8 * 2 ** 20 + healthy.bytes.length);
    expect(JSON.parse(inflated.toString())).toEqual(bodyOf(healthy));
  },

  async "bad-gzip"() {
    const { healthy, broken } = await compare([{ kind: "bad-gzip" }], "passport");
    expect(broken.headers).toEqual({ ...healthy.headers, "content-encoding": "gzip" });
    expect(() => gunzipSync(broken.bytes)).toThrow();
  },

  async "slow-drip"() {
    const { healthy, broken } = await compare([{ kind: "slow-drip", bytesPerSecond: 50 }], "passport", {
      deadlineMs: 500,
    });
    expect(broken.failure).toBe("deadline");
    expect(broken.headers).toEqual(healthy.headers);
    expect(broken.bytes.length).toBeGreaterThan(0);
    expect(broken.bytes.length).toBeLessThan(healthy.bytes.length / 4);
    expect(healthy.bytes.subarray(0, broken.bytes.length)).toEqual(broken.bytes);
  },

  async hang() {
    const { broken } = await compare([{ kind: "hang" }], "passport", { deadlineMs: 300 });
    expect(broken).toMatchObject({ failure: "deadline", status: 0 });
  },

  async reset() {
    const { broken } = await compare([{ kind: "reset" }], "passport");
    expect(broken).toMatchObject({ failure: "ECONNRESET", status: 0 });
  },

  async truncated() {
    const { healthy, broken } = await compare([{ kind: "truncated" }], "passport");
    expect(broken).toMatchObject({ failure: "ECONNRESET", status: 200, headers: healthy.headers });
    expect(broken.bytes).toEqual(healthy.bytes.subarray(0, healthy.bytes.length >> 1));
  },
};

describe("an effect that changes the form of the response is visible to a client:", () => {
  test.each(Object.entries(special))(
    "An effect that changes the form of the response is visible to a client: %s",
    (_, check) => check(),
  );
});

test("Every effect has a test", () => {
  const tested = new Set([...jsonEffects.map(({ effect }) => effect.kind), ...Object.keys(special)]);
  expect(effectKinds.filter((kind) => !tested.has(kind))).toEqual([]);
});

test.each(effectKinds)(
  "The sample of %s with an endpoint does not affect the other endpoints",
  async (kind) => {
    const effect = { ...sampleEffect(kind), endpoint: "passport-credentials" } as Effect;
    const { healthy, broken } = await compare([effect], "passport");
    expect(broken).toEqual(healthy);
  },
);

test.each(effectKinds)("The effect %s with rate 0 changes nothing", async (kind) => {
  const { healthy, broken } = await compare([{ ...sampleEffect(kind), rate: 0 } as Effect], "passport-list");
  expect(broken).toEqual(healthy);
});

test("The rate of a field effect selects the same records each time, on every endpoint", async () => {
  const effects: Effect[] = ["passports[].score", "passport.score"].map((path) => ({
    kind: "null-field",
    path,
    rate: 0.4,
  }));
  const { broken } = await compare(effects, "passport-list");
  const { passports } = bodyOf(broken);
  const affected = passports.filter(({ score }: { score: unknown }) => score === null);
  expect(affected.length).toBeGreaterThan(2);
  expect(affected.length).toBeLessThan(passports.length - 2);
  simulator.inject(effects);
  for (const { passport_id, score } of passports) {
    const { passport } = bodyOf(await get(`${simulator.url}/api/v1/passports/${passport_id}`));
    expect(passport.score).toBe(score);
  }
  simulator.clear();
});

test("The rate of a request effect selects about that share of the requests", async () => {
  simulator.inject([{ kind: "status", status: 503, rate: 0.3 }]);
  let affected = 0;
  for (let i = 0; i < 200; i++) if ((await request("passport")).status === 503) affected++;
  simulator.clear();
  expect(affected).toBeGreaterThan(30);
  expect(affected).toBeLessThan(90);
});

test("Effects combine: an error status keeps its deprecation headers, and Link headers are joined", async () => {
  const { broken } = await compare(
    [
      { kind: "status", status: 410 },
      { kind: "status", status: 503 },
      { kind: "stub-data", form: "zeros" },
      { kind: "sunset", afterMs: -hours },
      { kind: "link", rel: "sunset", href: "/a" },
      { kind: "link", rel: "deprecation", href: "/b" },
    ],
    "passport",
  );
  expect(broken.status).toBe(410);
  expect(broken.headers.sunset).toBe("Sat, 14 Nov 2026 11:00:00 GMT");
  expect(broken.headers.link).toBe('</a>; rel="sunset", </b>; rel="deprecation"');
});

describe("an effect that is injected on an endpoint", () => {
  const cases = effectKinds.flatMap((kind) => endpointIds.map((endpoint) => ({ kind, endpoint })));
  const seen = ({ status, headers: { date: _, ...headers }, bytes, failure }: Reply) => ({
    status,
    headers,
    failure,
    body: bytes.toString("latin1"),
  });
  const keyed = { headers: { "X-API-KEY": "any" }, deadlineMs: 400 };

  /** The responses of one endpoint at the same clock time, three days after the injection. */
  async function responses(effects: Effect[], endpoint: EndpointId) {
    simulator.inject(effects);
    clock.time = start + 3 * days;
    const broken = seen(await request(endpoint, keyed));
    simulator.clear();
    const healthy = seen(await request(endpoint, { ...keyed, deadlineMs: 10_000 }));
    clock.time = start;
    return { broken, healthy };
  }

  test.each(cases)(
    "The effect $kind changes the responses of $endpoint, or is refused with a reason",
    async ({ kind, endpoint }) => {
      const refusal = findRefusal(kind, endpoint);
      const { broken, healthy } = await responses(sampleEffects(kind, endpoint), endpoint);
      if (refusal === undefined) expect(broken).not.toEqual(healthy);
      else expect([refusal.length > 10, broken]).toEqual([true, healthy]);
    },
  );

  test.each(effectKinds)(
    "The effect %s changes no other endpoint, and without an endpoint all that it applies to",
    async (kind) => {
      const [endpoint = "passport-list", other = "passport"] = endpointIds;
      const apart = await responses(sampleEffects(kind, endpoint), other);
      expect(apart.broken).toEqual(apart.healthy);
      for (const each of endpointIds.filter((one) => findRefusal(kind, one) === undefined)) {
        const { broken, healthy } = await responses(sampleEffects(kind, undefined), each);
        expect(broken, each).not.toEqual(healthy);
      }
    },
  );
});
