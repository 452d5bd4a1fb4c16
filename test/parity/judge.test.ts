// How the counts of all passports are judged.
import { describe, expect, test } from "vitest";
import { judgeParity } from "../../lib/parity/judge.ts";
import { differenceKinds, emptyParity } from "../../lib/records/parity.ts";
import { fc, runs } from "../random.ts";

describe("judgeParity", () => {
  const judge = (compared: number, raw: number, noise: number) =>
    judgeParity({
      ...emptyParity(),
      pairs: compared,
      fields: { f: { compared, raw: { value: raw }, noise: { value: noise } } },
    });

  test("judgeParity reports a difference that exceeds the noise by the relative and the absolute margin", () => {
    expect(judge(1_000, 100, 10).verdict).toBe("differences");
    expect(judge(1_000, 100, 10).differences[0]).toMatchObject({
      path: "f",
      kind: "value",
      rawRate: 0.1,
      noiseRate: 0.01,
    });
    expect(judge(1_000, 10, 100).verdict).toBe("parity");
    expect(judge(1_000, 100, 100).verdict).toBe("parity");
    // The relative margin is 20 %; 11,500 against 8,500 is 15 %.
    expect(judge(100_000, 11_500, 8_500).verdict).toBe("parity");
    expect(judge(100_000, 13_000, 8_500).verdict).toBe("differences");
    // The absolute margin is 0.03 %; 3 in 10,000 does not exceed it, 4 in 10,000 does.
    expect(judge(10_000, 3, 0)).toMatchObject({
      verdict: "insufficient",
      differences: [],
      unsure: [{ raw: 3 }],
    });
    expect(judge(10_000, 4, 0).verdict).toBe("differences");
  });

  test("judgeParity reports three differences if V1 showed no noise, but not if V1 is noisy", () => {
    expect(judge(100, 3, 0)).toMatchObject({ verdict: "differences", unsure: [] });
    expect(judge(100, 5, 1).verdict).toBe("parity");
    expect(judge(100, 25, 1).verdict).toBe("differences");
  });

  test("judgeParity says insufficient if the differences are too rare to rule out V1's noise", () => {
    const rare = judge(100, 2, 0);
    expect(rare).toMatchObject({ verdict: "insufficient", differences: [], insufficient: [] });
    expect(rare.unsure).toMatchObject([{ path: "f", kind: "value", raw: 2, compared: 100 }]);
  });

  test("judgeParity reports rare V1 noise as a difference in at most 5 % of comparisons", () => {
    const chanceOf = (seen: number, pairs: number, rate: number) => {
      let chance = (1 - rate) ** pairs;
      for (let k = 0; k < seen; k++) chance *= ((pairs - k) / (k + 1)) * (rate / (1 - rate));
      return chance;
    };
    /** The false-positive probability: the sum over all outcomes of two reads of the same noise. */
    const falsePositiveRate = (pairs: number, rate: number) => {
      let sum = 0;
      for (let raw = 1; raw < 15; raw++) {
        for (let noise = 0; noise < raw; noise++) {
          if (judge(pairs, raw, noise).differences.length > 0)
            sum += chanceOf(raw, pairs, rate) * chanceOf(noise, pairs, rate);
        }
      }
      return sum;
    };
    for (const pairs of [30, 100, 400]) {
      for (const rate of [0.001, 0.002, 0.005, 0.01, 0.02])
        expect(falsePositiveRate(pairs, rate), `${pairs} ${rate}`).toBeLessThan(0.05);
    }
  });

  test("judgeParity says insufficient below 30 pairs in total or for one field", () => {
    expect(judge(29, 29, 0)).toMatchObject({ verdict: "insufficient", differences: [] });
    expect(judge(30, 0, 0).verdict).toBe("parity");
    const fields = { f: { compared: 29, raw: {}, noise: {} }, g: { compared: 90, raw: {}, noise: {} } };
    expect(judgeParity({ ...emptyParity(), pairs: 90, fields })).toMatchObject({
      verdict: "insufficient",
      insufficient: [{ path: "f", compared: 29 }],
    });
  });
});

describe("the counts of all passports", () => {
  const judge = (fields: Record<string, [raw: object, noise: object]>, more: object = {}) =>
    judgeParity({
      ...emptyParity(),
      pairs: 1_000,
      ...more,
      fields: Object.fromEntries(
        Object.entries(fields).map(([path, [raw, noise]]) => [path, { compared: 1_000, raw, noise }]),
      ),
    });

  test("The counts of all passports give differences by frequency beyond the noise, then by path, for each kind", () => {
    const { differences, fields } = judge({
      "(profile)": [{}, {}],
      rare: [{ value: 50 }, {}],
      noisy: [{ value: 900 }, { value: 550 }],
      z: [{ type: 100 }, {}],
      b: [{ missing: 100, value: 400 }, {}],
    });
    expect(differences.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      ...["b value", "noisy value", "b missing", "z type", "rare value"],
    ]);
    expect(differences[1]).toEqual({
      path: "noisy",
      kind: "value",
      compared: 1_000,
      raw: 900,
      noise: 550,
      rawRate: 0.9,
      noiseRate: 0.55,
    });
    expect(fields).toBe(4);
  });

  test("The counts of all passports are differences where V2 violates its own schema, if there are enough pairs", () => {
    const shape = { "profile id missing": 2 };
    expect(judge({ a: [{}, {}] }, { shape })).toMatchObject({
      verdict: "differences",
      shape: [{ breach: "profile id missing", answers: 2 }],
    });
    expect(judge({ a: [{}, {}] }, { shape, pairs: 29 }).verdict).toBe("insufficient");
    expect(judge({ a: [{}, {}] }, { pairs: 29 }).verdict).toBe("insufficient");
    expect(judge({}, { shape }).verdict).toBe("insufficient");
    expect(judge({}).verdict).toBe("insufficient");
  });

  test("The counts of all passports are within chance up to three standard deviations where V1 itself is noisy", () => {
    // 84 against 50 of 1,000: the deviation is √(84 · 0.916 + 50 · 0.95) = 11.15, and three are 33.5.
    expect(judge({ a: [{ value: 83 }, { value: 50 }] }).verdict).toBe("parity");
    expect(judge({ a: [{ value: 84 }, { value: 50 }] }).verdict).toBe("differences");
  });
});

test("Every difference that was seen is in a list of the verdict, or is counted with a field that was compared too rarely", () => {
  const counts = fc.dictionary(fc.constantFrom(...differenceKinds), fc.nat(40), { maxKeys: 3 });
  const field = fc.record({
    compared: fc.constantFrom(12, 29, 30, 400, 6_667, 100_000),
    raw: counts,
    noise: counts,
    again: fc.option(fc.record({ read: fc.nat(5), differ: fc.nat(2) }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b", "c"), field), (fields) => {
      const { differences, unsure, gone, varying, insufficient, verdict } = judgeParity({
        ...emptyParity(),
        pairs: 100_000,
        fields,
      });
      const listed = [...differences, ...unsure, ...gone, ...varying].map(
        ({ path, kind }) => `${path} ${kind}`,
      );
      expect(new Set(listed).size).toBe(listed.length);
      for (const [path, { compared, raw }] of Object.entries(fields)) {
        const row = insufficient.find((one) => one.path === path);
        if (compared < 30)
          expect(row?.differing).toBe(
            Math.min(
              compared,
              Object.values(raw).reduce((a, b) => a + b, 0),
            ),
          );
        else
          for (const [kind, times] of Object.entries(raw))
            expect(listed.includes(`${path} ${kind}`), `${path} ${kind} ${times}`).toBe(times > 0);
      }
      if (verdict === "parity") expect([differences, unsure, insufficient]).toEqual([[], [], []]);
    }),
    { numRuns: runs(500) },
  );
});
