// The parity gate starts from lies: comparisons of something else, of another time, or of what was not looked at.
import { describe, expect, test } from "vitest";
import type { Facts } from "../../lib/readiness/facts.ts";
import { address, aggregateOf, dayMs, decidedMapping, gateOf, nowMs, parityOf } from "./ready-facts.ts";

const honest = parityOf(aggregateOf(decidedMapping()));
const compared = honest.compared!;
const numbers = {
  records: 400,
  zeros: { v1: 2, v2: 2 },
  ranked: 19_800,
  concordant: { v1: 19_800, v2: 19_000 },
};
const withScore = (change: object) => {
  const aggregate = aggregateOf(decidedMapping());
  aggregate.fields["passport.score"] = { compared: 400, raw: {}, noise: {}, numbers, ...change };
  return { ...honest, aggregate };
};

describe("a comparison that is no evidence about this V1 of now", () => {
  test.each<[string, Partial<Facts>, string]>([
    [
      "was made with the simulator",
      { parity: { ...honest, compared: { ...compared, v1: "http://127.0.0.1:4181" } } },
      "with the V1 at http://127.0.0.1:4181, and not with https://api.example.com",
    ],
    [
      "was made with another V2",
      { parity: { ...honest, compared: { ...compared, v2: "http://127.0.0.1:4182" } } },
      "with the V2 at http://127.0.0.1:4182",
    ],
    [
      "was made with another contract",
      { parity: { ...honest, compared: { ...compared, contract: "0123456789abcdef" } } },
      "another contract",
    ],
    ["is from the future", { parity: { ...honest, atMs: nowMs + dayMs } }, "in the future"],
    ["cannot be of a V1 that is not known", { address: undefined }, "address is not configured"],
  ])("A comparison that %s leaves both gates unknown", (_, change, words) => {
    for (const id of ["parity", "v2-health"] as const) {
      const gate = gateOf(change, id);
      expect(gate.state, id).toBe("unknown");
      expect(gate.problem, id).toContain(words);
    }
  });
});

test("A V2 whose score is 0 for everybody fails the parity gate, although its type agrees", () => {
  const zeros = {
    records: 400,
    zeros: { v1: 2, v2: 400 },
    ranked: 19_800,
    concordant: { v1: 19_800, v2: 0 },
  };
  const gate = gateOf({ parity: withScore({ raw: { zero: 398 }, numbers: zeros }) }, "parity");
  expect(gate.state).toBe("fail");
  expect(gate.evidence[0]).toContain("passport.score: 0 in V2 only in 99.5 %");
});

test("The parity gate says what is known about a number that was compared by type only", () => {
  expect(gateOf({ parity: withScore({}) }, "parity")).toMatchObject({
    state: "pass",
    evidence: [
      "used fields, compared on 2026-11-14: 1 field has V1's values in 400 pairs, excluding V1's own variance; 1 compared by type only: passport.score (0 in 2 of 400 at V1 and in 2 at V2, 96 % of 19,800 record pairs in V1's order; up to about 11 % random numbers would pass)",
    ],
  });
});

test("An address with a path or a user name is the same V1", () => {
  const facts = { address: address.replace("//", "//user:password@").concat("/base") };
  expect(gateOf({ ...facts, parity: honest }, "parity").state).toBe("pass");
});
