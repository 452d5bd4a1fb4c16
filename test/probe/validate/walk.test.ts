import fc from "fast-check";
import { expect, test } from "vitest";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { countWord, createBoundedCount } from "../../../lib/probe/validate/bounded-count.ts";
import { isPlainKey, isPlainValue } from "../../../lib/probe/validate/tally.ts";
import { analyseBody } from "../../../lib/probe/validate/validate-body.ts";
import { walkBody } from "../../../lib/probe/validate/walk.ts";
import { anyEndpoint, bodyOf, clock, mutatedBody } from "./bodies.ts";

test("one body leaves no trace in the analysis of the next", () => {
  const pairs = anyEndpoint.chain((endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      one: fc.oneof(mutatedBody(endpoint), fc.jsonValue()),
      other: mutatedBody(endpoint),
    }),
  );
  fc.assert(
    fc.property(pairs, ({ endpoint, one, other }) => {
      const clean = () => analyseBody(endpoint, bodyOf(endpoint), { clock });
      const before = clean();
      const first = analyseBody(endpoint, other, { clock });
      analyseBody(endpoint, one, { clock });
      expect(analyseBody(endpoint, other, { clock })).toEqual(first);
      expect(clean()).toEqual(before);
    }),
    { numRuns: 150 },
  );
});

test.each(endpointIds)(
  "of a documented %s every key is met, and of an unlisted object only its name",
  (endpoint) => {
    const keysIn = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? (Array.isArray(value) ? 0 : Object.keys(value).length) +
          Object.values(value).reduce<number>((sum, inner) => sum + keysIn(inner), 0)
        : 0;
    const body = bodyOf(endpoint);
    expect(walkBody(endpoint, body).keys).toBe(keysIn(body));
    expect(walkBody(endpoint, { ...body, more: { a: { b: 1 } } }).keys).toBe(keysIn(body) + 1);
  },
);

test("a bounded count keeps the first words of the alphabet, whatever the order in which they come", () => {
  const isShort = (word: string) => word.length < 6;
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-f]{1,8}$/), { maxLength: 60 }), (words) => {
      const count = (order: readonly string[]) => {
        const into = createBoundedCount(5);
        for (const word of order) countWord(into, word, isShort, 0);
        return { kept: Object.fromEntries([...into.counts].toSorted()), folded: into.folded };
      };
      const { kept, folded } = count(words);
      const firsts = [...new Set(words.filter(isShort))].toSorted().slice(0, 5);
      expect(Object.keys(kept).toSorted()).toEqual(firsts);
      const total = Object.values(kept).reduce((sum, [times = 0]) => sum + times, folded[0]!);
      expect(total).toBe(words.length);
      expect(count(words.toReversed())).toEqual({ kept, folded });
    }),
  );
});

test.each([
  ["created_at", true],
  ["user", true],
  ["camelCase", true],
  ["onchain_2", true],
  ["address2", true],
  ["ada.lovelace", false],
  ["ada@example.org", false],
  ["0x1234", false],
  ["9d8f7a6b5c4d3e2f", false],
  ["token_8f7a6b5c", false],
  ["a".repeat(41), false],
  ["__proto__", false],
  ["<script>", false],
  ["имя", false],
  ["", false],
])("the key %j is a plain word: %s", (key, isPlain) => {
  expect(isPlainKey(key)).toBe(isPlain);
});

test.each([
  ["lens", true],
  ["talent_protocol", true],
  ["Activity", true],
  ["World Chain", true],
  ["ada@example.org", false],
  ["+49 170 1234567", false],
  ["id 1234567", false],
  ["", false],
  [" lens", false],
  [`${"a ".repeat(20)}a`, false],
  ["=1+1", false],
])("the value %j reads like a label: %s", (value, isLabel) => {
  expect(isPlainValue(value)).toBe(isLabel);
});
