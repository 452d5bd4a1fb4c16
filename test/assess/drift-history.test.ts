// Whether a difference from V1's document is a change, or was there from the first checks on.
import { expect, test } from "vitest";
import type { Finding } from "../../lib/records/observation.ts";
import { type Service, startMs, watch } from "./driver.ts";
import { hourMs } from "./observation-builder.ts";

const missing = (path: string): Finding => ({
  id: `passport-list ${path} missing`,
  path,
  kind: "missing",
  expected: "number",
  observed: "missing",
  count: 20,
  of: 20,
  level: "breaking",
});
const [first, later] = [missing("passports[].score"), missing("passports[].connections_count")];

const play = (list: (hour: number) => ReturnType<Service>) => {
  const { events, state } = watch(
    ({ endpoint, atMs }) => (endpoint === "passport-list" ? list((atMs - startMs) / hourMs) : {}),
    { days: 1 },
  );
  const drift = events.filter(({ incident }) => incident.rule === "breaking-drift");
  return {
    announced: drift.map(({ event, incident }) => [event, incident.facts.findings?.map(({ id }) => id)]),
    isChange: Object.fromEntries(
      Object.values(state.drift.rows).map((row) => [row.finding.id, row.isChange]),
    ),
  };
};

test("A difference from the first checks on is how this V1 is; one that appears later is announced as a change", () => {
  const { announced, isChange } = play((hour) => ({ findings: hour < 12 ? [first] : [first, later] }));
  expect(announced).toEqual([["opened", [later.id]]]);
  expect(isChange).toEqual({ [first.id]: false, [later.id]: true });
});

test("What the first responses with data show is how this V1 is, however long it has sent stub data before", () => {
  const { announced, isChange } = play((hour) =>
    hour < 12 ? { notices: { body: "stub-data" } } : { findings: [first] },
  );
  expect(announced).toEqual([]);
  expect(isChange).toEqual({ [first.id]: false });
});
