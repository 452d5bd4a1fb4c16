// Every fault that a target, a hostile response or time can bring, and the test that shows what it gets.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

/** A file beside this one, and a part of a test's title or, for table tests, of its row. */
type Claim = [file: string, title: string];

const target: Record<string, Claim[]> = {
  "slow drip, hang: one deadline over connect, headers and body": [
    ["exchange", "drips its body"],
    ["exchange", "hangs before the headers"],
    ["exchange", "covers a TLS handshake that never ends"],
    ["effects", '"slow-drip": ['],
  ],
  "DNS, refused, reset, TLS: distinct, at most one retry, both attempts recorded": [
    ["exchange", "dns is told apart"],
    ["exchange", "refused is tried twice, and both attempts are recorded"],
    ["exchange", "a reset"],
    ["exchange", "a certificate that is %s is refused before the key is sent"],
    ["exchange", "is told apart, is never retried, and its body's shape can be read"],
  ],
  "429, 5xx, Retry-After: not down, honoured, within the budget": [
    ["effects", "...[429, 503].map((code) => status(code, { retryAfterSeconds: 3600 }))"],
    ["probe", "Retry-After reaches the books"],
    ["plan", "is honoured up to 30 minutes, for scheduled and for extra checks"],
    ["plan", "keeps 20 requests in 10 s at any pace"],
  ],
  "401: authenticated and anonymous apart, quota named": [
    ["effects", 'effect: { kind: "unauthorized", who: "anonymous" }'],
    ["effects", '"quota-exhausted": ['],
  ],
  "404, 410, 3xx on a documented path: signals of retirement, redirects never followed": [
    ["effects", "withdrawn: true"],
    ["exchange", "%s is seen and not followed, so no key travels"],
    ["notices", "404 and 410 withdraw a documented path, and nothing else does"],
  ],
  "200 with HTML, empty or truncated body: never validated": [
    ["effects", 'html: [{ shows: everywhere(failing("not-json"'],
    ["effects", '"empty-body": ['],
    ["effects", "truncated: ["],
    ["exchange", "shorter than its Content-Length"],
  ],
  "empty list: empty, and no age": [
    ["effects", 'notices: { body: "empty" }'],
    ["staleness", "an empty list has no ages and no age of 0"],
  ],
};

const hostile: Record<string, Claim[]> = {
  "gzip bomb, huge body: a cap on inflated bytes": [
    ["exchange", "a gzip bomb of 120 MB takes less than 64 MiB"],
    ["exchange", "exactly at the limit is whole, one byte more is not"],
    ["effects", '"gzip-bomb": ['],
  ],
  "a flood of violations: bounded findings and memory": [
    ["hostile-body", "bounded findings, facts, size and time"],
    ["hostile-body", "the worst of these floods make a probe hold at most 64 MB above its start"],
  ],
  "deep nesting: a limit before anything recursive": [
    ["effects", '"deep-nesting": ['],
    ["parse-body", "64 levels"],
  ],
  "__proto__, constructor, duplicate keys": [
    ["hostile-body", "touch no prototype and are noticed"],
    ["effects", '"duplicate-keys": ['],
  ],
  "1e400, 2^53+1, -0": [
    ["hostile-body", "is drift or harmless, and no number of the record is without an end"],
    ["effects", '"huge-numbers": ['],
  ],
  "bad UTF-8, NUL, bidi, 1 MB strings": [
    ["hostile-body", "bytes that are no UTF-8, NUL, marks of direction and strings of a megabyte"],
    ["privacy", "an observation is plain text"],
  ],
  "random or secret-looking keys collapse to <dynamic>": [
    ["privacy", "an observation is plain text"],
    ["hostile-body", "a hundred thousand random keys"],
  ],
};

const time: Record<string, Claim[]> = {
  "skew between prober and target: said, and staleness muted": [
    ["staleness", "by the Date header is said, and mutes the ages only when it is far off"],
  ],
  "future timestamps: apart, no negative age": [
    ["staleness", "no age is ever negative"],
    ["staleness", "an hour ahead is the future"],
  ],
  "zone-less, +0100, Feb 30, :60: format drift, the same under every TZ": [
    ["timestamp", "the answer is the same in every time zone"],
  ],
  "late data points: stamped with the probe's start": [
    ["probe", "stamped with its start, however late the answer"],
  ],
  "clock jump, laptop suspended: at most one catch-up": [
    ["plan", "are made up for once after any pause, and then go on by the clock"],
    ["plan", "holds for any ticks, any budget and a clock that jumps, and no endpoint is left out"],
  ],
};

const folder = join(import.meta.dirname, "..");
const testFiles = readdirSync(folder, { recursive: true, encoding: "utf8" });

const read = (name: string) => {
  const file = testFiles.find((path) => basename(path) === `${name}.test.ts`);
  if (file === undefined) throw new Error(`there is no test file ${name}.test.ts`);
  return readFileSync(join(folder, file), "utf8").replace(/\s+/g, " ");
};

test.each(Object.entries({ ...target, ...hostile, ...time }))("%s", (_, claims) => {
  for (const [file, title] of claims) expect(read(file)).toContain(title);
});
