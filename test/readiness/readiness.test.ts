import { describe, expect, test } from "vitest";
import { v1Fields } from "../../lib/mapping/fields.ts";
import { createStarter, unassignedOwner } from "../../lib/mapping/starter.ts";
import type { ConsumerUse, DriftFact, Facts } from "../../lib/readiness/facts.ts";
import { findRowLine } from "../../lib/readiness/gates/mapping.ts";
import { findUsedFields, groupConsumers, readTeamFacts } from "../../lib/readiness/gates/usage.ts";
import { type GateId, gateIds, gateTable, judgeReadiness } from "../../lib/readiness/readiness.ts";
import type { InventoryUse } from "../../lib/records/inventory.ts";
import type { MappedRow, Mapping } from "../../lib/records/mapping.ts";
import { fc } from "../random.ts";
import {
  aggregateOf,
  answersOf,
  consumerOf,
  dayMs,
  decidedMapping,
  factsOf,
  judgedOf,
  mappingOf,
  nowMs,
  parityOf,
  rehearsalOf,
  useOf,
} from "./ready-facts.ts";

const statesOf = (facts: Facts) =>
  Object.fromEntries(judgeReadiness(facts).gates.map(({ id, state }) => [id, state]));
const gateOf = (facts: Facts, id: GateId) => judgeReadiness(facts).gates.find((gate) => gate.id === id)!;
const allPass = Object.fromEntries(gateIds.map((id) => [id, "pass"]));

const undecided = decidedMapping((mapping) => {
  mapping.fields["passport.score"] = { decision: "undecided" };
});
const undecidedBehaviour = decidedMapping((mapping) => {
  mapping.behaviours["unknown-id"] = { decision: "undecided" };
});
const expiredDrop = decidedMapping((mapping) => {
  const row = {
    decision: "dropped",
    owner: "profile team",
    reason: "An old page.",
    expires: "2026-11-14",
  } as const;
  mapping.fields["passport.merged"] = row;
});
const differing = aggregateOf(decidedMapping());
differing.fields["passport.human_checkmark"] = { compared: 400, raw: { value: 40 }, noise: {} };

const driftOf = (...rows: DriftFact[]): Facts["drift"] => ({ rows, judged: judgedOf("passport") });

const unowned = decidedMapping(({ fields }) => {
  fields["passport.merged"] = {
    decision: "dropped",
    owner: unassignedOwner,
    reason: "Nobody shows it.",
    expires: "2099-12-31",
  };
  fields["passport.score"] = fields["passport.merged"];
});
/** For each gate, facts with which only this gate fails. */
const singleFailure: Record<GateId, Partial<Facts>> = {
  fields: { mapping: mappingOf(unowned) },
  behaviours: { mapping: mappingOf(undecidedBehaviour) },
  exceptions: { mapping: mappingOf(expiredDrop) },
  parity: { parity: parityOf(differing) },
  "v2-health": {
    parity: parityOf(aggregateOf(decidedMapping(), { v2: answersOf({ "200": 388, "503": 12 }) })),
  },
  consumers: { consumers: [consumerOf({ status: "v1" })] },
  drift: {
    drift: driftOf({
      id: "passport passport.score retyped string",
      endpoint: "passport",
      path: "passport.score",
      level: "breaking",
      isCurrent: true,
      isReviewed: false,
    }),
  },
  alerts: { proof: { atMs: nowMs - 31 * dayMs, isDrill: false } },
  rehearsal: { rehearsal: rehearsalOf("silent") },
  time: { outlook: { level: "imminent", date: "2026-11-16", daysLeft: 1 } },
};

/** For each gate, facts without its evidence. */
const missingEvidence: Record<GateId, Partial<Facts>> = {
  fields: { mapping: undefined },
  behaviours: { mapping: undefined },
  exceptions: { mapping: undefined, consumers: undefined },
  parity: { parity: undefined },
  "v2-health": { parity: undefined },
  consumers: { consumers: undefined },
  drift: { drift: undefined },
  alerts: { proof: "none" },
  rehearsal: { rehearsal: undefined },
  time: { outlook: { level: "calm" } },
};

describe("judgeReadiness", () => {
  test("judgeReadiness says ready if every gate passes", () => {
    expect(statesOf(factsOf())).toEqual(allPass);
    expect(judgeReadiness(factsOf())).toMatchObject({ verdict: "ready", blockers: [] });
  });

  test.each(gateIds)(
    "judgeReadiness reports a failure of gate %s alone, with evidence and a next step, as a blocker",
    (id) => {
      const facts = factsOf(singleFailure[id]);
      expect(statesOf(facts)).toEqual({ ...allPass, [id]: "fail" });
      const { verdict, blockers } = judgeReadiness(facts);
      expect(verdict).toBe("not ready");
      expect(blockers.map((gate) => gate.id)).toEqual([id]);
      expect(blockers[0]?.evidence[0]).toContain(blockers[0]?.problem);
      expect(blockers[0]?.problem).toMatch(/\w{3}/);
      expect(blockers[0]?.next).toMatch(/\.$|…"$/);
    },
  );

  test.each(gateIds)("judgeReadiness says unknown at gate %s if its evidence is missing", (id) => {
    expect(gateOf(factsOf(missingEvidence[id]), id).state).toBe("unknown");
    expect(judgeReadiness(factsOf(missingEvidence[id])).verdict).toBe("unknown");
  });

  test("judgeReadiness says unknown at every gate without any facts", () => {
    expect(Object.values(statesOf({ nowMs }))).toEqual(gateIds.map(() => "unknown"));
  });
});

/** The facts that each gate needs. */
const requiredFacts: Record<GateId, readonly (keyof Facts)[]> = {
  fields: ["mapping"],
  behaviours: ["mapping"],
  exceptions: ["mapping", "consumers"],
  parity: ["parity", "mapping"],
  "v2-health": ["parity"],
  consumers: ["consumers"],
  drift: ["drift"],
  alerts: ["proof"],
  rehearsal: ["rehearsal"],
  time: ["consumers", "outlook"],
};

/** Evidence that is present but empty: a monitor without responses, a comparison without pairs. */
const emptyEvidence: Partial<Facts> = {
  parity: parityOf(aggregateOf(decidedMapping(), { pairs: 0, fields: {}, v2: answersOf({}) })),
  drift: { rows: [], judged: [] },
  proof: "none",
  outlook: { level: "unknown" },
};

test("No gate passes if one of its facts is missing or empty, whatever else is known", () => {
  const names = ["mapping", "consumers", "parity", "drift", "proof", "outlook"] as const;
  const presence = fc.constantFrom("known", "absent", "empty");
  const read = fc.subarray(
    v1Fields.map(({ path }) => path),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(fc.record(Object.fromEntries(names.map((name) => [name, presence]))), read, (is, fields) => {
      const uses = fields.map((path) => {
        const { endpoint } = v1Fields.find((field) => field.path === path)!;
        return useOf("a.py", 3, endpoint, [path]);
      });
      const whole = factsOf({ consumers: [consumerOf({ uses })] });
      const missing = names.filter(
        (name) => is[name] === "absent" || (is[name] === "empty" && name in emptyEvidence),
      );
      const facts = Object.assign(
        whole,
        ...missing.map((name) => ({ [name]: is[name] === "absent" ? undefined : emptyEvidence[name] })),
      );
      for (const { id, state } of judgeReadiness(facts).gates) {
        if (requiredFacts[id].some((name) => missing.some((missingName) => missingName === name)))
          expect([id, state]).not.toContain("pass");
      }
    }),
  );
});

describe("blockers", () => {
  const allFailures = Object.assign({}, ...Object.values(singleFailure)) as Partial<Facts>;

  test("There are as many blockers as gates that fail, the most important first, and no unknown gate among them", () => {
    const { blockers, gates, sentence } = judgeReadiness(
      factsOf({
        ...allFailures,
        mapping: mappingOf(undecided),
        parity: parityOf(differing, undecided),
        rehearsal: undefined,
      }),
    );
    const failed = gates.filter(({ state }) => state === "fail");
    expect(failed.length).toBeGreaterThan(4);
    expect(sentence).toContain(`${failed.length} of 10 gates fail, and 1 lacks evidence`);
    expect(blockers.slice(0, 3).map(({ id }) => id)).toEqual(["time", "consumers", "fields"]);
    expect(new Set(blockers)).toEqual(new Set(failed));
  });

  test("Blockers have distinct weights, so that their order is deterministic", () => {
    const weights = gateIds.map((id) => gateTable[id].weight);
    expect(new Set(weights).size).toBe(weights.length);
  });

  test("Blockers name the owner and the line of the consumer or of the mapping row", () => {
    const [moved] = judgeReadiness(factsOf(singleFailure.consumers)).blockers;
    expect(moved).toMatchObject({ owners: ["profile team"], places: [{ file: "src/score.ts", line: 41 }] });
    const [row] = judgeReadiness(factsOf(singleFailure.fields)).blockers;
    const line = row?.places[0]?.line ?? 0;
    expect(mappingOf(undecided).text.split("\n")[line - 1]).toContain(
      '"passport.score": { "decision": "undecided" }',
    );
  });
});

describe("an unverified row of the starter mapping", () => {
  const unverifiedMapping = (id: "fields" | "behaviours") => {
    const starter = createStarter(nowMs);
    return decidedMapping((mapping) => {
      if (id === "fields") mapping.fields["passport.score"] = starter.fields["passport.score"]!;
      else mapping.behaviours.key = { decision: "same", status: "unverified" };
    });
  };

  test("An unverified row of the starter mapping counts as decided once parity has compared its field, and not before", () => {
    const mapping = mappingOf(unverifiedMapping("fields"));
    expect(gateOf(factsOf({ mapping }), "fields").state).toBe("pass");
    expect(gateOf(factsOf({ mapping, parity: undefined }), "fields").state).toBe("unknown");
  });

  test("An unverified row of the starter mapping stays unknown for a behaviour until a person verifies it", () => {
    expect(gateOf(factsOf({ mapping: mappingOf(unverifiedMapping("behaviours")) }), "behaviours").state).toBe(
      "unknown",
    );
  });

  test("An unverified row of the starter mapping counts as undecided if it is a drop without an owner", () => {
    const mapping = mappingOf(
      decidedMapping((mapping) => {
        mapping.fields["passport.score"] = createStarter(nowMs).fields["passport.merged"]!;
      }),
    );
    expect(gateOf(factsOf({ mapping }), "fields").state).toBe("fail");
  });
});

describe("used fields", () => {
  const uses = (...fields: string[]) => [useOf("a.py", 3, "passport", fields)];

  test("An undecided field that no consumer reads does not fail the gate", () => {
    const mapping = mappingOf(
      decidedMapping((mapping) => {
        mapping.fields["passport.main_wallet"] = { decision: "undecided" };
      }),
    );
    expect(gateOf(factsOf({ mapping }), "fields").state).toBe("pass");
    expect(gateOf(factsOf({ mapping, consumers: undefined }), "fields").state).toBe("fail");
  });

  test("A read of an object counts for all fields in it, and a call without reads for the whole body", () => {
    const profile = findUsedFields([consumerOf({ uses: uses("passport.passport_profile") })]);
    expect(profile.map(({ path }) => path)).toEqual(
      ["bio", "display_name", "location", "tags[]"].map((name) => `passport.passport_profile.${name}`),
    );
    const body = findUsedFields([consumerOf({ uses: uses() })]);
    const pathsOfPassport = v1Fields.flatMap(({ endpoint, path }) => (endpoint === "passport" ? [path] : []));
    expect(body.map(({ path }) => path)).toEqual(pathsOfPassport);
    const view = { ...useOf("view.ts", 7, "passport", ["passport.score"]), calls: [] };
    const reading = (from: string) => ({ ...view, fields: view.fields.map((field) => ({ ...field, from })) });
    const [{ file, line }] = uses() as [ConsumerUse];
    const fieldsWith = (...others: ConsumerUse[]) =>
      findUsedFields([consumerOf({ uses: [...uses(), ...others] })]).map(({ path }) => path);
    expect(fieldsWith(reading(`${file}:${line}`))).toEqual(["passport.score"]);
    // What is read of other responses says nothing about this one.
    expect(fieldsWith(reading(`${file}:${line + 1}`))).toEqual(pathsOfPassport);
    expect(fieldsWith(...uses("passport.score"))).toEqual(pathsOfPassport);
    const [read] = uses("passport.score") as [ConsumerUse];
    const used = findUsedFields([consumerOf({ uses: [{ ...read, passedOn: ["src/route.ts:12"] }] })]);
    expect(used.map(({ path }) => path)).toEqual(pathsOfPassport);
  });

  test("Only behaviours of used endpoints must be decided", () => {
    const mapping = mappingOf(
      decidedMapping((mapping) => {
        mapping.behaviours.pagination = { decision: "undecided" };
      }),
    );
    expect(gateOf(factsOf({ mapping }), "behaviours").state).toBe("pass");
    const list = [useOf("a.py", 3, "passport-list", ["passports[].score"])];
    expect(gateOf(factsOf({ mapping, consumers: [consumerOf({ uses: list })] }), "behaviours").state).toBe(
      "fail",
    );
  });

  test("Fields of the list are judged by the comparison of the single passport", () => {
    const list = ["passports[].human_checkmark", "pagination.total"];
    const consumers = [consumerOf({ uses: [useOf("a.py", 3, "passport-list", list)] })];
    expect(gateOf(factsOf({ consumers }), "parity").state).toBe("pass");
    expect(gateOf(factsOf({ consumers, ...singleFailure.parity }), "parity").state).toBe("fail");
  });

  test("The parity gate names fields that were checked by type or presence only", () => {
    expect(gateOf(factsOf(), "parity").evidence).toEqual([
      "used fields, compared on 2026-11-14: 1 field has V1's values in 400 pairs, excluding V1's own variance; 1 compared by type only: passport.score",
    ]);
    const fields = [
      "passports[].score",
      "passport.score",
      "passport.passport_id",
      "passport.human_checkmark",
    ];
    const uses = [useOf("a.ts", 1, "passport", fields)];
    const mapping = decidedMapping(({ fields: rows }) => {
      rows["passport.human_checkmark"] = {
        ...rows["passport.human_checkmark"],
        compare: "type",
      } as MappedRow;
    });
    const facts = factsOf({ consumers: [consumerOf({ uses })], mapping: mappingOf(mapping) });
    expect(gateOf(facts, "parity").evidence[0]).toMatch(
      /; 2 compared by type only: passport\.score, passport\.human_checkmark; 1 compared by presence only: passport\.passport_id$/,
    );
  });

  test("Without a comparison, the next step is a command that writes the default comparison file", () => {
    const { next } = gateOf(factsOf({ parity: undefined }), "parity");
    expect(next).toBe("Run `v1watch parity --json > parity.state.json`.");
  });

  test("A difference too rare to rule out chance makes the parity gate unknown", () => {
    const aggregate = aggregateOf(decidedMapping());
    aggregate.fields["passport.human_checkmark"] = { compared: 400, raw: { value: 2 }, noise: {} };
    const gate = gateOf(factsOf({ parity: parityOf(aggregate) }), "parity");
    expect(gate.state).toBe("unknown");
    expect(gate.evidence).toEqual([
      "1 field differs too rarely to rule out chance, and was not read again: passport.human_checkmark: value differs in 0.5 % (2 of 400)",
    ]);
  });

  test("A difference on an unused field passes; too few pairs or an old comparison are unknown", () => {
    const aggregate = aggregateOf(decidedMapping());
    aggregate.fields["passport.last_calculated_at"] = { compared: 400, raw: { value: 300 }, noise: {} };
    expect(gateOf(factsOf({ parity: parityOf(aggregate) }), "parity").state).toBe("pass");
    aggregate.fields["passport.score"] = { compared: 29, raw: {}, noise: {} };
    expect(gateOf(factsOf({ parity: parityOf(aggregate) }), "parity").state).toBe("unknown");
    const old = { ...parityOf(aggregateOf(decidedMapping())), atMs: nowMs - 32 * dayMs };
    expect(statesOf(factsOf({ parity: old }))).toMatchObject({ parity: "unknown", "v2-health": "unknown" });
  });

  test("A comparison made with other mapping decisions is unknown, but changed notes do not matter", () => {
    const before = decidedMapping();
    const parity = parityOf(aggregateOf(before), before);
    const judge = (mapping: Mapping) => factsOf({ parity, mapping: mappingOf(mapping) });
    const reworded = decidedMapping(({ fields }) => {
      fields["passport.score"] = { ...fields["passport.score"]!, note: "as we agreed", status: "verified" };
    });
    expect(gateOf(judge(reworded), "parity").state).toBe("pass");
    const moved = decidedMapping(({ fields }) => {
      const row = fields["passport.score"];
      if (row && "path" in row) fields["passport.score"] = { ...row, path: "score.elsewhere" } as typeof row;
    });
    expect(gateOf(judge(moved), "parity")).toMatchObject({
      state: "unknown",
      evidence: ["the comparison was made with other mapping decisions than the current ones"],
    });
    // Such a comparison does not verify an unverified row that it did not cover either.
    const unverifiedMapping = decidedMapping(({ fields }) => {
      const row = fields["passport.score"];
      if (row && "path" in row)
        fields["passport.score"] = { ...row, path: "score.guessed", status: "unverified" } as typeof row;
    });
    expect(gateOf(judge(unverifiedMapping), "fields").state).toBe("unknown");
  });
});

test("An undecided used field makes the parity gate unknown, but a dropped one does not", () => {
  const uses = [useOf("a.py", 3, "passport", ["passport.score"])];
  const consumers = [consumerOf({ uses })];
  expect(gateOf(factsOf({ consumers, mapping: mappingOf(undecided) }), "parity")).toMatchObject({
    state: "unknown",
    evidence: ["1 used field undecided, so not compared: passport.score"],
  });
  const dropped = decidedMapping((mapping) => {
    mapping.fields["passport.score"] = {
      decision: "dropped",
      owner: "data team",
      reason: "Nobody shows it.",
      expires: "2099-12-31",
    };
  });
  expect(gateOf(factsOf({ consumers, mapping: mappingOf(dropped) }), "parity").evidence).toEqual([
    "1 used field in 12 files of src has no counterpart in V2 to compare with, so the comparison on 2026-11-14 (400 pairs) has no values of it",
  ]);
});

describe("the drift gate", () => {
  const row = singleFailure.drift.drift!.rows[0]!;
  test.each([
    ["is reviewed", { isReviewed: true }],
    ["is no longer current", { isCurrent: false }],
    ["is additive", { level: "additive" as const }],
    ["is on an unused field", { path: "passport.merged" }],
    ["is on another endpoint", { endpoint: "passport-list" as const }],
  ])("The drift gate passes if the difference %s", (_name, change) => {
    expect(gateOf(factsOf({ drift: driftOf({ ...row, ...change }) }), "drift").state).toBe("pass");
  });

  test("The drift gate is unknown if a used endpoint has no validated response, and names the endpoint", () => {
    const list = useOf("a.py", 3, "passport-list", ["passports[].score"]);
    const consumers = [consumerOf(), consumerOf({ uses: [list] })];
    expect(gateOf(factsOf({ consumers }), "drift")).toMatchObject({
      state: "unknown",
      evidence: ["no response of passport-list has been validated against V1's document yet"],
    });
    const judged = judgedOf("passport", "passport-list");
    expect(gateOf(factsOf({ consumers, drift: { rows: [], judged } }), "drift").state).toBe("pass");
    const moved = [consumerOf({ status: "v2", uses: [] })];
    expect(gateOf(factsOf({ consumers: moved, drift: { rows: [], judged: [] } }), "drift")).toMatchObject({
      state: "pass",
      evidence: ["no V1 field is in use in 12 files of src, so V1's data does not matter"],
    });
  });

  test("The drift gate fails for a difference on an object that contains a used field", () => {
    expect(gateOf(factsOf({ drift: driftOf({ ...row, path: "passport" }) }), "drift").state).toBe("fail");
  });
});

describe("the schedule gate", () => {
  test("The schedule gate passes without remaining work, and fails with remaining work if V1 is retired or past its date", () => {
    const consumers = [consumerOf({ status: "v2", uses: [] })];
    expect(gateOf(factsOf({ consumers, outlook: undefined }), "time").state).toBe("pass");
    expect(gateOf(factsOf({ outlook: { level: "retired" } }), "time").state).toBe("fail");
    const passed = { level: "warning", date: "2026-11-01", daysLeft: -14 };
    expect(gateOf(factsOf({ outlook: passed }), "time").state).toBe("fail");
  });

  test("The schedule gate fails if the days left are at most the least work, and is unknown up to the most", () => {
    const at = (daysLeft: number) => ({ outlook: { level: "warning", date: "2026-11-17", daysLeft } });
    expect(gateOf(factsOf(at(1)), "time").state).toBe("fail");
    expect(gateOf(factsOf(at(3)), "time").state).toBe("unknown");
    expect(gateOf(factsOf(at(4)), "time").state).toBe("pass");
  });

  test("The work of 90 lines is more than that of one, and the range has its reason", () => {
    const uses = Array.from({ length: 90 }, (_, line) =>
      useOf("a.ts", line + 1, "passport", ["passport.score"]),
    );
    const { evidence } = gateOf(factsOf({ consumers: [consumerOf({ uses })] }), "time");
    expect(evidence[0]).toContain(
      "90 lines in 1 consumer still use V1, 2 to 11 days of work (10 to 40 lines a day, and 0.5 to 2 days for each consumer)",
    );
  });
});

describe("groupConsumers", () => {
  const use = (change: Partial<InventoryUse>): InventoryUse => ({
    id: "a.ts passport f",
    file: "a.ts",
    line: 1,
    language: "typescript",
    endpoint: "passport",
    confidence: "high",
    package: "web",
    codeOwners: [],
    calls: [1],
    hazards: [],
    fields: [{ path: "passport.score", line: 1 }],
    firstSeen: "2026-10-01",
    status: "v1",
    ...change,
  });
  const group = (...uses: InventoryUse[]) =>
    groupConsumers(
      { schema: "v1watch/inventory/2", scannedOn: "2026-11-14", folders: [], uses, unsure: [] },
      "2026-11-15",
    )[0];
  const until = (expires: string) => ({ exception: { reason: "later", expires } });

  test("groupConsumers uses the least migrated use as the package's status and counts removed uses as migrated", () => {
    expect(group(use({ status: "v2", calls: [] }), use({ status: "dual" }))?.status).toBe("dual");
    expect(group(use({ status: "dual" }), use({}))?.status).toBe("v1");
    expect(group(use({ gone: "2026-11-01" }))).toMatchObject({ status: "v2", uses: [] });
  });

  test("groupConsumers exempts a package if all of its V1-only uses are exempted, including the expiry day", () => {
    expect(group(use(until("2026-11-15")))?.isExcepted).toBe(true);
    expect(group(use(until("2026-11-14")))?.isExcepted).toBe(false);
    expect(group(use(until("2027-01-01")), use({}))?.isExcepted).toBe(false);
  });

  test("A call that is marked as migrated and still found counts as V1's, and the consumers gate fails", () => {
    const consumers = [group(use({ status: "v2", calls: [4, 9] }), use({ status: "dual" }))!];
    expect(consumers[0]).toMatchObject({ status: "v1", uses: [{}, {}] });
    const { file } = use({});
    const gate = gateOf(factsOf({ consumers }), "consumers");
    expect(gate.state).toBe("fail");
    expect(gate.evidence[0]).toContain("marked as migrated, and the scan still finds them");
    expect(gate.places).toEqual([4, 9].map((line) => ({ file, line })));
    for (const change of [{ gone: "2026-11-14" }, { confidence: "low" as const }, { calls: [] }])
      expect(group(use({ status: "v2", ...change }), use({ status: "dual" }))?.contradictions).toEqual([]);
  });

  test("A use at low confidence asks until somebody has reviewed it", () => {
    const unsureOf = (change: Partial<InventoryUse>) =>
      readTeamFacts(
        {
          inventory: {
            schema: "v1watch/inventory/2",
            scannedOn: "2026-11-14",
            folders: [],
            uses: [use({ confidence: "low", ...change })],
            unsure: [],
          },
        },
        nowMs,
      ).unsure?.length;
    expect(unsureOf({})).toBe(1);
    expect(unsureOf({ reviewed: { reason: "a comment" } })).toBe(0);
    // As an inventory of before has it.
    expect(unsureOf({ status: "v2" })).toBe(0);
  });

  test("An exception of more than a year is none, and fails the exceptions gate and the consumers gate", () => {
    const consumers = [group(use(until("2028-01-01")))!];
    expect(consumers[0]?.isExcepted).toBe(false);
    expect(statesOf(factsOf({ consumers }))).toMatchObject({ exceptions: "fail", consumers: "fail" });
    expect(gateOf(factsOf({ consumers }), "exceptions").evidence[0]).toContain("2028-01-01");
    expect(group(use(until("2027-11-15")))?.isExcepted).toBe(true);
  });

  test("An expired exception fails the exceptions gate and the consumers gate", () => {
    const consumers = [group(use(until("2026-11-14")))!];
    expect(statesOf(factsOf({ consumers }))).toMatchObject({ exceptions: "fail", consumers: "fail" });
  });
});

test("findRowLine finds a row in its own section, or the section if the row is missing", () => {
  const text = '{\n  "v2": { "key": "none" },\n  "fields" : {},\n  "behaviours": {\n    "key": {}\n  }\n}';
  expect(findRowLine(text, "behaviours", "key")).toBe(5);
  expect(findRowLine(text, "fields", "passport.score")).toBe(3);
  expect(findRowLine("{}", "fields", "passport.score")).toBeUndefined();
});
