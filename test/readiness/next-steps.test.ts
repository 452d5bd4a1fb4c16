// The next step of each gate that does not pass: people copy its command, so each is written out here.

import { describe, expect, test } from "vitest";
import { type DriftFact, type Facts, findShallow } from "../../lib/readiness/facts.ts";
import { fieldsInUse, findRowLine } from "../../lib/readiness/gates/mapping.ts";
import { findUsedFields, isAffected, usedEndpoints } from "../../lib/readiness/gates/usage.ts";
import type { GateId } from "../../lib/readiness/readiness.ts";
import { plural } from "../../lib/text.ts";
import {
  aggregateOf,
  answersOf,
  consumerOf,
  dayMs,
  decidedMapping,
  factsOf,
  gateOf,
  judgedOf,
  mappingWith,
  nowMs,
  parityOf,
  undecidedRow,
  useOf,
} from "./ready-facts.ts";

const compared = (change: Parameters<typeof aggregateOf>[1], fields = {}) => {
  const aggregate = aggregateOf(decidedMapping(), change);
  return { parity: parityOf({ ...aggregate, fields: { ...aggregate.fields, ...fields } }) };
};
const v1Only = [consumerOf({ status: "v1" })];
const breaking: DriftFact = {
  id: "passport passport.score retyped string",
  endpoint: "passport",
  path: "passport.score",
  level: "breaking",
  isCurrent: true,
  isReviewed: false,
};
const driftOf = (change: Partial<DriftFact> = {}) => ({
  drift: { rows: [{ ...breaking, ...change }], judged: judgedOf("passport") },
});
const decoded = {
  ...useOf("src/score.ts", 41, "passport", []),
  fields: [{ path: "passport.score", line: 42, isRequired: true }],
};
const scan = "Run `v1watch scan DIR… --inventory v1watch.inventory.json` over the code that uses V1.";
const init = "Create one with `v1watch migrate init`, then decide each row.";
const again = "Compare again: `v1watch parity --json > parity.state.json`.";
const more = "Compare more passports: `v1watch parity --cohort FILE --resume FILE`.";
const deliver =
  "Run `v1watch notify --test` or `v1watch notify --drill`, and confirm that the message arrives.";
const store = "Start `v1watch up`, or name a store with --store.";
const people = "Assign more people, exempt consumers that may break, or ask V1's owner for a later date.";

test.each<[GateId, string, Partial<Facts>, string]>([
  ["fields", "there is no mapping", { mapping: undefined }, init],
  [
    ...(["fields", "a field is undecided"] as const),
    {
      mapping: mappingWith(({ fields }) => {
        fields["passport.score"] = undecidedRow;
      }),
    },
    "Decide passport.score in v1watch.mapping.json.",
  ],
  [
    ...(["fields", "a field is unverified and was not compared"] as const),
    {
      parity: undefined,
      mapping: mappingWith(({ fields }) => {
        fields["passport.score"] = { ...fields["passport.score"]!, status: "unverified" };
      }),
    },
    "Check V2's responses and remove `unverified` from these rows, or run `v1watch parity`.",
  ],
  ["behaviours", "there is no mapping", { mapping: undefined }, init],
  [
    ...(["behaviours", "one is undecided"] as const),
    {
      mapping: mappingWith(({ behaviours }) => {
        behaviours.key = undecidedRow;
      }),
    },
    "Decide what consumers do about key, in v1watch.mapping.json.",
  ],
  [
    ...(["behaviours", "one is unverified"] as const),
    {
      mapping: mappingWith(({ behaviours }) => {
        behaviours.key = { decision: "same", status: "unverified" };
      }),
    },
    "Verify each behaviour against V2 and remove `unverified` from its row.",
  ],
  [
    ...(["exceptions", "there is neither a mapping nor an inventory"] as const),
    { mapping: undefined, consumers: undefined },
    "Run `v1watch migrate init` and `v1watch scan DIR… --inventory v1watch.inventory.json`.",
  ],
  ["exceptions", "there is no mapping", { mapping: undefined }, init],
  ["exceptions", "there is no inventory", { consumers: undefined }, scan],
  [
    ...(["exceptions", "one has expired"] as const),
    { consumers: [consumerOf({ name: "web", exceptions: [{ reason: "later", expires: "2026-11-14" }] })] },
    "Renew the decision on web with a new expiry date, or remove the exception.",
  ],
  ["parity", "there is none", { parity: undefined }, "Run `v1watch parity --json > parity.state.json`."],
  ["parity", "there is no mapping", { mapping: undefined }, "Create one with `v1watch migrate init`."],
  [
    ...(["parity", "it is old"] as const),
    { parity: { ...parityOf(aggregateOf(decidedMapping())), atMs: nowMs - 40 * dayMs } },
    again,
  ],
  [
    ...(["parity", "nothing was compared"] as const),
    ...([compared({ pairs: 0 }), "Run `v1watch parity --cohort FILE --resume FILE`."] as const),
  ],
  [
    ...(["parity", "all used fields are undecided"] as const),
    {
      mapping: mappingWith(({ fields }) => {
        for (const path of ["passport.score", "passport.human_checkmark"]) fields[path] = undecidedRow;
      }),
    },
    "Decide their paths in V2; `v1watch migrate coverage` lists them.",
  ],
  [
    ...(["parity", "a field differs"] as const),
    compared({}, { "passport.score": { compared: 400, raw: { value: 40 }, noise: {} } }),
    "Find out why passport.score differs, then correct its mapping row or contact V2's owner.",
  ],
  [
    ...(["parity", "a field differs rarely"] as const),
    compared({}, { "passport.score": { compared: 400, raw: { value: 2 }, noise: {} } }),
    "Run the same comparison at least an hour later, which reads them again: `v1watch parity --cohort FILE --resume FILE`.",
  ],
  [
    ...(["parity", "a field was compared too rarely"] as const),
    compared({}, { "passport.score": { compared: 29, raw: {}, noise: {} } }),
    more,
  ],
  [
    "v2-health",
    "there are too few",
    compared({ v2: answersOf({ "200": 3 }) }),
    "Compare more passports: `v1watch parity`.",
  ],
  [
    ...(["v2-health", "V2 fails"] as const),
    compared({ v2: answersOf({ "503": 50 }) }),
    "Report the failures to V2's owner, and compare again once V2 is stable.",
  ],
  [
    ...(["v2-health", "V2 breaks its shape"] as const),
    compared({ shape: { "profile.bio: not a string": 2 } }),
    "Report it to V2's owner, or correct the shape file that the mapping names.",
  ],
  ["consumers", "there is no inventory", { consumers: undefined }, scan],
  [
    ...(["consumers", "one is on V1 only"] as const),
    { consumers: v1Only },
    "Migrate src/score.ts to V2, run it on both versions, or add an exception with an expiry date.",
  ],
  ["drift", "there is no store", { drift: undefined }, store],
  [
    ...(["drift", "it is not reviewed"] as const),
    driftOf(),
    "Review `v1watch status drift`, then run: v1watch incidents ack 'passport passport.score retyped string' --reason \"…\"",
  ],
  [
    ...(["drift", "a declared type refuses it"] as const),
    { ...driftOf({ isReviewed: true }), consumers: [consumerOf({ uses: [decoded] })] },
    "Make src/score.ts:42 accept what V1 sends now; `v1watch status drift` shows it.",
  ],
  [
    ...(["drift", "no response was validated"] as const),
    { drift: { rows: [], judged: [] } },
    "Check `v1watch status risk` and `v1watch incidents`; this gate is evaluated once V1 returns data.",
  ],
  ["alerts", "there is no store", { proof: undefined }, store],
  ["alerts", "none was delivered", { proof: "none" }, deliver],
  ["alerts", "one is too old", { proof: { atMs: nowMs - 40 * dayMs, isDrill: true } }, deliver],
  ["time", "there is no inventory", { consumers: undefined }, scan],
  ["time", "there is no store", { outlook: undefined }, store],
  [
    ...(["time", "the date is unknown"] as const),
    { outlook: { level: "low" } },
    "Ask V1's owner for the date and set retirement.date in the configuration.",
  ],
  ["time", "V1 is retired", { outlook: { level: "retired" } }, people],
  ["time", "there is too little", { outlook: { level: "low", date: "2026-11-16", daysLeft: 1 } }, people],
])("The gate %s names the next step where %s", (id, _name, change, next) => {
  expect(gateOf(change, id).next).toBe(next);
});

describe("what is unknown says why", () => {
  test.each<[GateId, Partial<Facts>, string]>([
    ["fields", { mapping: undefined }, "there is no mapping to V2"],
    [
      ...(["exceptions", { mapping: undefined, consumers: undefined }] as const),
      "there is neither a mapping nor an inventory",
    ],
    ["parity", { parity: undefined }, "V2's responses have not been compared with V1's yet"],
    ["drift", { drift: undefined }, "V1's drift is unknown: the monitor's store was not found"],
    [
      ...(["alerts", { proof: "none" }] as const),
      "nobody has received an alert or a drill yet: the console and a topic without a confirmed subscription do not count",
    ],
    ["time", { consumers: undefined }, "the remaining work is unknown: there is no inventory"],
    [
      ...(["time", { outlook: undefined }] as const),
      "1 line in 1 consumer still uses V1, 1 to 3 days of work (10 to 40 lines a day, and 0.5 to 2 days for each consumer); V1's remaining time is unknown: the monitor's store was not found",
    ],
    [
      ...(["time", { outlook: { level: "low" } }] as const),
      "1 line in 1 consumer still uses V1, 1 to 3 days of work (10 to 40 lines a day, and 0.5 to 2 days for each consumer); V1's retirement date is unknown",
    ],
    [
      ...([
        "fields",
        {
          parity: undefined,
          mapping: mappingWith(({ fields }) => {
            fields["passport.score"] = { ...fields["passport.score"]!, status: "unverified" };
          }),
        },
      ] as const),
      "all 2 used fields are decided, 1 unverified: passport.score",
    ],
  ])("The gate %s that is unknown says why: %#", (id, change, evidence) => {
    const gate = gateOf(change, id);
    expect(gate).toMatchObject({ state: "unknown", evidence: [evidence] });
  });
});

describe("a declared type that refuses what V1 sends", () => {
  test("A declared type that refuses what V1 sends fails the gate in spite of a review, with the owners and the lines of the types", () => {
    const change = { ...driftOf({ isReviewed: true }), consumers: [consumerOf({ uses: [decoded] })] };
    expect(gateOf(change, "drift")).toMatchObject({
      state: "fail",
      evidence: [
        "V1 differs from its document on 1 field that declared types require, so decoding fails: passport.score",
      ],
      owners: ["profile team"],
      places: [{ file: "src/score.ts", line: 42 }],
    });
    const read = { ...decoded, fields: [{ path: "passport.score", line: 42 }] };
    const reviewed = { ...driftOf({ isReviewed: true }), consumers: [consumerOf({ uses: [read] })] };
    expect(gateOf(reviewed, "drift").state).toBe("pass");
  });
});

describe("used fields", () => {
  test("Used fields have their consumers, owners, lines and declared types, in the document's order", () => {
    const [api, web] = [
      consumerOf({ name: "api", owners: ["a", "b"], uses: [decoded] }),
      consumerOf({
        name: "web",
        owners: ["b", "c"],
        uses: [useOf("w.ts", 5, "passport", ["passport.score", "passport.activity_score"])],
      }),
    ];
    expect(findUsedFields([web, api])).toEqual([
      {
        path: "passport.activity_score",
        endpoint: "passport",
        consumers: ["web"],
        owners: ["b", "c"],
        places: [{ file: "w.ts", line: 5 }],
        decoders: [],
      },
      {
        path: "passport.score",
        endpoint: "passport",
        consumers: ["web", "api"],
        owners: ["b", "c", "a"],
        places: [
          { file: "w.ts", line: 5 },
          { file: "src/score.ts", line: 42 },
        ],
        decoders: [{ file: "src/score.ts", line: 42 }],
      },
    ]);
    expect([...usedEndpoints([web, api])]).toEqual(["passport"]);
  });

  test("Used fields are all fields of V1 without an inventory, and without a consumer, an owner or a line", () => {
    const { consumers: _, ...facts } = factsOf();
    const [first] = fieldsInUse(facts);
    expect(first).toMatchObject({ consumers: [], owners: [], places: [], decoders: [] });
  });

  test.each([
    ["passport.score", "passport", "passport.score", true],
    ["passport.score", "passport", "passport", true],
    ["passport.passport_profile", "passport", "passport.passport_profile.bio", true],
    ["passport.score", "passport", "(body)", true],
    ["passport.score", "passport", "passport.merged", false],
    ["passport.score", "passport-list", "passport.score", false],
    ["passport.score", "passport-list", "(body)", false],
  ] as const)(
    "The field %s is affected by a difference of %s on %s: %s",
    (path, endpoint, differing, expected) => {
      expect(isAffected({ path, endpoint: "passport" }, { path: differing, endpoint })).toBe(expected);
    },
  );
});

describe("texts", () => {
  test("Texts count in words, with commas for thousands", () => {
    expect([0, 1, 2].map((count) => plural(count, "day"))).toEqual(["0 days", "1 day", "2 days"]);
    expect(plural(1_234, "entry", "entries")).toBe("1,234 entries");
  });

  test("Texts name each field that was compared by type or presence once", () => {
    const mapping = decidedMapping();
    const paths = [
      "passport.score",
      "passport.score",
      "passport.passport_id",
      "passport.human_checkmark",
      "x",
    ];
    expect(findShallow(paths, mapping, aggregateOf(mapping))).toEqual([
      { path: "passport.score", compare: "type" },
      { path: "passport.passport_id", compare: "presence" },
    ]);
  });

  test("Texts of the mapping have their line also with spaces before the colon, and not that of another section", () => {
    const text = '{\n"key": 1,\n  "behaviours"  : {\n  "key"  : {}\n},\n "fields": {\n"a": 1\n}}';
    expect(findRowLine(text, "behaviours", "key")).toBe(4);
    expect(findRowLine(text, "fields", "a")).toBe(7);
    expect(findRowLine(text, "fields", "key")).toBe(6);
    expect(findRowLine('{ "x": "fields": 1 }', "fields", "a")).toBeUndefined();
  });
});
