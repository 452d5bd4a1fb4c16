// What each gate says: the counts, the names and the next step that people read in `ready` and in the report.

import { describe, expect, test } from "vitest";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { v1Fields } from "../../lib/mapping/fields.ts";
import { type Facts, findOutdatedReason } from "../../lib/readiness/facts.ts";
import { affectsUsedField } from "../../lib/readiness/gates/parity.ts";
import { groupConsumers, isWithin, readTeamFacts } from "../../lib/readiness/gates/usage.ts";
import { estimateWork } from "../../lib/readiness/gates/watch.ts";
import { type GateId, judgeReadiness } from "../../lib/readiness/readiness.ts";
import type { Inventory, InventoryUse } from "../../lib/records/inventory.ts";
import type { Mapping } from "../../lib/records/mapping.ts";
import { bodyPath } from "../../lib/records/observation.ts";
import { buildPlanSection } from "../../lib/report/model/migration.ts";
import {
  aggregateOf,
  answersOf,
  consumerOf,
  dayMs,
  decidedMapping,
  factsOf,
  gateOf,
  judgedOf,
  mappingOf,
  mappingWith,
  nowMs,
  parityOf,
  undecidedRow,
  useOf,
} from "./ready-facts.ts";

const dropped = (expires: string) =>
  ({ decision: "dropped", owner: "data team", reason: "Nobody shows it.", expires }) as const;
const v1 = (name: string, change = {}) => consumerOf({ name, status: "v1", ...change });
const exempted = (name: string, expires: string) =>
  v1(name, { isExcepted: true, exceptions: [{ reason: "later", expires }] });
const drift = (path: string, change = {}) => ({
  id: `passport ${path} retyped`,
  endpoint: "passport" as const,
  path,
  level: "breaking" as const,
  isCurrent: true,
  isReviewed: true,
  ...change,
});
const driftOf = (...rows: ReturnType<typeof drift>[]) => ({ drift: { rows, judged: judgedOf("passport") } });
const compared = (change: Parameters<typeof aggregateOf>[1], fields = {}) => {
  const aggregate = aggregateOf(decidedMapping(), change);
  return { parity: parityOf({ ...aggregate, fields: { ...aggregate.fields, ...fields } }) };
};
const outlook = (daysLeft: number) => ({ outlook: { level: "warning", date: "2026-11-20", daysLeft } });

const cases: [GateId, string, Partial<Facts>, "pass" | "fail" | "unknown", string][] = [
  ["fields", "nothing is used", { consumers: [] }, "pass", "no field of V1 is in use in 12 files of src"],
  ["fields", "all is decided", {}, "pass", "all 2 used fields in 12 files of src are decided"],
  [
    ...(["fields", "some are undecided, without an inventory"] as const),
    {
      consumers: undefined,
      mapping: mappingWith(({ fields }) => {
        fields["passport.score"] = undecidedRow;
      }),
    },
    ...(["fail", `1 of ${v1Fields.length} fields of V1 is undecided: passport.score`] as const),
  ],
  [
    ...(["behaviours", "no endpoint is used"] as const),
    ...([{ consumers: [] }, "pass", "no behaviour of V1 is in use in 12 files of src"] as const),
  ],
  [
    "behaviours",
    "the passport is used",
    {},
    "pass",
    "all 5 behaviours that code in 12 files of src may use are decided",
  ],
  [
    ...(["behaviours", "there is no inventory"] as const),
    ...([{ consumers: undefined }, "pass", "all 8 behaviours are decided"] as const),
  ],
  [
    ...(["behaviours", "the list is used and the key is undecided"] as const),
    {
      consumers: [consumerOf({ uses: [useOf("a.ts", 1, "passport-list", ["passports[].score"])] })],
      mapping: mappingWith(({ behaviours }) => {
        behaviours.key = undecidedRow;
        behaviours.unauthorized = undecidedRow;
        behaviours["id-form"] = undecidedRow;
        behaviours["unknown-id"] = undecidedRow;
      }),
    },
    "fail",
    "3 of 6 behaviours of V1 are undecided: id-form (an integer becomes a UUID), key (the key becomes required), unauthorized (the meaning of 401 may change)",
  ],
  [
    ...(["behaviours", "one is unverified"] as const),
    {
      mapping: mappingWith(({ behaviours }) => {
        behaviours["wallet-as-id"] = { decision: "same", status: "unverified" };
      }),
    },
    ...([
      "unknown",
      "1 behaviour is decided but unverified: wallet-as-id (the lookup by wallet changes)",
    ] as const),
  ],
  [
    ...(["exceptions", "one of each is valid on its last day"] as const),
    {
      consumers: [exempted("web", "2026-11-15")],
      mapping: mappingWith((mapping) => {
        for (const [path, row] of Object.entries(mapping.fields))
          if (row.decision === "dropped") mapping.fields[path] = undecidedRow;
        mapping.behaviours.key = dropped("2026-11-15");
      }),
    },
    ...([
      "pass",
      "1 drop of the mapping and 1 exception in 12 files of src, none expired on 2026-11-15",
    ] as const),
  ],
  [
    ...(["exceptions", "one of each has expired"] as const),
    {
      consumers: [exempted("web", "2026-11-14"), exempted("api", "2026-11-15")],
      mapping: mappingWith(({ behaviours }) => {
        behaviours.key = dropped("2026-11-14");
      }),
    },
    ...([
      "fail",
      "2 exceptions have expired: key dropped until 2026-11-14, web exempted until 2026-11-14",
    ] as const),
  ],
  [
    ...(["exceptions", "there is no inventory"] as const),
    {
      consumers: undefined,
      mapping: mappingWith((mapping) => {
        for (const path of Object.keys(mapping.fields)) mapping.fields[path] = undecidedRow;
        mapping.behaviours.key = dropped("2026-11-15");
        mapping.behaviours.sort = dropped("2026-11-16");
      }),
    },
    ...(["unknown", "2 drops, none expired; exceptions are unknown because there is no inventory"] as const),
  ],
  [
    ...(["exceptions", "there is no mapping"] as const),
    { consumers: [exempted("web", "2026-11-15")], mapping: undefined },
    ...(["unknown", "1 exception, none expired; drops are unknown because there is no mapping"] as const),
  ],
  [
    ...(["exceptions", "there is no mapping, and one has expired"] as const),
    { consumers: [exempted("web", "2026-11-14")], mapping: undefined },
    ...(["fail", "1 exception has expired: web exempted until 2026-11-14"] as const),
  ],
  [
    ...(["parity", "a whole endpoint differs"] as const),
    compared({}, { "(profile)": { compared: 400, raw: { missing: 40 }, noise: {} } }),
    ...([
      "fail",
      "V2 differs from V1 on 1 of 2 comparable used fields in 400 pairs: (profile): not in V2 in 10 % (40 of 400)",
    ] as const),
  ],
  [
    ...(["parity", "a used field differs"] as const),
    compared({}, { "passport.human_checkmark": { compared: 400, raw: { value: 40 }, noise: {} } }),
    ...([
      "fail",
      "V2 differs from V1 on 1 of 2 comparable used fields in 400 pairs: passport.human_checkmark: value differs in 10 % (40 of 400)",
    ] as const),
  ],
  [
    ...(["parity", "a used field was compared too rarely"] as const),
    compared({}, { "passport.score": { compared: 29, raw: {}, noise: {} } }),
    ...(["unknown", "1 used field compared in fewer than 30 pairs: passport.score"] as const),
  ],
  [
    ...(["parity", "one field is used"] as const),
    { consumers: [consumerOf({ uses: [useOf("a.ts", 1, "passport", ["passport.human_checkmark"])] })] },
    ...([
      "pass",
      "used fields, compared on 2026-11-14: 1 field has V1's values in 400 pairs, excluding V1's own variance",
    ] as const),
  ],
  [
    ...(["parity", "there is no mapping"] as const),
    ...([{ mapping: undefined }, "unknown", "there is no mapping for the comparison"] as const),
  ],
  ["parity", "nothing is used", { consumers: [] }, "pass", "no V1 field is in use in 12 files of src"],
  ["parity", "nothing was compared", compared({ pairs: 0 }), "unknown", "no passport has been compared yet"],
  [
    ...(["v2-health", "V2 failed for exactly 1 % of the requests"] as const),
    compared({ v2: answersOf({ "200": 1_980, "503": 15, timeout: 5 }) }),
    ...([
      "pass",
      "V2 answered 1,995 of 2,000 requests on 2026-11-14, 1,980 of them usably (1,980 with 200, 15 with 503, 5 with timeout)",
    ] as const),
  ],
  [
    ...(["v2-health", "V2 failed more often"] as const),
    compared({ v2: answersOf({ "200": 1_979, "503": 16, timeout: 5 }) }),
    ...([
      "fail",
      "V2 answered 1,995 of 2,000 requests, 1,979 of them usably: 1,979 with 200, 16 with 503, 5 with timeout",
    ] as const),
  ],
  [
    ...(["v2-health", "V2 knows nobody"] as const),
    compared({ pairs: 50, v2: answersOf({ "404": 250 }) }),
    ...(["fail", "V2 answered 250 of 250 requests, none of them usably: 250 with 404"] as const),
  ],
  [
    ...(["v2-health", "V2 is down, so that nothing was compared"] as const),
    compared({ pairs: 0, fields: {}, v2: answersOf({ network: 45, refused: 5 }) }),
    ...(["fail", "V2 answered none of 50 requests: 45 with no response, 5 not requested: refused"] as const),
  ],
  [
    ...(["v2-health", "there are just enough requests"] as const),
    compared({ v2: answersOf({ "200": 30 }) }),
    ...(["pass", "V2 answered 30 of 30 requests on 2026-11-14, all of them usably (30 with 200)"] as const),
  ],
  [
    ...(["v2-health", "there are too few requests"] as const),
    compared({ v2: answersOf({ "200": 29 }) }),
    ...(["unknown", "29 requests were sent to V2; at least 30 are needed"] as const),
  ],
  [
    ...(["v2-health", "the comparison did not count them"] as const),
    compared({ v2: undefined }),
    ...(["unknown", "the comparison did not count what V2 answered"] as const),
  ],
  [
    ...([
      "parity",
      "V2 returns the records of others, although no field that names a person is in use",
    ] as const),
    compared({ identity: { named: 400, others: 20, ids: 400, repeated: 20 } }),
    ...([
      "fail",
      "V2 returns another person's record for 20 of 400 passports, and the id of another record for 20 of 400 passports",
    ] as const),
  ],
  [
    ...(["parity", "two records have one id, which may be chance"] as const),
    compared({ identity: { named: 400, others: 0, ids: 400, repeated: 1 } }),
    ...([
      "unknown",
      "1 field differs too rarely to rule out chance, and was not read again: passport.passport_id: the id of another record in 0.25 % (1 of 400)",
    ] as const),
  ],
  [
    ...(["parity", "a used field differed, and was equal when it was read again"] as const),
    compared(
      {},
      {
        "passport.human_checkmark": {
          compared: 400,
          raw: { value: 2 },
          noise: {},
          again: { read: 2, differ: 0 },
        },
      },
    ),
    ...([
      "pass",
      "used fields, compared on 2026-11-14: 1 field compared in 400 pairs; 1 compared by type only: passport.score; seen once, and equal when read again: passport.human_checkmark (2 of 400)",
    ] as const),
  ],
  [
    ...(["parity", "a used field differs rarely, and still did when it was read again"] as const),
    compared(
      {},
      {
        "passport.human_checkmark": {
          compared: 400,
          raw: { value: 2 },
          noise: {},
          again: { read: 2, differ: 1 },
        },
      },
    ),
    ...([
      "fail",
      "V2 differs from V1 on 1 of 2 comparable used fields in 400 pairs: passport.human_checkmark: value differs in 0.5 % (2 of 400)",
    ] as const),
  ],
  [
    ...(["v2-health", "V2 breaks its own shape"] as const),
    compared({ shape: { "profile.bio: not a string": 2 } }),
    ...(["fail", "V2's responses violate its own shape in 1 place: profile.bio: not a string"] as const),
  ],
  [
    ...(["consumers", "there is no inventory"] as const),
    ...([{ consumers: undefined }, "unknown", "V1's consumers are unknown: there is no inventory"] as const),
  ],
  ["consumers", "there are none", { consumers: [] }, "pass", "no use of V1 in 12 files of src"],
  [
    ...(["consumers", "each is migrated, dual-running or exempted"] as const),
    {
      consumers: [
        ...[consumerOf({ status: "v2" }), consumerOf({ status: "v2", isExcepted: true }), consumerOf()],
        ...[exempted("web", "2027-01-01"), exempted("api", "2027-01-01"), exempted("job", "2027-01-01")],
      ],
    },
    ...(["pass", "6 consumers in 12 files of src: 2 migrated, 1 dual-running, 3 exempted"] as const),
  ],
  [
    ...(["consumers", "some are on V1 only"] as const),
    { consumers: [v1("web"), consumerOf(), v1("api")] },
    ...([
      "fail",
      "2 of 3 consumers are on V1 only: web, api; 0 migrated, 1 dual-running, 0 exempted",
    ] as const),
  ],
  [
    "drift",
    "V1 is as documented",
    driftOf(),
    "pass",
    "V1 matches its document on every used field in 40 responses of passport, last on 2026-11-14",
  ],
  [
    ...(["drift", "two endpoints are used, one was served longer ago"] as const),
    {
      consumers: [
        consumerOf({ uses: [useOf("a.ts", 1, "passport-list", ["passports[].score"])] }),
        consumerOf(),
      ],
      drift: {
        rows: [],
        judged: [
          ...judgedOf("passport", "passport-credentials"),
          { endpoint: "passport-list" as const, responses: 1, lastMs: nowMs - 3 * dayMs },
        ],
      },
    },
    ...([
      "pass",
      "V1 matches its document on every used field in 41 responses of passport, passport-list, last on 2026-11-12",
    ] as const),
  ],
  [
    ...(["drift", "all is reviewed"] as const),
    driftOf(drift("passport.score"), drift("passport.merged")),
    ...([
      "pass",
      "1 difference on used fields, all reviewed, in 40 responses of passport, last on 2026-11-14",
    ] as const),
  ],
  [
    ...(["drift", "one of two is reviewed"] as const),
    driftOf(drift("passport.score"), drift("passport.human_checkmark", { isReviewed: false })),
    ...([
      "fail",
      "V1 differs from its document on used fields, and 1 difference is not reviewed: passport.human_checkmark",
    ] as const),
  ],
  [
    ...(["drift", "the whole body differs"] as const),
    driftOf(drift(bodyPath, { isReviewed: false })),
    ...([
      "fail",
      "V1 differs from its document on used fields, and 1 difference is not reviewed: (body)",
    ] as const),
  ],
  [
    ...(["drift", "the whole body of an unused endpoint differs"] as const),
    driftOf(drift(bodyPath, { endpoint: "passport-list", isReviewed: false })),
    ...([
      "pass",
      "V1 matches its document on every used field in 40 responses of passport, last on 2026-11-14",
    ] as const),
  ],
  [
    ...(["alerts", "an alert was delivered on the last day that counts"] as const),
    { proof: { atMs: Date.parse("2026-10-16"), isDrill: false, channel: "slack" } },
    ...(["pass", "an alert was delivered 30 days ago to slack"] as const),
  ],
  [
    ...(["alerts", "a drill is a day too old"] as const),
    { proof: { atMs: Date.parse("2026-10-15T23:59:59Z"), isDrill: true, channel: "slack" } },
    ...(["fail", "the last delivery was a drill 31 days ago; the limit is 30 days"] as const),
  ],
  [
    ...(["alerts", "a drill is of this minute, by a clock that is ahead"] as const),
    { proof: { atMs: nowMs + 4 * 60_000, isDrill: true } },
    ...(["pass", "a drill was delivered today"] as const),
  ],
  [
    ...(["alerts", "a drill is of the future"] as const),
    { proof: { atMs: nowMs + 2 * dayMs, isDrill: true } },
    ...([
      "unknown",
      "the last delivery is dated 2026-11-17 12:00 UTC, which is in the future: a clock was wrong",
    ] as const),
  ],
  [
    ...(["alerts", "there is no store"] as const),
    ...([
      { proof: undefined },
      "unknown",
      "alert delivery is unknown: the monitor's store was not found",
    ] as const),
  ],
  [
    ...(["time", "there is time"] as const),
    outlook(4),
    ...([
      "pass",
      "on 2026-11-15, V1 has 4 days left (2026-11-20), and in 12 files of src 1 line in 1 consumer still uses V1, 1 to 3 days of work (10 to 40 lines a day, and 0.5 to 2 days for each consumer)",
    ] as const),
  ],
  [
    ...(["time", "the last day has come"] as const),
    outlook(0),
    ...([
      "fail",
      "V1 has 0 days left (2026-11-20), and 1 line in 1 consumer still uses V1, 1 to 3 days of work (10 to 40 lines a day, and 0.5 to 2 days for each consumer)",
    ] as const),
  ],
  [
    ...(["time", "the date has passed"] as const),
    outlook(-1),
    ...([
      "fail",
      "V1's retirement date 2026-11-20 has passed, and 1 line in 1 consumer still uses V1, 1 to 3 days of work (10 to 40 lines a day, and 0.5 to 2 days for each consumer)",
    ] as const),
  ],
  [
    ...(["time", "V1 is retired"] as const),
    { outlook: { level: "retired" } },
    ...([
      "fail",
      "V1 is retired, and 1 line in 1 consumer still uses V1, 1 to 3 days of work (10 to 40 lines a day, and 0.5 to 2 days for each consumer)",
    ] as const),
  ],
  [
    ...(["time", "all are migrated or exempted"] as const),
    { consumers: [consumerOf({ status: "v2" }), exempted("web", "2027-01-01")] },
    ...(["pass", "no consumer needs migration work in 12 files of src"] as const),
  ],
];

test.each(cases)("The gate %s is judged by its evidence where %s", (id, _, change, state, evidence) => {
  const gate = gateOf(change, id);
  expect([gate.state, gate.evidence[0]]).toEqual([state, evidence]);
  expect(gate.next === "").toBe(state === "pass");
});

test("A failed gate names the owners and the places of what it is about", () => {
  const place = { file: "src/score.ts", line: 41 };
  expect(gateOf(driftOf(drift("passport.score", { isReviewed: false })), "drift")).toMatchObject({
    owners: ["profile team"],
    places: [place],
  });
  const differs = compared({}, { "passport.score": { compared: 400, raw: { value: 40 }, noise: {} } });
  expect(gateOf(differs, "parity")).toMatchObject({ owners: ["profile team"], places: [place] });
  const mapping = mappingWith(({ behaviours }) => {
    behaviours.key = dropped("2026-11-14");
  });
  const { owners, places } = gateOf({ mapping, consumers: [exempted("web", "2026-11-14")] }, "exceptions");
  expect(owners).toEqual(["data team", "profile team"]);
  expect(mapping.text.split("\n")[(places[0]?.line ?? 0) - 1]).toContain('"key"');
  expect(places[1]).toEqual(place);
  // A call without a read is a place of every field of the body.
  const uses = [useOf("a.ts", 7, "passport", [])];
  const read = gateOf(
    { ...driftOf(drift("passport.score", { isReviewed: false })), consumers: [consumerOf({ uses })] },
    "drift",
  );
  expect(read.places).toEqual([{ file: "a.ts", line: 7 }]);
});

describe("the verdict", () => {
  const sentenceOf = (change: Partial<Facts>) => judgeReadiness(factsOf(change)).sentence;
  test.each<[Partial<Facts>, string]>([
    [{}, "We can leave V1: all 10 gates pass."],
    [{ proof: "none" }, "We cannot say yet whether we can leave V1: 1 of 10 gates lacks evidence."],
    [{ parity: undefined }, "We cannot say yet whether we can leave V1: 2 of 10 gates lack evidence."],
    [{ consumers: [v1("web")] }, "We cannot leave V1 yet: 1 of 10 gates fails."],
    [
      { consumers: [v1("web")], ...outlook(1), proof: "none" },
      "We cannot leave V1 yet: 2 of 10 gates fail, and 1 lacks evidence.",
    ],
    [
      { consumers: [v1("web")], parity: undefined },
      "We cannot leave V1 yet: 1 of 10 gates fails, and 2 lack evidence.",
    ],
  ])("The verdict counts the gates: %#", (change, sentence) => {
    expect(sentenceOf(change)).toBe(sentence);
  });

  test("The verdict names each owner and each place once, and at most 5 and 20 of them", () => {
    const many = Array.from({ length: 12 }, (_, number) =>
      v1(`app ${number}`, {
        owners: [`team ${number % 8}`, "team 0"],
        uses: [1, 1, 2].map((line) => useOf(`${number}.ts`, line, "passport", ["passport.score"])),
      }),
    );
    const { owners, places } = gateOf({ consumers: many }, "consumers");
    expect(owners).toEqual([0, 1, 2, 3, 4].map((number) => `team ${number}`));
    expect(places).toHaveLength(20);
    expect(places.slice(0, 3)).toEqual([
      { file: "0.ts", line: 1 },
      { file: "0.ts", line: 2 },
      { file: "1.ts", line: 1 },
    ]);
  });

  test("The verdict says what would help where the scan was not sure", () => {
    const unsure = (reason: "no-call" | "incomplete") =>
      gateOf(
        {
          unsure: [
            { file: "a.rb", line: 0, reason },
            { file: "b.rb", line: 3, reason },
          ],
        },
        "consumers",
      );
    expect(unsure("no-call")).toMatchObject({
      evidence: [
        "the scan was not sure about 2 places: a.rb:0 (V1's names are there, but no call of V1 was found)",
      ],
      places: [
        { file: "a.rb", line: 1 },
        { file: "b.rb", line: 3 },
      ],
    });
    expect(unsure("incomplete")).toMatchObject({
      evidence: ["the scan was not sure about 2 places: a.rb:0 (not analysed to the end)"],
      next: expect.stringContaining("Scan the folder by itself"),
    });
  });
});

test("The work left counts each line once: calls, reads and hazards", () => {
  const uses = [
    {
      ...useOf("a.ts", 3, "passport", ["passport.score"]),
      calls: [3, 7],
      hazards: [7, 9, 11].map((line) => ({ rule: "zero", line })),
    },
    { ...useOf("b.ts", 3, "passport", ["passport.merged"]), calls: [] },
  ];
  const work = estimateWork(factsOf({ consumers: [v1("web", { uses }), consumerOf({ uses: [] })] }));
  expect(work).toMatchObject({ days: { least: 1, most: 5 }, lines: 5 });
});

describe("the comparison", () => {
  test.each([
    ["2026-10-16T00:00:00Z", undefined],
    ["2026-10-15T23:59:59Z", "the comparison is 31 days old"],
  ])("The comparison of %s is outdated on 15 November, by days of the calendar: %s", (at, reason) => {
    const parity = { ...parityOf(aggregateOf(decidedMapping())), atMs: Date.parse(at) };
    expect(findOutdatedReason(factsOf({ parity }))).toBe(reason);
  });

  test("The comparison of the single passport is no evidence for a field of the list that goes elsewhere in V2", () => {
    const used = [{ path: "passports[].human_checkmark" }];
    const affected = (change: (mapping: Mapping) => void) =>
      affectsUsedField("passport.human_checkmark", used, decidedMapping(change));
    expect(affected(() => {})).toBe(true);
    const row = decidedMapping().fields["passports[].human_checkmark"]!;
    for (const changed of [{ ...row, path: "elsewhere" }, { ...row, endpoint: "elsewhere" }, undecidedRow])
      expect(
        affected(({ fields }) => {
          fields["passports[].human_checkmark"] = changed as typeof row;
        }),
      ).toBe(false);
    expect(
      affected(({ fields }) => {
        fields["passport.human_checkmark"] = undecidedRow;
      }),
    ).toBe(false);
  });

  test("The comparison of a whole endpoint of V2 affects the fields that go there", () => {
    const mapping = decidedMapping();
    const row = mapping.fields["passport.score"]!;
    const endpoint = "endpoint" in row ? row.endpoint : "";
    expect(affectsUsedField(`(${endpoint})`, [{ path: "passport.score" }], mapping)).toBe(true);
    expect(affectsUsedField("(another)", [{ path: "passport.score" }], mapping)).toBe(false);
    expect(affectsUsedField("passport", [{ path: "passport.score" }], mapping)).toBe(true);
    expect(affectsUsedField("passport", [{ path: "pagination.total" }], mapping)).toBe(false);
  });
});

test.each([
  ["a.b", "a.b", true],
  ["a.b.c", "a.b", true],
  ["a.b[].c", "a.b", true],
  ["a.bc", "a.b", false],
  ["a", "a.b", false],
])("The path %s is within %s: %s", (path, outer, expected) => {
  expect(isWithin(path, outer)).toBe(expected);
});

describe("a consumer", () => {
  const use = (change: Partial<InventoryUse>): InventoryUse => ({
    id: "a.ts passport f",
    file: "a.ts",
    line: 0,
    language: "typescript",
    endpoint: "passport",
    confidence: "high",
    package: "web",
    codeOwners: ["@code"],
    calls: [1],
    fields: [{ path: "passport.score", line: 0 }],
    hazards: [{ rule: "zero", line: 0 }],
    firstSeen: "2026-10-01",
    status: "v1",
    ...change,
  });
  const inventoryOf = (...uses: InventoryUse[]): Inventory => ({
    schema: "v1watch/inventory/2",
    scannedOn: "2026-11-14",
    folders: [],
    uses,
    unsure: [],
  });
  const group = (...uses: InventoryUse[]) => groupConsumers(inventoryOf(...uses), "2026-11-15")[0]!;

  test("A consumer has the owners of what is left, or of all when nothing is left", () => {
    expect(group(use({ owner: "web team" }), use({ status: "dual" })).owners).toEqual(["web team", "@code"]);
    expect(group(use({ owner: "old team", gone: "2026-11-01" }), use({})).owners).toEqual(["@code"]);
    expect(group(use({ owner: "old team", status: "v2" })).owners).toEqual(["old team"]);
  });

  test("A line of the report's plan has the owner of its use, as in the plan of v1watch migrate", () => {
    const uses = [use({ file: "a.ts", owner: "web team" }), use({ file: "b.ts" })];
    const facts = factsOf({ consumers: [group(...uses)], mapping: mappingOf(decidedMapping()) });
    const owners = buildPlanSection(facts)?.lines.map(({ file, owners: [owner] }) => `${file} ${owner}`);
    expect([...new Set(owners)]).toEqual(["a.ts web team", "b.ts @code"]);
  });

  test("A consumer has lines from 1 on", () => {
    expect(group(use({})).uses).toMatchObject([{ line: 1, fields: [{ line: 1 }], hazards: [{ line: 1 }] }]);
  });

  test("A consumer without exceptions has none, and dual-running uses need none", () => {
    expect(group(use({})).exceptions).toEqual([]);
    const later = { exception: { reason: "later", expires: "2027-01-01" } };
    expect(group(use(later), use({ status: "dual" })).isExcepted).toBe(true);
    expect(group(use({ status: "dual" })).isExcepted).toBe(false);
  });

  test("A consumer is read for the day of the question, with the files about which the scan was not sure", () => {
    const until = { exception: { reason: "later", expires: "2026-11-15" } };
    const inventory = {
      ...inventoryOf(use(until)),
      unsure: [{ file: "b.rb", line: 1, reason: "incomplete" as const }],
    };
    const { consumers, unsure } = readTeamFacts({ inventory }, nowMs);
    expect(consumers?.[0]).toMatchObject({ name: "web", isExcepted: true });
    expect(unsure).toEqual(inventory.unsure);
    expect(readTeamFacts({ inventory }, nowMs + dayMs).consumers?.[0]?.isExcepted).toBe(false);
    expect(readTeamFacts({}, nowMs)).toEqual({
      mapping: undefined,
      parity: undefined,
      consumers: undefined,
      unsure: undefined,
    });
  });
});

test("Every endpoint has fields, so that a call without a read uses some of them", () => {
  for (const endpoint of endpointIds)
    expect(
      gateOf({ consumers: [v1("web", { uses: [useOf("a.ts", 1, endpoint, [])] })] }, "fields").evidence[0],
    ).toMatch(/^all [1-9]\d* used fields in 12 files of src are decided$/);
});
