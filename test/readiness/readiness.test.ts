import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { v1Fields } from "../../lib/mapping/fields.ts";
import { createStarter } from "../../lib/mapping/starter.ts";
import { fingerprintMapping } from "../../lib/parity/cohort.ts";
import { type DriftFact, type Facts, percent } from "../../lib/readiness/facts.ts";
import { findRowLine } from "../../lib/readiness/gates/mapping.ts";
import { findUsedFields, groupConsumers } from "../../lib/readiness/gates/usage.ts";
import { type GateId, gateIds, gateTable, judgeReadiness } from "../../lib/readiness/readiness.ts";
import type { InventoryUse } from "../../lib/records/inventory.ts";
import type { MappedRow, Mapping } from "../../lib/records/mapping.ts";
import {
  aggregateOf,
  consumerOf,
  dayMs,
  decidedMapping,
  factsOf,
  mappingOf,
  nowMs,
  parityOf,
} from "./ready-facts.ts";

const statesOf = (facts: Facts) =>
  Object.fromEntries(judgeReadiness(facts).gates.map(({ id, state }) => [id, state]));
const gateOf = (facts: Facts, id: GateId) => judgeReadiness(facts).gates.find((gate) => gate.id === id)!;
const allPass = Object.fromEntries(gateIds.map((id) => [id, "pass"]));

const undecided = decidedMapping((mapping) => {
  mapping.fields["passport.score"] = { decision: "undecided" };
});
const unsettled = decidedMapping((mapping) => {
  mapping.behaviours["unknown-id"] = { decision: "undecided" };
});
const overdue = decidedMapping((mapping) => {
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

const driftOf = (...rows: DriftFact[]): Facts["drift"] => ({ rows, judged: ["passport"] });

/** For each gate, facts in which it alone fails. */
const alone: Record<GateId, Partial<Facts>> = {
  fields: { mapping: mappingOf(undecided) },
  behaviours: { mapping: mappingOf(unsettled) },
  exceptions: { mapping: mappingOf(overdue) },
  parity: { parity: parityOf(differing) },
  "v2-health": { parity: parityOf(aggregateOf(decidedMapping(), { skipped: { "v2 503": 12 } })) },
  consumers: { consumers: [consumerOf({ status: "v1" })] },
  drift: {
    drift: driftOf({
      ...{ id: "passport passport.score retyped string", endpoint: "passport", path: "passport.score" },
      ...{ level: "breaking", isCurrent: true, isReviewed: false },
    }),
  },
  alerts: { proof: { atMs: nowMs - 31 * dayMs, isDrill: false } },
  time: { outlook: { level: "imminent", date: "2026-11-16", daysLeft: 1 } },
};

/** For each gate, facts in which it lacks its evidence. */
const blind: Record<GateId, Partial<Facts>> = {
  fields: { mapping: undefined },
  behaviours: { mapping: undefined },
  exceptions: { mapping: undefined, consumers: undefined },
  parity: { parity: undefined },
  "v2-health": { parity: undefined },
  consumers: { consumers: undefined },
  drift: { drift: undefined },
  alerts: { proof: "none" },
  time: { outlook: { level: "calm" } },
};

describe("the gates", () => {
  test("all pass: we can leave", () => {
    expect(statesOf(factsOf())).toEqual(allPass);
    expect(judgeReadiness(factsOf())).toMatchObject({ verdict: "ready", blockers: [] });
  });

  test.each(gateIds)("%s fails alone, says why and what to do, and holds us", (id) => {
    const facts = factsOf(alone[id]);
    expect(statesOf(facts)).toEqual({ ...allPass, [id]: "fail" });
    const { verdict, blockers } = judgeReadiness(facts);
    expect(verdict).toBe("not ready");
    expect(blockers.map((gate) => gate.id)).toEqual([id]);
    expect(blockers[0]?.evidence[0]).toMatch(/\w{3}/);
    expect(blockers[0]?.next).toMatch(/\.$|…"$/);
  });

  test.each(gateIds)("%s without evidence is unknown, never a pass", (id) => {
    expect(gateOf(factsOf(blind[id]), id).state).toBe("unknown");
    expect(judgeReadiness(factsOf(blind[id])).verdict).toBe("unknown");
  });

  test("nothing at all is unknown at every gate", () => {
    expect(Object.values(statesOf({ nowMs, daysPerConsumer: 2 }))).toEqual(gateIds.map(() => "unknown"));
  });
});

/** What each gate is judged from. */
const needs: Record<GateId, readonly (keyof Facts)[]> = {
  fields: ["mapping"],
  behaviours: ["mapping"],
  exceptions: ["mapping", "consumers"],
  parity: ["parity", "mapping"],
  "v2-health": ["parity"],
  consumers: ["consumers"],
  drift: ["drift"],
  alerts: ["proof"],
  time: ["consumers", "outlook"],
};

/** There, but with nothing in it: as a watch that was never answered, or a comparison without a pair. */
const hollow: Partial<Facts> = {
  parity: parityOf(aggregateOf(decidedMapping(), { pairs: 0, fields: {} })),
  drift: { rows: [], judged: [] },
  proof: "none",
  outlook: { level: "unknown" },
};

test("no gate passes for lack of data, whatever else is known", () => {
  const names = ["mapping", "consumers", "parity", "drift", "proof", "outlook"] as const;
  const standing = fc.constantFrom("known", "absent", "hollow");
  const read = fc.subarray(
    v1Fields.map(({ path }) => path),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(fc.record(Object.fromEntries(names.map((name) => [name, standing]))), read, (is, fields) => {
      const uses = fields.map((path) => {
        const { endpoint } = v1Fields.find((field) => field.path === path)!;
        return { file: "a.py", line: 3, endpoint, fields: [path] };
      });
      const whole = factsOf({ consumers: [consumerOf({ uses })] });
      const lacking = names.filter(
        (name) => is[name] === "absent" || (is[name] === "hollow" && name in hollow),
      );
      const facts = Object.assign(
        whole,
        ...lacking.map((name) => ({ [name]: is[name] === "absent" ? undefined : hollow[name] })),
      );
      for (const { id, state } of judgeReadiness(facts).gates) {
        if (needs[id].some((name) => lacking.some((one) => one === name)))
          expect([id, state]).not.toContain("pass");
      }
    }),
  );
});

describe("the blockers", () => {
  const everything = Object.assign({}, ...Object.values(alone)) as Partial<Facts>;

  test("are three, failures before what is unknown, then by weight", () => {
    const { blockers, gates } = judgeReadiness(factsOf({ ...everything, mapping: mappingOf(undecided) }));
    expect(gates.filter(({ state }) => state === "fail").length).toBeGreaterThan(4);
    expect(blockers.map(({ id }) => id)).toEqual(["time", "consumers", "fields"]);
    const mixed = judgeReadiness(factsOf({ ...alone.alerts, ...blind.consumers }));
    expect(mixed.blockers.map(({ id, state }) => [id, state])).toEqual([
      ["alerts", "fail"],
      ["time", "unknown"],
      ["consumers", "unknown"],
    ]);
  });

  test("have weights of their own, so that the order never depends on chance", () => {
    const weights = gateIds.map((id) => gateTable[id].weight);
    expect(new Set(weights).size).toBe(weights.length);
  });

  test("name the owner and the line: the consumer's, or the mapping's", () => {
    const [moved] = judgeReadiness(factsOf(alone.consumers)).blockers;
    expect(moved).toMatchObject({ owners: ["profile team"], places: [{ file: "src/score.ts", line: 41 }] });
    const [row] = judgeReadiness(factsOf(alone.fields)).blockers;
    const line = row?.places[0]?.line ?? 0;
    expect(mappingOf(undecided).text.split("\n")[line - 1]).toContain(
      '"passport.score": { "decision": "undecided" }',
    );
  });
});

describe("a guess from the starter", () => {
  const guessed = (id: "fields" | "behaviours") => {
    const starter = createStarter(nowMs);
    return decidedMapping((mapping) => {
      if (id === "fields") mapping.fields["passport.score"] = starter.fields["passport.score"]!;
      else mapping.behaviours.key = { decision: "same", status: "unverified" };
    });
  };

  test("counts once V2's answers were validated against it, and not before", () => {
    const mapping = mappingOf(guessed("fields"));
    expect(gateOf(factsOf({ mapping }), "fields").state).toBe("pass");
    expect(gateOf(factsOf({ mapping, parity: undefined }), "fields").state).toBe("unknown");
  });

  test("of a behaviour needs a person", () => {
    expect(gateOf(factsOf({ mapping: mappingOf(guessed("behaviours")) }), "behaviours").state).toBe(
      "unknown",
    );
  });

  test("a drop without an owner is no decision", () => {
    const mapping = mappingOf(
      decidedMapping((mapping) => {
        mapping.fields["passport.score"] = createStarter(nowMs).fields["passport.merged"]!;
      }),
    );
    expect(gateOf(factsOf({ mapping }), "fields").state).toBe("fail");
  });
});

describe("what is used", () => {
  const uses = (...fields: string[]) => [{ file: "a.py", line: 3, endpoint: "passport" as const, fields }];

  test("an undecided field that nobody reads holds nobody", () => {
    const mapping = mappingOf(
      decidedMapping((mapping) => {
        mapping.fields["passport.main_wallet"] = { decision: "undecided" };
      }),
    );
    expect(gateOf(factsOf({ mapping }), "fields").state).toBe("pass");
    expect(gateOf(factsOf({ mapping, consumers: undefined }), "fields").state).toBe("fail");
  });

  test("an object stands for all that is in it, and a bare call for the whole body", () => {
    const profile = findUsedFields([consumerOf({ uses: uses("passport.passport_profile") })]);
    expect(profile.map(({ path }) => path)).toEqual(
      ["bio", "display_name", "location", "tags[]"].map((name) => `passport.passport_profile.${name}`),
    );
    const body = findUsedFields([consumerOf({ uses: uses() })]);
    expect(body.length).toBe(v1Fields.filter(({ endpoint }) => endpoint === "passport").length);
    const seen = findUsedFields([consumerOf({ uses: [...uses(), ...uses("passport.score")] })]);
    expect(seen.map(({ path }) => path)).toEqual(["passport.score"]);
  });

  test("only behaviours of the endpoints in use are asked for", () => {
    const mapping = mappingOf(
      decidedMapping((mapping) => {
        mapping.behaviours.pagination = { decision: "undecided" };
      }),
    );
    expect(gateOf(factsOf({ mapping }), "behaviours").state).toBe("pass");
    const list = [
      { file: "a.py", line: 3, endpoint: "passport-list" as const, fields: ["passports[].score"] },
    ];
    expect(gateOf(factsOf({ mapping, consumers: [consumerOf({ uses: list })] }), "behaviours").state).toBe(
      "fail",
    );
  });

  test("the list's fields are judged by the single passport's, which alone can be compared", () => {
    const list = ["passports[].human_checkmark", "pagination.total"];
    const consumers = [
      consumerOf({ uses: [{ file: "a.py", line: 3, endpoint: "passport-list", fields: list }] }),
    ];
    expect(gateOf(factsOf({ consumers }), "parity").state).toBe("pass");
    expect(gateOf(factsOf({ consumers, ...alone.parity }), "parity").state).toBe("fail");
  });

  test("what was compared by its type or its presence alone is not said to agree in value", () => {
    expect(gateOf(factsOf(), "parity").evidence).toEqual([
      "2 used fields agree in 400 pairs, noise aside; passport.score by type alone",
    ]);
    const fields = [
      "passports[].score",
      "passport.score",
      "passport.passport_id",
      "passport.human_checkmark",
    ];
    const uses = [{ file: "a.ts", line: 1, endpoint: "passport" as const, fields }];
    const mapping = decidedMapping(({ fields: rows }) => {
      rows["passport.human_checkmark"] = {
        ...rows["passport.human_checkmark"],
        compare: "type",
      } as MappedRow;
    });
    const facts = factsOf({ consumers: [consumerOf({ uses })], mapping: mappingOf(mapping) });
    expect(gateOf(facts, "parity").evidence[0]).toMatch(
      / noise aside; passport\.score, passport\.human_checkmark by type alone; passport\.passport_id by presence alone$/,
    );
  });

  test("without a comparison the next step is a command that gives the file that is looked for", () => {
    const { next } = gateOf(factsOf({ parity: undefined }), "parity");
    expect(next).toBe("Run `v1watch parity --json > parity.state.json`.");
  });

  test("a difference so rare that it could be chance is unknown, and asks for more pairs", () => {
    const aggregate = aggregateOf(decidedMapping());
    aggregate.fields["passport.human_checkmark"] = { compared: 400, raw: { value: 2 }, noise: {} };
    const gate = gateOf(factsOf({ parity: parityOf(aggregate) }), "parity");
    expect(gate.state).toBe("unknown");
    expect(gate.evidence).toEqual([
      "passport.human_checkmark: value differs in 0.50 %: so seldom that it could be chance",
    ]);
  });

  test("a difference where nobody looks holds nobody; too few pairs are unknown; an old comparison too", () => {
    const aggregate = aggregateOf(decidedMapping());
    aggregate.fields["passport.last_calculated_at"] = { compared: 400, raw: { value: 300 }, noise: {} };
    expect(gateOf(factsOf({ parity: parityOf(aggregate) }), "parity").state).toBe("pass");
    aggregate.fields["passport.score"] = { compared: 29, raw: {}, noise: {} };
    expect(gateOf(factsOf({ parity: parityOf(aggregate) }), "parity").state).toBe("unknown");
    const old = { ...parityOf(aggregateOf(decidedMapping())), atMs: nowMs - 32 * dayMs };
    expect(statesOf(factsOf({ parity: old }))).toMatchObject({ parity: "unknown", "v2-health": "unknown" });
  });

  test("a comparison by other decisions says nothing of these; other words about them do not matter", () => {
    const before = decidedMapping();
    const parity = { ...parityOf(aggregateOf(before)), mapping: fingerprintMapping(before) };
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
      evidence: ["the comparison was made by other decisions than the mapping has now"],
    });
    // Nor does it vouch for a starter's guess that it never met.
    const guessed = decidedMapping(({ fields }) => {
      const row = fields["passport.score"];
      if (row && "path" in row)
        fields["passport.score"] = { ...row, path: "score.guessed", status: "unverified" } as typeof row;
    });
    expect(gateOf(judge(guessed), "fields").state).toBe("unknown");
  });

  test.each([
    [0.0004, "0.04 %"],
    [0.00001, "0.01 %"],
    [399 / 400, "99.75 %"],
    [0.99999, "99.99 %"],
    [1, "100 %"],
  ])("a share of %d is %s: a little is not nothing, nearly all is not all", (share, text) => {
    expect(percent(share)).toBe(text);
  });
});

test("fields without a decision are not compared, and that is no agreement", () => {
  const uses = [{ file: "a.py", line: 3, endpoint: "passport" as const, fields: ["passport.score"] }];
  const consumers = [consumerOf({ uses })];
  expect(gateOf(factsOf({ consumers, mapping: mappingOf(undecided) }), "parity")).toMatchObject({
    state: "unknown",
    evidence: ["1 used field undecided, so nothing could be compared: passport.score"],
  });
  const dropped = decidedMapping((mapping) => {
    mapping.fields["passport.score"] = {
      ...{ decision: "dropped", owner: "data team", reason: "Nobody shows it.", expires: "2099-12-31" },
    };
  });
  expect(gateOf(factsOf({ consumers, mapping: mappingOf(dropped) }), "parity").evidence).toEqual([
    "none of 1 used field has a pair in V2 to compare with",
  ]);
});

describe("drift", () => {
  const row = alone.drift.drift!.rows[0]!;
  test.each([
    ["reviewed", { isReviewed: true }],
    ["over", { isCurrent: false }],
    ["additive", { level: "additive" as const }],
    ["where nobody reads", { path: "passport.merged" }],
    ["of another endpoint", { endpoint: "passport-list" as const }],
  ])("that is %s holds nobody", (_name, change) => {
    expect(gateOf(factsOf({ drift: driftOf({ ...row, ...change }) }), "drift").state).toBe("pass");
  });

  test("is unknown where a used endpoint has shown no data, says which, and asks nothing of the unused", () => {
    const list = { file: "a.py", line: 3, endpoint: "passport-list" as const, fields: ["passports[].score"] };
    const consumers = [consumerOf(), consumerOf({ uses: [list] })];
    expect(gateOf(factsOf({ consumers }), "drift")).toMatchObject({
      state: "unknown",
      evidence: ["nothing could be validated against V1's document yet: no data was seen on passport-list"],
    });
    const judged = ["passport", "passport-list"] as const;
    expect(gateOf(factsOf({ consumers, drift: { rows: [], judged } }), "drift").state).toBe("pass");
    const moved = [consumerOf({ status: "v2", uses: [] })];
    expect(gateOf(factsOf({ consumers: moved, drift: { rows: [], judged: [] } }), "drift")).toMatchObject({
      state: "pass",
      evidence: ["no field of V1 is used any more"],
    });
  });

  test("of an object around a used field counts", () => {
    expect(gateOf(factsOf({ drift: driftOf({ ...row, path: "passport" }) }), "drift").state).toBe("fail");
  });
});

describe("time", () => {
  test("without work left no date is needed; with work left V1's death is a failure", () => {
    const consumers = [consumerOf({ status: "v2", uses: [] })];
    expect(gateOf(factsOf({ consumers, outlook: undefined }), "time").state).toBe("pass");
    expect(gateOf(factsOf({ outlook: { level: "retired" } }), "time").state).toBe("fail");
    const passed = { level: "warning", date: "2026-11-01", daysLeft: -14 };
    expect(gateOf(factsOf({ outlook: passed }), "time").state).toBe("fail");
  });

  test("as many days as work is too few", () => {
    const at = (daysLeft: number) => ({ outlook: { level: "warning", date: "2026-11-17", daysLeft } });
    expect(gateOf(factsOf(at(2)), "time").state).toBe("fail");
    expect(gateOf(factsOf(at(3)), "time").state).toBe("pass");
    expect(gateOf(factsOf({ ...at(3), daysPerConsumer: 5 }), "time").state).toBe("fail");
  });
});

describe("the inventory by file", () => {
  const use = (change: Partial<InventoryUse>): InventoryUse => ({
    ...{ id: "a.ts passport f", file: "a.ts", line: 1, language: "typescript", endpoint: "passport" },
    ...{ confidence: "high", fields: ["passport.score"], hazards: [], firstSeen: "2026-10-01", status: "v1" },
    ...change,
  });
  const group = (...uses: InventoryUse[]) =>
    groupConsumers({ schema: "v1watch/inventory/1", scannedOn: "2026-11-14", uses }, "2026-11-15")[0];
  const until = (expires: string) => ({ exception: { reason: "later", expires } });

  test("the use that is furthest behind decides, and what is gone is moved", () => {
    expect(group(use({ status: "v2" }), use({ status: "dual" }))?.status).toBe("dual");
    expect(group(use({ status: "dual" }), use({}))?.status).toBe("v1");
    expect(group(use({ gone: "2026-11-01" }))).toMatchObject({ status: "v2", uses: [] });
  });

  test("a file is excepted when all of it is, up to the last day", () => {
    expect(group(use(until("2026-11-15")))?.isExcepted).toBe(true);
    expect(group(use(until("2026-11-14")))?.isExcepted).toBe(false);
    expect(group(use(until("2027-01-01")), use({}))?.isExcepted).toBe(false);
  });

  test("an exception that ran out fails its own gate, and the consumer's", () => {
    const consumers = [group(use(until("2026-11-14")))!];
    expect(statesOf(factsOf({ consumers }))).toMatchObject({ exceptions: "fail", consumers: "fail" });
  });
});

test("a row's line is found in its own section, and the section's where the row is missing", () => {
  const text = '{\n  "v2": { "key": "none" },\n  "fields" : {},\n  "behaviours": {\n    "key": {}\n  }\n}';
  expect(findRowLine(text, "behaviours", "key")).toBe(5);
  expect(findRowLine(text, "fields", "passport.score")).toBe(3);
  expect(findRowLine("{}", "fields", "passport.score")).toBeUndefined();
});
