// The Reproduce command of every rule, run with curl and jq against the simulator: it shows the fault, and without the
// fault it does not.
import { execFile, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { reproduce } from "../../../lib/assess/text/reproduce.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { type DriftFact, type Facts, type RuleId, ruleIds } from "../../../lib/records/incident.ts";
import type { Effect } from "../../../lib/simulator/effects/index.ts";
import { startSimulator } from "../../../lib/simulator/server.ts";
import { makeFolder } from "../../local/temporary-folder.ts";

const run = promisify(execFile);
const dayMs = 86_400_000;
const nowMs = Date.parse("2026-11-15T12:00:00Z");
const baseUrl = "https://api.example.com";
const key = "a-key-for-the-simulator";
const simulator = await startSimulator({ passports: 60, key, clock: { now: () => nowMs } });

// biome-ignore lint/suspicious/noExplicitAny: faults are put into bodies of any shape
type Change = (body: any) => unknown;
type Fault = { effects?: Effect[]; change?: Change; delayMs?: number; headers?: Record<string, string> };
let fault: Fault = {};

/** V1's responses, with faults that the simulator does not have. */
const proxy = createServer(async (request, response) => {
  const sent = request.headers["x-api-key"];
  const got = await fetch(simulator.url + request.url, {
    headers: sent === undefined ? {} : { "X-API-KEY": String(sent) },
    redirect: "manual",
  });
  const bytes = Buffer.from(await got.arrayBuffer());
  const body = fault.change && got.ok ? JSON.stringify(fault.change(JSON.parse(bytes.toString()))) : bytes;
  // fetch has decoded the body.
  const headers = Object.fromEntries([...got.headers].filter(([name]) => !/length|encoding/.test(name)));
  if (fault.delayMs) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
  response.writeHead(got.status, { ...headers, ...fault.headers }).end(body);
});
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
afterAll(async () => {
  proxy.close();
  await simulator.close();
});

const factsOf = (rule: RuleId, more: Partial<Facts> = {}): Facts => ({
  rule,
  scope: "api",
  endpoints: [...endpointIds],
  bad: 3,
  total: 3,
  windowSeconds: 300,
  firstBadAt: "2026-11-15T11:50:00.000Z",
  lastBadAt: "2026-11-15T11:55:00.000Z",
  lastGoodBeforeAt: "2026-11-15T11:40:00.000Z",
  firstGoodAfterAt: null,
  ...more,
});

const finding = (endpoint: EndpointId, path: string, kind: string): Partial<Facts> => {
  const row: DriftFact = {
    id: `${endpoint} ${path} ${kind}`,
    path,
    kind,
    expected: "number",
    observed: "string",
    records: 1,
    ofRecords: 1,
  };
  return { findings: [row] };
};
const only = (...endpoints: EndpointId[]): Partial<Facts> => ({ scope: "endpoint", endpoints });

const hasCredentials = (index: number) => simulator.population.credentials(index, { now: nowMs }).length > 0;
const passportId = simulator.population.idOf(simulator.population.ranked().find(hasCredentials) ?? 0);

async function runCommand(facts: Facts, url: string): Promise<string> {
  const command = reproduce(facts, { baseUrl: url })
    .replaceAll("<passport id>", String(passportId))
    .replaceAll("sleep 1", "true");
  const { stdout, stderr } = await run("bash", ["-c", command], {
    env: { ...process.env, V1WATCH_API_KEY: key, NO_PROXY: "127.0.0.1" },
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

const status = (code: number, more: object = {}): Fault => ({
  effects: [{ kind: "status", status: code, ...more }],
});
const retyped = { kind: "retype-field", path: "passports[].score", to: "string" } as const;
const eachDate = (toDate: (index: number) => number): Fault => ({
  change: (body) => ({
    ...body,
    passports: body.passports.map((one: object, index: number) => ({
      ...one,
      last_calculated_at: new Date(toDate(index)).toISOString(),
    })),
  }),
});

type Row = [name: string, facts: Facts, fault: Fault, shows: RegExp];
const rows: Row[] = [
  ["down", factsOf("down"), status(503), /^503/],
  [
    "key-refused",
    factsOf("key-refused"),
    { effects: [{ kind: "unauthorized", who: "authenticated" }] },
    /^with our key: 401\nwithout a key: 200$/m,
  ],
  [
    "maybe-retired",
    factsOf("maybe-retired"),
    { effects: [{ kind: "unauthorized", who: "all" }] },
    /^with our key: 401\nwithout a key: 401$/m,
  ],
  ["retired", factsOf("retired", { lastResponse: "410" }), status(410), /^410/],
  [
    "retired by 401",
    factsOf("retired", { lastResponse: "401" }),
    { effects: [{ kind: "unauthorized", who: "all" }] },
    /^with our key: 401\nwithout a key: 401$/m,
  ],
  [
    "quota-exhausted",
    factsOf("quota-exhausted"),
    { effects: [{ kind: "quota-exhausted", limit: 5_000 }] },
    /401[\s\S]*x-api-usage-status: exhausted/i,
  ],
  ["access-refused", factsOf("access-refused"), status(403), /^with our key: 403\nwithout a key: 403$/m],
  ["throttled", factsOf("throttled"), status(429, { retryAfterSeconds: 60 }), /429[\s\S]*retry-after: 60/i],
  [
    "withdrawn",
    factsOf("withdrawn", only("passport-credentials")),
    { effects: [{ kind: "status", status: 404, endpoint: "passport-credentials" }] },
    /^404/,
  ],
  [
    "gone",
    factsOf("gone"),
    { effects: [{ kind: "redirect", status: 302, location: "https://v2.invalid/profiles" }] },
    /^302 https:\/\/v2\.invalid\/profiles/,
  ],
  ["serves-v2", factsOf("serves-v2"), { effects: [{ kind: "v2-shaped" }] }, /"profiles"/],
  ["error-envelope", factsOf("error-envelope"), { change: () => ({ error: "no" }) }, /^\["error"\]/],
  ["not-json", factsOf("not-json"), { effects: [{ kind: "html" }] }, /<!doctype html/i],
  [
    "empty-list",
    factsOf("empty-list", only("passport-list")),
    { effects: [{ kind: "stub-data", form: "empty" }] },
    /^\[0,0\]/,
  ],
  ["stub-data", factsOf("stub-data"), { effects: [{ kind: "stub-data", form: "zeros" }] }, /^\[0\]$/m],
  [
    "unsafe-response: nested",
    factsOf("unsafe-response"),
    { effects: [{ kind: "deep-nesting", depth: 100_000 }] },
    /depth/i,
  ],
  ["unsafe-response: UTF-8", factsOf("unsafe-response"), { effects: [{ kind: "bad-utf8" }] }, /iconv: /],
  ["unsafe-response: gzip", factsOf("unsafe-response"), { effects: [{ kind: "bad-gzip" }] }, /curl: \(/],
  [
    "unsafe-response: too large",
    factsOf("unsafe-response"),
    { effects: [{ kind: "gzip-bomb", mebibytes: 64 }] },
    /curl: \(|error/,
  ],
  ["error-rate", factsOf("error-rate"), status(502, { rate: 0.5 }), /^ *\d+ 502/m],
  [
    "unauthorized-rate",
    factsOf("unauthorized-rate"),
    { effects: [{ kind: "unauthorized", who: "all", rate: 0.5 }] },
    /^ *\d+ 401/m,
  ],
  [
    "anonymous-refused",
    factsOf("anonymous-refused"),
    { effects: [{ kind: "unauthorized", who: "anonymous" }] },
    /^with our key: 200\nwithout a key: 401$/m,
  ],
  ["sunset", factsOf("sunset"), { effects: [{ kind: "sunset", afterMs: 30 * dayMs }] }, /^sunset: \w+/im],
  [
    "sunset-passed",
    factsOf("sunset-passed"),
    { effects: [{ kind: "sunset", afterMs: -dayMs }] },
    /^sunset: \w+/im,
  ],
  [
    "deprecation",
    factsOf("deprecation", { notices: ["Deprecation", "Link rel=sunset"] }),
    { effects: [{ kind: "deprecation", afterMs: 0 }] },
    /^deprecation: /im,
  ],
  [
    "deprecation in the body",
    factsOf("deprecation", { notices: ["a message in the body"] }),
    { change: (body) => ({ ...body, message: "V1 is deprecated" }) },
    /V1 is deprecated/,
  ],
  ["recurring-outages", factsOf("recurring-outages"), status(503), /^503/],
  [
    "breaking-drift: a type",
    factsOf("breaking-drift", finding("passport-list", "passports[].score", "retyped")),
    { effects: [retyped] },
    /^\["string"\]/,
  ],
  [
    "breaking-drift: a field of another endpoint than the first",
    factsOf("breaking-drift", finding("passport", "passport.passport_socials[].follower_count", "retyped")),
    { effects: [{ kind: "retype-field", path: "passport.passport_socials[].follower_count", to: "number" }] },
    /^\["number"\]/,
  ],
  [
    "breaking-drift: a missing field",
    factsOf("breaking-drift", finding("passport-list", "passports[].connections_count", "missing")),
    { effects: [{ kind: "drop-field", path: "passports[].connections_count" }] },
    /^\[false\]/,
  ],
  [
    "breaking-drift: order",
    factsOf("breaking-drift", finding("passport-list", "passports[].score", "order")),
    { effects: [{ kind: "unsorted" }] },
    /^false/,
  ],
  [
    "breaking-drift: content type",
    factsOf("breaking-drift", finding("passport-list", "(response)", "content-type")),
    { effects: [{ kind: "wrong-content-type", type: "text/html" }] },
    /^content-type: text\/html/im,
  ],
  [
    "partial-drift",
    factsOf("partial-drift", finding("passport-list", "passports[].score", "retyped")),
    { effects: [{ ...retyped, rate: 0.5 }] },
    /^ *\d+ \[.*"string"/m,
  ],
  [
    "sublist-empty",
    factsOf("sublist-empty", only("passport-credentials")),
    { effects: [{ kind: "stub-data", form: "empty" }] },
    /^0$/m,
  ],
  [
    "equal-scores",
    factsOf("equal-scores", only("passport-list")),
    {
      change: (body) => ({
        ...body,
        passports: body.passports.map((one: object) => ({ ...one, score: 42 })),
      }),
    },
    /^\[42\]$/m,
  ],
  [
    "data-shrinking",
    factsOf("data-shrinking", only("passport-list")),
    { effects: [{ kind: "data-shrinking", keep: 3 }] },
    /^\[3,3\]/,
  ],
  [
    "dates-without-values",
    factsOf("dates-without-values", only("passport-list")),
    eachDate(() => nowMs),
    /^\["2026-11-15T12:00:00\.000Z",\d+\]$/m,
  ],
  [
    "dates-always-now",
    factsOf("dates-always-now", only("passport-list")),
    eachDate(() => nowMs),
    /^\["2026-11-15T12:00:00\.000Z","2026-11-15T12:00:00\.000Z","/,
  ],
  [
    "partly-frozen",
    factsOf("partly-frozen", only("passport-list")),
    eachDate((index) => nowMs - (index < 13 ? 200 : 0) * dayMs),
    /\["2026-04-29",13\]/,
  ],
  [
    "frozen",
    factsOf("frozen", only("passport-list")),
    eachDate(() => nowMs - 9 * dayMs),
    /^"2026-11-06T12:00/,
  ],
  [
    "date-jumped-back",
    factsOf("date-jumped-back", only("passport-list")),
    eachDate(() => nowMs - 40 * dayMs),
    /^"2026-10-06T12:00/,
  ],
  ["slow", factsOf("slow"), { delayMs: 1_100 }, /^[1-9]\.\d+ s$/m],
];

/** Not about a response of V1: the certificate, and v1watch itself. */
const elsewhere: Partial<Record<RuleId, RegExp>> = {
  certificate: /^openssl s_client -connect api\.example\.com:443 .* -enddate$/,
  budget: /^v1watch config$/,
  "no-secret": /^v1watch config$/,
  "address-refused": /^v1watch config$/,
  "proxy-failed": /^v1watch config$/,
  "no-sample": /^v1watch config$/,
  silent: /^v1watch incidents$/,
  undelivered: /^v1watch incidents$/,
  "rule-failed": /^v1watch incidents$/,
  "scores-jumped": /\| sort'$/,
  "duplicate-records": /select\(length > 1\)/,
  "wrong-record": /passport_id'$/,
  "null-fields": /== null/,
  "future-dates": /\| max'$/,
  "variant-changed": /http_code/,
};

test("Every rule has a command", () => {
  const covered = new Set([...rows.map(([, { rule }]) => rule), ...Object.keys(elsewhere)]);
  expect([...covered].toSorted(), "a new rule needs a row above, or one of `elsewhere`").toEqual(
    [...ruleIds].toSorted(),
  );
  for (const [rule, command] of Object.entries(elsewhere))
    expect(reproduce(factsOf(rule as RuleId), { baseUrl })).toMatch(command);
});

/** A variable of the shell that has to be set. */
const required = (variable: string) => `$\{${variable}}`;

test("No command has a key or a person in it, and none sends a key where none is in use", () => {
  for (const [, facts] of rows) {
    const command = reproduce(facts, { baseUrl });
    expect(command.replaceAll(required("V1WATCH_API_KEY:?set it to our key"), "")).not.toMatch(
      /X-API-KEY: [^"]/,
    );
    expect(reproduce(facts, { baseUrl, isAnonymous: true })).not.toContain("X-API-KEY");
  }
});

test("A command that needs the key names its configured source, and fails without it instead of sending nothing in its place", () => {
  const command = (context: object) => reproduce(factsOf("down"), { baseUrl, ...context });
  const file = command({ keySource: "the file /run/secrets/v1-key" });
  expect(file).toContain(required("V1WATCH_API_KEY:?set it to our key from the file /run/secrets/v1-key"));
  expect(command({ keyVariable: "OUR_V1_KEY" })).toContain(required("OUR_V1_KEY:?set it to our key"));
  // What the shell would read as its own is left out.
  expect(command({ keySource: 'the file /a"$(id)`b}' })).toContain(
    required("V1WATCH_API_KEY:?set it to our key"),
  );
  for (const shell of ["sh", "bash"]) {
    const { status, stdout, stderr } = spawnSync(shell, ["-c", file], { env: { PATH: process.env.PATH } });
    expect(status).not.toBe(0);
    expect(String(stdout)).toBe("");
    expect(String(stderr)).toMatch(/V1WATCH_API_KEY: set it to our key from the file/);
  }
});

test("A command stays one, whatever stands in the address of V1.", () => {
  const folder = makeFolder();
  const odd = ["https://$(touch$IFS./x).example/v1", "https://a.example/v1'$(touch$IFS./x)'`touch$IFS./y`"];
  for (const address of odd)
    for (const rule of ruleIds) {
      const command = reproduce(factsOf(rule), { baseUrl: address });
      const stubs = 'for name in curl openssl v1watch; do eval "$name() { :; }"; done; sleep() { :; }';
      const { status } = spawnSync("bash", ["-c", `${stubs}; ${command}`], {
        cwd: folder,
        env: { PATH: process.env.PATH, V1WATCH_API_KEY: "k" },
      });
      expect([rule, status === 127]).toEqual([rule, false]);
    }
  expect(readdirSync(folder)).toEqual([]);
});

const hasTools = ["bash", "curl", "jq", "iconv"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

describe.skipIf(!hasTools)("the command shows the fault, and without it something else:", () => {
  test.each(rows)(
    "The command shows the fault, and without it something else: %s",
    async (_name, facts, given, shows) => {
      // Bytes that fetch does not take come from the simulator itself.
      const url = facts.rule === "unsafe-response" ? simulator.url : proxyUrl;
      fault = {};
      simulator.clear();
      expect(await runCommand(facts, url)).not.toMatch(shows);
      fault = given;
      simulator.inject(given.effects ?? []);
      expect(await runCommand(facts, url)).toMatch(shows);
    },
    30_000,
  );
});
