import { describe, expect, test } from "vitest";
import { viewObservation } from "../../../lib/local/page/observation.ts";
import { observationOf } from "../../assess/observation-builder.ts";

describe("viewObservation", () => {
  const explain = (validated?: { records: number; of: number }) =>
    viewObservation(observationOf(validated ? { validated } : {}), Date.UTC(2026, 10, 15)).explain;

  test("says how many records were validated where it was a part of them", () => {
    expect(explain({ records: 500, of: 900 })).toContain("Only the first 500 of 900 records were validated.");
  });

  test("says nothing about validation where all records were validated", () => {
    for (const lines of [explain({ records: 25, of: 25 }), explain()])
      expect(lines.join(" ")).not.toContain("validated");
  });
});
