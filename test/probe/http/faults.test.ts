// Lists every fault of the target, of a hostile response and of time, and names the tests that cover it.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

/** A test file below test/probe, and a part of a test's title or, for table tests, of its row. */
type Claim = [file: string, title: string];

const target: Record<string, Claim[]> = {
  "slow drip, hang: one deadline covers connection, headers and body": [
    ["exchange", "drips its body"],
    ["exchange", "hangs before the headers"],
    ["exchange", "covers a TLS handshake that never ends"],
    ["effects", '"slow-drip": ['],
  ],
  "DNS, refused, reset, TLS: distinct, at most one retry, both attempts recorded": [
    ["exchange", "of a DNS lookup has its own detail"],
    ["exchange", "of a refused connection is retried once, and both attempts are recorded"],
    ["exchange", "a reset"],
    ["exchange", "rejects a certificate that is %s before the key is sent"],
    ["exchange", "has its own outcome, is never retried, and its body can be read"],
  ],
  "429, 5xx, Retry-After: not reported as down, honoured, within the budget": [
    ["effects", "...[429, 503].map((code) => status(code, { retryAfterSeconds: 3600 }))"],
    ["probe", "returns Retry-After with the result of the request"],
    ["plan", "is honoured up to 30 minutes, for scheduled and for extra checks"],
    ["month", "keeps 20 requests in 10 s at any cadence"],
  ],
  "401: authenticated and anonymous are separate, an exhausted quota is named": [
    ["effects", 'effect: { kind: "unauthorized", who: "anonymous" }'],
    ["effects", '"quota-exhausted": ['],
  ],
  "404, 410, 3xx on a documented path: retirement signals, redirects are never followed": [
    ["effects", "withdrawn: true"],
    ["exchange", "%s is recorded and not followed, so that the key is not forwarded"],
    ["notices", "reports a documented path as withdrawn for 404 and 410 only"],
  ],
  "200 with HTML, an empty or a truncated body: never validated": [
    ["effects", 'html: [{ shows: everywhere(failing("not-json"'],
    ["effects", '"empty-body": ['],
    ["effects", "truncated: ["],
    ["exchange", "shorter than its Content-Length"],
  ],
  "empty list: recorded as empty, without an age": [
    ["effects", 'notices: { body: "empty" }'],
    ["staleness", "An empty list has no ages"],
  ],
};

const hostile: Record<string, Claim[]> = {
  "gzip bomb, huge body: a limit on decompressed bytes": [
    ["exchange", "that is a gzip bomb of 120 MB uses less than 64 MiB of memory"],
    ["exchange", "is accepted at exactly the size limit and rejected one byte above it"],
    ["effects", '"gzip-bomb": ['],
  ],
  "many violations: bounded findings and memory": [
    ["hostile-body", "Findings, evidence, size and time are bounded for %s"],
    ["hostile-body", "The floods of records, items, keys and dates are validated with a heap of 64 MiB"],
  ],
  "deep nesting: a depth limit before any recursion": [
    ["effects", '"deep-nesting": ['],
    ["parse-body", "64 levels"],
  ],
  "__proto__, constructor, duplicate keys": [
    [
      "hostile-body",
      "__proto__ and constructor are reported, of a key that occurs twice the last value counts",
    ],
    ["effects", '"proto-keys": ['],
  ],
  "1e400, 2^53+1, -0": [
    ["hostile-body", "is reported as drift or accepted, and every number of the observation is finite"],
    ["effects", '"huge-numbers": ['],
  ],
  "bad UTF-8, NUL, bidi, 1 MB strings": [
    [
      "hostile-body",
      "Invalid UTF-8 is a bad encoding; NUL, bidi marks and strings of a megabyte are accepted",
    ],
    ["privacy", "An observation contains only plain text"],
  ],
  "random or secret-looking keys collapse to <dynamic>": [
    ["privacy", "An observation contains only plain text"],
    ["privacy", "The key %s is not in an observation, wherever V1 repeats it"],
  ],
};

const time: Record<string, Claim[]> = {
  "clock skew between prober and target: recorded, and staleness is muted": [
    ["staleness", "by the Date header is recorded, and mutes the ages only beyond maxSkew"],
  ],
  "future timestamps: counted separately, no negative age": [
    ["staleness", "no age is negative"],
    ["staleness", "one hour ahead as future"],
  ],
  "no time zone, +0100, Feb 30, :60: format drift, the same in every time zone": [
    ["timestamp", "The results are the same in every time zone"],
  ],
  "late data points: stamped with the start of the check": [
    ["probe", "stamps an observation with the start of its request, however late the response is"],
  ],
  "clock jump, suspended machine: at most one catch-up": [
    ["plan", "are made up for once after any pause, and then go on by the clock"],
    ["month", "holds for any ticks, any budget and a clock that jumps, and no endpoint is left out"],
  ],
};

const folder = join(import.meta.dirname, "..");
const testFiles = readdirSync(folder, { recursive: true, encoding: "utf8" });

const read = (name: string) => {
  const file = testFiles.find((path) => basename(path) === `${name}.test.ts`);
  if (file === undefined) throw new Error(`test file ${name}.test.ts not found`);
  return readFileSync(join(folder, file), "utf8").replace(/\s+/g, " ");
};

test.each(Object.entries({ ...target, ...hostile, ...time }))(
  "A fault of the network is covered by a test: %s",
  (_, claims) => {
    for (const [file, title] of claims) expect(read(file)).toContain(title);
  },
);
