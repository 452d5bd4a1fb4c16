// The corpus of hostile bodies and 5,000 generated ones; `npm run soak` observes a million.
import { expect, test } from "vitest";
import { corpus } from "../probe/validate/hostile-corpus.ts";
import { generateResponses, observeHostile } from "../probe/validate/hostile-generator.ts";

const generated = 5_000;

// The floods are in test/probe/validate/hostile-body.test.ts.
test("Every body of the corpus gives one small and valid record", () => {
  expect(observeHostile(corpus()).faults).toEqual([]);
});

test(`${generated.toLocaleString("en-US")} generated responses give small and valid records without a key or a mark of a person`, () => {
  const seed = Number(process.env.V1WATCH_SEED ?? 1);
  console.log(`hostile bodies: V1WATCH_SEED=${seed}`);
  const result = observeHostile(generateResponses(generated, seed));
  expect(result.faults).toEqual([]);
  expect(result.bodies).toBe(generated);
  // The generator reaches what it is meant to reach.
  for (const kind of ["ok", "unauthorized", "redirect", "status", "not-json", "bad-encoding"])
    expect(result.outcomes[kind], kind).toBeGreaterThan(generated / 1_000);
});
