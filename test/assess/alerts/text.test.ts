import { expect, test } from "vitest";
import { describeFinding } from "../../../lib/assess/alerts/impact.ts";
import { count, describeNotices, nameOutcome } from "../../../lib/assess/alerts/text.ts";
import { outcomeKinds } from "../../../lib/records/observation.ts";
import { fc } from "../../random.ts";
import { observationOf } from "../observation-builder.ts";

test("a count is written with English thousands separators", () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -5_000, max: 5_000 })), (number) => {
      expect(count(number)).toBe(number.toLocaleString("en-US"));
    }),
  );
  expect(count(1234.5)).toBe("1,234.5");
});

test("every outcome has its own short name", () => {
  const refused = nameOutcome({ kind: "network", detail: "refused" });
  expect(refused).toBe("no answer");
  expect(nameOutcome({ kind: "refused", detail: "no-sample" })).toBe("not requested: no sample");
  expect(nameOutcome({ kind: "refused", detail: "address" })).toBe("not requested");
  expect(nameOutcome({ kind: "not-json", status: 200, detail: "html" })).toBe("not JSON");
  expect(nameOutcome({ kind: "redirect", status: 302 })).toBe("302 redirect");
  expect(nameOutcome({ kind: "status", status: 503 })).toBe("503");
  const names = outcomeKinds.map((kind) => nameOutcome({ kind }));
  expect(new Set(names).size).toBe(outcomeKinds.length);
});

test.each([
  ["2026-12-30T13:00:00Z", "Sunset 2026-12-31: V1 announces its end in 1 day"],
  ["2026-12-31T11:00:00Z", "Sunset 2026-12-31: V1 announces its end today"],
  ["2026-12-31T22:00:00Z", "Sunset 2026-12-31 passed today, and V1 still answers"],
  ["2027-01-02T01:00:00Z", "Sunset 2026-12-31 passed 2 days ago, and V1 still answers"],
])("at %s it is said: %s", (now, words) => {
  const observation = observationOf({ notices: { sunset: "2026-12-31T12:00:00.000Z" } });
  expect(describeNotices(observation, Date.parse(now))).toEqual([words]);
});

test("a field that is not in the document is described with its type", () => {
  const extra = { path: "passports[].user", kind: "extra", expected: "nothing" } as const;
  expect(describeFinding({ ...extra, observed: "null" })).toBe("not in the document (null)");
  expect(describeFinding({ ...extra, observed: "object" })).toBe("not in the document (object)");
});
