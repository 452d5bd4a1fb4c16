// Bodies that are built to do harm: every one of them gives one small and valid observation.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { maxFacts, maxFindings, type Observation, observation } from "../../../lib/records/observation.ts";
import { fc } from "../../random.ts";
import { anyEndpoint, bodyOf, bytesOf, mutatedBody, observeBytes } from "./bodies.ts";
import { floods } from "./hostile-corpus.ts";

const maxBytes = 8_192;

function expectValid(observed: Observation): void {
  expect(observation.safeParse(observed).error).toBeUndefined();
  expect(Buffer.byteLength(JSON.stringify(observed))).toBeLessThan(maxBytes);
}

const anyStatus = fc.constantFrom(200, 200, 200, 204, 302, 401, 404, 410, 429, 503);
const anyType = fc.constantFrom(
  "application/json",
  "text/html",
  "",
  "application/problem+json",
  "x".repeat(300),
);

describe("an observation is valid and under 8 KB for", () => {
  test("An observation is valid and under 8 KB for any JSON value and any mutated body, with any status, content type and variant", () => {
    fc.assert(
      fc.property(
        anyEndpoint.chain((endpoint) =>
          fc.record({
            endpoint: fc.constant(endpoint),
            body: fc.oneof({ weight: 3, arbitrary: mutatedBody(endpoint) }, fc.jsonValue({ maxDepth: 6 })),
            status: anyStatus,
            type: anyType,
            name: fc.constantFrom(
              "authenticated",
              "anonymous",
              "by-other-id",
              "unknown-id",
              "second-page",
              "bad-key",
            ),
          }),
        ),
        ({ endpoint, body, status, type, name }) => {
          expectValid(
            observeBytes(endpoint, bytesOf(body), {
              status,
              headers: { "content-type": type },
              variant: name as never,
            }),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test("An observation is valid and under 8 KB for any bytes", () => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      // A truncated body, or one with a byte changed: nearly JSON, which random bytes never are.
      fc.tuple(fc.constantFrom(...endpointIds), fc.nat(), fc.nat(255)).map(([endpoint, at, byte]) => {
        const bytes = bytesOf(bodyOf(endpoint, "realistic"));
        bytes[at % bytes.length] = byte;
        return byte % 2 ? bytes : bytes.subarray(0, at % bytes.length);
      }),
    );
    fc.assert(
      fc.property(anyEndpoint, anyBytes, anyStatus, (endpoint, bytes, status) => {
        expectValid(observeBytes(endpoint, bytes, { status }));
      }),
      { numRuns: 300 },
    );
  });

  test("An observation is valid and under 8 KB for error bodies with any keys", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z_]{1,24}$/), fc.jsonValue({ maxDepth: 1 })),
        (body) => {
          expectValid(observeBytes("passport", bytesOf(body), { status: 500 }));
        },
      ),
    );
  });
});

const longestSeconds = 5;

test.each(Object.entries(floods))(
  "Findings, evidence, size and time are bounded for %s",
  (_, [endpoint, build]) => {
    const bytes = Buffer.from(build());
    expect(bytes.length).toBeLessThanOrEqual(2 ** 21);
    const startedAt = performance.now();
    const record = observeBytes(endpoint, bytes);
    // This is a test for hangs and not a benchmark: validation takes a fraction of a second.
    expect(performance.now() - startedAt).toBeLessThan(longestSeconds * 1_000);
    expectValid(record);
    expect(record.findings.length).toBeLessThanOrEqual(maxFindings);
    expect(record.evidence.length).toBeLessThanOrEqual(maxFacts);
    expect(record.findings.length + record.findingsOmitted).toBeGreaterThan(
      record.outcome.kind === "ok" ? 0 : -1,
    );
  },
);

describe("numbers that a double cannot hold", () => {
  const observeNumber = (text: string) => {
    const body = JSON.stringify(bodyOf("passport")).replace(
      /"(passport_id|score)":\d+/g,
      (_, key) => `"${key}":${text}`,
    );
    return observeBytes("passport", Buffer.from(body));
  };

  test.each([
    [
      "1e400",
      ["passport passport.passport_id format non-finite", "passport passport.score format non-finite"],
    ],
    [
      "-1e400",
      ["passport passport.passport_id format non-finite", "passport passport.score format non-finite"],
    ],
    ["9007199254740993", ["passport passport.passport_id format unsafe-integer"]],
    ["0.5", ["passport passport.passport_id non-integer"]],
    ["-0", []],
    ["1e-400", []],
  ])(
    "The number %s is reported as drift or accepted, and every number of the observation is finite",
    (text, ids) => {
      const record = observeNumber(text);
      expectValid(record);
      expect(record.findings.map(({ id }) => id)).toEqual(ids);
      // JSON.stringify writes Infinity as null.
      expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    },
  );
});

test("__proto__ and constructor are reported, of a key that occurs twice the last value counts, and no prototype changes", () => {
  const text =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"passport":{"__proto__":{"score":1},"toString":1,"valueOf":1,"hasOwnProperty":1,"score":1,"score":2}}';
  const record = observeBytes("passport", Buffer.from(text));
  expectValid(record);
  expect({}).not.toHaveProperty("polluted");
  const ids = record.findings.map(({ id }) => id);
  expect(ids).not.toContain("passport passport.score missing");
  expect(ids).toContain("passport <dynamic> extra object");
  // An inherited score would hide that the field is missing.
  expect(
    observeBytes("passport", Buffer.from('{"passport":{"__proto__":{"score":1}}}')).findings.map(
      ({ id }) => id,
    ),
  ).toContain("passport passport.score missing");
});

test("Invalid UTF-8 is a bad encoding; NUL, bidi marks and strings of a megabyte are accepted", () => {
  const body = structuredClone(bodyOf("passport"));
  body.passport.passport_profile.bio = `\u0000\u202e\ud800${"x".repeat(1_000_000)}`;
  expect(observeBytes("passport", bytesOf(body))).toMatchObject({ outcome: { kind: "ok" }, findings: [] });
  const bytes = bytesOf(bodyOf("passport"));
  bytes[20] = 0xff;
  expect(observeBytes("passport", bytes).outcome).toEqual({
    kind: "bad-encoding",
    status: 200,
    detail: "utf-8",
  });
});

test("The floods of records, items, keys and dates are validated with a heap of 64 MiB", async () => {
  const script = `
    import { readFileSync } from "node:fs";
    import { observeBytes } from ${JSON.stringify(new URL("./bodies.ts", import.meta.url).href)};
    const { outcome } = observeBytes(process.argv[1], readFileSync(0));
    console.log(outcome.kind);`;
  const heap = ["--max-old-space-size=64", "--max-semi-space-size=1"];
  const largest = Object.entries(floods).filter(([name]) => !name.startsWith("one "));
  for (const [name, [endpoint, build]] of largest) {
    const args = [...heap, "--input-type=module", "-e", script, endpoint];
    const running = promisify(execFile)(process.execPath, args);
    running.child.stdin?.end(build());
    expect((await running).stdout, name).toMatch(/^\w/);
  }
});
