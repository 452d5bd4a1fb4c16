// No personal data is stored: every text of a response is marked, and no mark may appear in the observation.

import { expect, test } from "vitest";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { fields } from "../../lib/contract/fields.ts";
import { isPlainKey } from "../../lib/probe/validate/field-values.ts";
import type { Variant } from "../../lib/records/observation.ts";
import { fc } from "../random.ts";
import { anyEndpoint, type Body, bodyOf, bytesOf, mutatedBody, observeBytes } from "./validate/bodies.ts";

const storedFields = new Set(["source", "category", "type"]);
const documented = new Set(
  endpointIds.flatMap((endpoint) =>
    fields[endpoint].map(({ path }) => path.slice(path.lastIndexOf(".") + 1)),
  ),
);

/**
 * Replaces every text by a marked one that has the form of a label. The three fields whose labels are stored
 * get a marked text that is not a label. Keys that are not plain words are replaced by marked keys.
 */
function mark(value: Body, key = "", number = { next: 0 }): Body {
  if (typeof value === "string") {
    number.next++;
    return storedFields.has(key) ? `sentinel@${number.next}` : `sentinel_${number.next}`;
  }
  if (typeof value === "number") return value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mark(item, key, number));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      documented.has(name) || isPlainKey(name) ? name : `sentinel@${number.next++}`,
      mark(inner, name, number),
    ]),
  );
}

const markedHeaders = fc.record(
  {
    "content-type": fc.constantFrom("application/json", "text/sentinel; x=sentinel", "sentinel"),
    sunset: fc.constantFrom("sentinel", "Thu, 31 Dec 2026 12:00:00 GMT sentinel"),
    deprecation: fc.constantFrom("@1688169599;sentinel=1", "sentinel"),
    link: fc.constantFrom(
      '<https://sentinel.example/sentinel>; rel="successor-version sentinel"; title="sentinel"',
    ),
    warning: fc.constant('299 sentinel "sentinel"'),
    location: fc.constantFrom("https://sentinel.example/v2/sentinel", "/sentinel?sentinel"),
    "retry-after": fc.constantFrom("sentinel", "60"),
    "x-api-usage-status": fc.constant("sentinel"),
    "x-api-usage-limit": fc.constant("sentinel"),
    date: fc.constant("sentinel"),
    "x-sentinel": fc.constant("sentinel"),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

test("No text of a body, an error, a header, a redirect or a keyword is in an observation", () => {
  const responses = anyEndpoint.chain((endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      body: fc
        .oneof({ weight: 4, arbitrary: mutatedBody(endpoint) }, fc.jsonValue())
        .map((body) => mark(body)),
      status: fc.constantFrom(200, 200, 200, 301, 401, 404, 410, 429, 500),
      headers: markedHeaders,
      variant: fc.constantFrom<Variant>(
        "authenticated",
        "anonymous",
        "by-other-id",
        "unknown-id",
        "second-page",
      ),
    }),
  );
  fc.assert(
    fc.property(responses, ({ endpoint, body, status, headers, variant }) => {
      const record = observeBytes(endpoint, bytesOf(body), {
        status,
        headers,
        variant,
        keyword: "sentinel",
      });
      expect(JSON.stringify(record)).not.toMatch(/sentinel/i);
    }),
    { numRuns: 400 },
  );
});

test("No text of a body that is not JSON is in an observation", () => {
  for (const text of ["<html>sentinel", "sentinel", '{"sentinel', '["sentinel",', "sentinel\u0000"]) {
    for (const status of [200, 401, 500]) {
      expect(JSON.stringify(observeBytes("passport", Buffer.from(text), { status }))).not.toContain(
        "sentinel",
      );
    }
  }
});

test("The three fields whose values are stored keep only labels, and only as evidence", () => {
  const body = structuredClone(bodyOf("passport-credentials"));
  const values = [
    "sentinel_label",
    "sentinel_2",
    "Sentinel",
    "Sentinel Label 2",
    "sentinelLabel",
    "SENTINEL",
    "sentinel.eth",
    "sentinel-label",
    "sentinel@example.org",
    "sentinel <b>",
    "sentinel12345",
    "sentinel ".repeat(9),
    "0xsentinel",
    "сентинел",
    "sentinel\u202e",
  ];
  values.forEach((value, index) => {
    body.passport_credentials[index].type = value;
  });
  const { evidence, ...rest } = observeBytes("passport-credentials", bytesOf(body));
  expect(JSON.stringify(rest)).not.toContain("sentinel");
  const answers = evidence.find(({ gap }) => gap === "2.6-type")?.answers ?? {};
  expect(Object.keys(answers).toSorted()).toEqual([
    "<other>",
    "Sentinel",
    "active_wallet",
    "sentinel_2",
    "sentinel_label",
  ]);
  expect(answers["<other>"]).toBe(values.length - 3);
});

/** Keys in the forms that could pass for a label or for the name of a field, and in usual ones. */
const echoedKeys = [
  "sentinel_reader_key",
  "sentinelkey",
  "Sentinelkey",
  "SentinelKey",
  "sentinel_key_2",
  "sentinel-key-3f2a",
  "sentinel.key",
  "Sentinel Key 1",
  "sk_live_sentinel",
  "sentinel",
  "0xsentinel",
  "$entinel(key)[1]+",
  "sentinél-key",
  "9007199254",
];

test.each(echoedKeys)("The key %s is not in an observation, wherever V1 repeats it", (apiKey) => {
  const texts = [apiKey, apiKey.toUpperCase(), `the ${apiKey}`, `${apiKey}_extra`];
  const pattern = new RegExp(apiKey.replace(/\W/g, "\\$&"), "i");
  const headers = Object.fromEntries(
    [
      ...[
        "sunset",
        "deprecation",
        "link",
        "warning",
        "location",
        "retry-after",
        "date",
        "server",
        "ratelimit",
      ],
      ...["x-api-usage-status", "x-api-usage-limit", "x-ratelimit-limit", "content-type", "x-request-id"],
    ].map((name) => [name, apiKey]),
  );
  for (const endpoint of endpointIds)
    for (const text of texts) {
      const number = /^\d+$/.test(text) ? Number(text) : text;
      const echo = (value: Body, name = ""): Body => {
        if (typeof value === "string") return text;
        if (name === "total" || name === "passport_id") return number;
        if (typeof value !== "object" || value === null) return value;
        if (Array.isArray(value)) return value.map((item) => echo(item, name));
        return {
          ...Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, echo(inner, key)])),
          [text]: { [text]: text },
        };
      };
      const body = JSON.stringify(echo(structuredClone(bodyOf(endpoint))));
      // Once more with a repeated key, and once with every letter of the key escaped.
      const member = `${JSON.stringify(text)}:1,`;
      const escaped = [...text]
        .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join("");
      for (const sent of [
        body,
        body.replace(/\{(?=")/g, `{${member}${member}`),
        body.replaceAll(text, escaped),
      ])
        for (const status of [200, 301, 401, 404, 429, 500]) {
          const record = observeBytes(endpoint, Buffer.from(sent), {
            status,
            headers,
            apiKey,
            variant: "anonymous",
          });
          expect(JSON.stringify(record)).not.toMatch(pattern);
        }
    }
});

test("A key that is also a name or a value of V1's document hides nothing of it", () => {
  for (const apiKey of ["passport", "passports", "score", "lens", "Activity", "active_wallet", "pagination"])
    for (const endpoint of endpointIds) {
      const options = { headers: { "content-type": "application/json" } };
      const bytes = bytesOf(bodyOf(endpoint));
      expect(observeBytes(endpoint, bytes, { ...options, apiKey })).toEqual(
        observeBytes(endpoint, bytes, options),
      );
    }
});

test("Numbers are stored by magnitude: neither an id nor a score is in an observation", () => {
  const body = structuredClone(bodyOf("passport"));
  Object.assign(body.passport, {
    passport_id: 7_318_462,
    score: 73_184,
    connections_count: 5_173_184,
    skills_score: 1.73184,
  });
  expect(JSON.stringify(observeBytes("passport", bytesOf(body)))).not.toMatch(/73184|7318462/);
});

test("An observation contains only plain text: no NUL, control characters, bidirectional marks or markup", () => {
  const unsafeTexts = [
    "\u0000",
    "\u202e",
    "\u001b[31m",
    "<script>",
    "\ud800",
    "`$(x)`",
    "=1+1",
    "a".repeat(50),
    "9d8f7a6b5c4d3e2f",
  ];
  for (const endpoint of endpointIds) {
    const body = mark(structuredClone(bodyOf(endpoint, "realistic")));
    const holder = body.passports?.[0] ?? body.passport ?? body.passport_credentials[0];
    for (const text of unsafeTexts) Object.assign(holder, { [text]: text, type: text, main_wallet: text });
    const record = observeBytes(endpoint, bytesOf(body));
    expect(JSON.stringify(record)).toMatch(/^[\x20-\x7e…]+$/);
    expect(JSON.stringify(record)).not.toMatch(/script|\$\(|=1|9d8f/);
    expect(record.findings).toContainEqual(
      expect.objectContaining({
        path: expect.stringContaining("<dynamic>"),
        kind: "extra",
        observed: "string",
      }),
    );
  }
});
