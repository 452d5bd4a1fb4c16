// Random JSON texts of bodies that a hostile or broken target could send, for property tests.

import type { EndpointId } from "../../../lib/contract/endpoints.ts";
import { fc } from "../../random.ts";
import { type Body, mutatedBody } from "./bodies.ts";

const oddKeys = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "0xab12",
  "ada@example.org",
  "",
  "имя",
];
const anyExtraKey = fc.oneof(
  fc.constantFrom(...oddKeys),
  fc.stringMatching(/^[a-d]{1,2}_extra$/),
  fc.stringMatching(/^[0-9a-f]{24}$/),
);
const anyExtraValue = fc.constantFrom("null", "1", "true", '""', "[]", "{}", '{"a":{"b":[1,2]}}', "1e400");

/** Members that are written into random objects of the text: unlisted, duplicate and hostile keys. */
const anyMembers = fc.array(fc.tuple(anyExtraKey, anyExtraValue), { maxLength: 30 });

const wrongTexts = [
  "null",
  "1e400",
  "-1e400",
  "9007199254740993",
  "-0",
  "0.5",
  '"0.5"',
  "[[]]",
  "{}",
  '"2024-02-30"',
];

/** The value of a member: a number, a word, or a string without escapes. */
const value = /(?<=":)(?:-?\d[\d.e+-]*|true|false|null|"[\w .:-]*")/g;
/** The same, of a field that has a format beside its type. */
const formattedValue =
  /(?<="(?:passport_id|connections_count|total|last_calculated_at)":)(?:-?\d[\d.e+-]*|"[\w .:-]*")/g;

/** Replaces one of the matches; `at` is any number. */
function replaceOne(text: string, pattern: RegExp, at: number, replace: (match: string) => string): string {
  const matches = text.match(pattern)?.length ?? 0;
  let index = 0;
  return text.replace(pattern, (match) => (index++ === at % matches ? replace(match) : match));
}

/** A mutated body as text, with hostile members, duplicate keys and numbers that no double holds. */
export const hostileText = (endpoint: EndpointId): fc.Arbitrary<string> =>
  fc
    .record({
      body: fc.oneof(
        { weight: 4, arbitrary: mutatedBody(endpoint) },
        { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
      ),
      wrong: fc.array(
        fc.tuple(fc.constantFrom(value, formattedValue), fc.nat(), fc.constantFrom(...wrongTexts)),
        { maxLength: 6 },
      ),
      duplicates: fc.array(fc.nat(), { maxLength: 3 }),
      members: anyMembers,
      places: fc.array(fc.nat(), { maxLength: 6 }),
    })
    .map(({ body, wrong, duplicates, members, places }) => {
      let text = JSON.stringify(body);
      for (const [pattern, at, wrongText] of wrong) text = replaceOne(text, pattern, at, () => wrongText);
      for (const at of duplicates)
        text = replaceOne(text, /\{"\w+":/g, at, (match) => `${match}7,${match.slice(1)}`);
      const written = members.map(([key, member]) => `${JSON.stringify(key)}:${member},`).join("");
      for (const at of places) text = replaceOne(text, /\{(?=")/g, at, () => `{${written}`);
      return text;
    });

/** A body with more records than are validated, and arrays with more items, of which some are wrong. */
export const bigBody = (endpoint: EndpointId): fc.Arbitrary<Body> =>
  fc
    .record({
      body: mutatedBody(endpoint),
      records: fc.constantFrom(0, 1, 49, 50, 51, 499, 500, 501, 700),
      items: fc.constantFrom(0, 1, 49, 50, 51, 120),
      wrongFrom: fc.nat(700),
      extraNames: fc.constantFrom(0, 5, 26),
      leaf: fc.constantFrom<unknown>(null, 7, "x", {}, []),
    })
    .map(({ body, records, items, wrongFrom, extraNames, leaf }) => {
      const fill = (array: unknown, length: number, fallback: unknown) => {
        const items = Array.isArray(array) && array.length > 0 ? array : [fallback];
        return Array.from({ length }, (_, at) =>
          at >= wrongFrom && at % 3 === 0 ? leaf : structuredClone(items[at % items.length]),
        );
      };
      if (typeof body !== "object" || body === null) return body;
      for (const key of ["passports", "passport_credentials"]) {
        if (!Array.isArray(body[key])) continue;
        body[key] = fill(body[key], records, {});
        // A different unlisted key in every record: more names than are reported.
        body[key].forEach((record: Body, at: number) => {
          if (extraNames > 0 && Object(record) === record)
            record[`extra_${String.fromCharCode(97 + (at % extraNames))}`] = at;
        });
        const first = body[key][0];
        if (typeof first === "object" && first !== null && !Array.isArray(first)) {
          if ("verified_wallets" in first)
            first.verified_wallets = fill(first.verified_wallets, items, "0xab");
        }
      }
      const single = body.passport;
      if (typeof single === "object" && single !== null && !Array.isArray(single)) {
        single.passport_socials = fill(single.passport_socials, items, {});
        single.verified_wallets = fill(single.verified_wallets, items, "0xab");
      }
      return body;
    });
