import { expect, test } from "vitest";
import { describeFinding } from "../../../lib/assess/text/impact.ts";
import { describeNotices } from "../../../lib/assess/text/text.ts";
import { observationOf } from "../observation-builder.ts";

test.each([
  ["2026-12-30T13:00:00Z", "Sunset 2026-12-31: V1 is to end in 1 day"],
  ["2026-12-31T11:00:00Z", "Sunset 2026-12-31: V1 is to end today"],
  ["2026-12-31T22:00:00Z", "Sunset 2026-12-31 passed today, and V1 still answers"],
  ["2027-01-02T01:00:00Z", "Sunset 2026-12-31 passed 2 days ago, and V1 still answers"],
])("At %s it is said: %s", (now, words) => {
  const observation = observationOf({ notices: { sunset: "2026-12-31T12:00:00.000Z" } });
  expect(describeNotices(observation, Date.parse(now))).toEqual([words]);
});

test("A field that is not in the document is described with its type", () => {
  const extra = { path: "passports[].user", kind: "extra", expected: "nothing" } as const;
  expect(describeFinding({ ...extra, observed: "null" })).toBe("not in the document (null)");
  expect(describeFinding({ ...extra, observed: "object" })).toBe("not in the document (object)");
});
