// Laws over random inventories: more code that uses V1 never makes a gate better.
import { expect, test } from "vitest";
import type { EndpointId } from "../../lib/contract/endpoints.ts";
import { v1Fields } from "../../lib/mapping/fields.ts";
import type { DriftFact, Facts, GateState } from "../../lib/readiness/facts.ts";
import { readTeamFacts } from "../../lib/readiness/gates/usage.ts";
import { judgeReadiness } from "../../lib/readiness/readiness.ts";
import type { InventoryUse } from "../../lib/records/inventory.ts";
import { fc } from "../random.ts";
import {
  address,
  aggregateOf,
  decidedMapping,
  factsOf,
  judgedOf,
  mappingOf,
  nowMs,
  parityOf,
  rehearsalOf,
} from "./ready-facts.ts";

const ids: readonly EndpointId[] = [...new Set(v1Fields.map(({ endpoint }) => endpoint))];
const pathsOf = (endpoint: EndpointId) =>
  v1Fields.flatMap((field) => (field.endpoint === endpoint ? [field.path] : []));
const days = ["2026-01-31", "2026-11-15", "2027-06-30"] as const;

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

/** A use in a file of its own, whose fields come from its own calls or from those of `others`. */
const useIn = (file: string, others: readonly string[]): fc.Arbitrary<InventoryUse> =>
  fc.constantFrom(...ids).chain((endpoint) => {
    const calls = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 2 });
    return calls.chain((own) => {
      const field = fc.record({
        path: fc.constantFrom(...pathsOf(endpoint)),
        line: fc.integer({ min: 1, max: 30 }),
        isRequired: maybe(fc.boolean()),
        from: fc.constantFrom(undefined, ...own.map((line) => `${file}:${line}`), ...others),
      });
      return fc.record({
        id: fc.constant(`${file} ${endpoint} load`),
        file: fc.constant(file),
        line: fc.constant(1),
        language: fc.constantFrom("javascript", "python", "rb"),
        endpoint: fc.constant(endpoint),
        confidence: fc.constantFrom("high", "medium", "low"),
        package: fc.constantFrom("web", "jobs"),
        codeOwners: fc.constant([]),
        calls: fc.constant(own),
        fields: fc.array(field, { maxLength: 3 }),
        hazards: fc.array(fc.record({ rule: fc.constant("catch-default"), line: fc.constant(2) }), {
          maxLength: 1,
        }),
        passedOn: maybe(fc.constant([`${file}:9`])),
        firstSeen: fc.constant("2026-11-01"),
        status: fc.constantFrom("v1", "v1", "dual", "v2"),
        exception: maybe(fc.record({ reason: fc.constant("later"), expires: fc.constantFrom(...days) })),
        checkedFields: maybe(fc.constantFrom(...pathsOf(endpoint)).map((path) => [path as "passport.score"])),
      });
    });
  });

const files = ["a.ts", "b.ts", "c.py", "d.rb"];
const callsOf = files.flatMap((file) => [1, 2, 3].map((line) => `${file}:${line}`));
const uses = fc
  .subarray(files)
  .chain((some) => fc.tuple(...some.map((file) => useIn(file, callsOf))))
  .map((list) => list as InventoryUse[]);
/** Of another team: it reads nothing of the responses that the others asked for. */
const another = useIn("another/e.ts", []);

const somePaths = fc.uniqueArray(fc.constantFrom(...v1Fields.map(({ path }) => path)), { maxLength: 3 });

/** A mapping, a comparison, a history of drift and a retirement, each with something open. */
const circumstances = fc.record({
  undecided: somePaths,
  unverified: somePaths,
  openBehaviours: fc.integer({ min: 0, max: 2 }),
  compared: fc.constantFrom(0, 3, 400, 400, 400),
  differing: fc.subarray(["passport.score", "passport.merged", "passport_credentials[].value"]),
  drifting: maybe(fc.constantFrom(...v1Fields)),
  judged: fc.subarray([...ids]),
  daysLeft: maybe(fc.integer({ min: -3, max: 30 })),
  has: fc.record({ mapping: fc.boolean(), parity: fc.boolean(), rehearsal: fc.boolean() }),
});
type Circumstances = typeof circumstances extends fc.Arbitrary<infer Value> ? Value : never;

function factsWith(list: readonly InventoryUse[], given: Circumstances): Facts {
  const mapping = decidedMapping(({ fields, behaviours }) => {
    for (const path of given.unverified)
      if (fields[path]) fields[path] = { ...fields[path], status: "unverified" };
    for (const path of given.undecided) fields[path] = { decision: "undecided" };
    for (const id of Object.keys(behaviours).slice(0, given.openBehaviours))
      behaviours[id] = { decision: "undecided" };
  });
  const aggregate = aggregateOf(mapping);
  for (const [path, counts] of Object.entries(aggregate.fields)) {
    counts.compared = given.compared;
    if (given.differing.includes(path)) counts.raw = { value: given.compared };
  }
  const folders = [{ name: "", files: 40, scannedOn: "2026-11-15", digest: "" }];
  const inventory = {
    schema: "v1watch/inventory/2" as const,
    scannedOn: "2026-11-15",
    folders,
    uses: [...list],
    unsure: [],
  };
  const drifting: DriftFact[] = given.drifting
    ? [
        {
          id: "d",
          endpoint: given.drifting.endpoint,
          path: given.drifting.path,
          level: "breaking",
          isCurrent: true,
          isReviewed: false,
        },
      ]
    : [];
  return factsOf({
    ...readTeamFacts({ inventory }, nowMs),
    address,
    mapping: given.has.mapping ? mappingOf(mapping) : undefined,
    parity: given.has.parity ? parityOf(aggregate, mapping) : undefined,
    rehearsal: given.has.rehearsal ? rehearsalOf("loud") : undefined,
    drift: { rows: drifting, judged: judgedOf(...given.judged) },
    outlook: { level: "warning", date: "2027-03-31", daysLeft: given.daysLeft },
  });
}

const rank: Record<GateState, number> = { fail: 0, unknown: 1, pass: 2 };
const ranksOf = (facts: Facts) =>
  judgeReadiness(facts).gates.map(({ id, state }) => [id, rank[state]] as const);

/** Less was looked at, longer ago, or something else. */
const lesser = fc.constantFrom<Partial<Facts>>(
  { scanned: undefined },
  { scanned: [] },
  { scanned: [{ name: "", files: 0, scannedOn: "2026-11-15" }] },
  { scanned: [{ name: "", files: 40, scannedOn: "2026-10-01" }] },
  { scanned: [{ name: "", files: 40, scannedOn: "2026-12-24" }] },
  { scanned: [{ name: "", files: 40, scannedOn: "2026-11-15", changed: 1 }] },
  { unsure: [{ file: "f.ts", line: 1, reason: "link" }] },
);

test("A scan that looked at less, long ago or at other files never makes a gate better", () => {
  fc.assert(
    fc.property(uses, lesser, circumstances, (list, change, given) => {
      const facts = factsWith(list, given);
      const after = new Map(ranksOf({ ...facts, ...change }));
      for (const [id, before] of ranksOf(facts)) expect(after.get(id)!, id).toBeLessThanOrEqual(before);
    }),
    { numRuns: 400 },
  );
});

test("A use that reads its own responses never makes a gate better", () => {
  fc.assert(
    fc.property(uses, another, circumstances, (list, added, given) => {
      const after = new Map(ranksOf(factsWith([...list, added], given)));
      for (const [id, before] of ranksOf(factsWith(list, given)))
        expect(after.get(id)!, id).toBeLessThanOrEqual(before);
    }),
    { numRuns: 400 },
  );
});
