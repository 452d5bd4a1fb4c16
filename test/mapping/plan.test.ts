import { describe, expect, test } from "vitest";
import { layOut } from "../../lib/commands/layout.ts";
import { renderPlan } from "../../lib/commands/migrate.ts";
import { buildPlan, describeLine, groupPlan, type PlannedUse } from "../../lib/mapping/plan.ts";
import { createStarter } from "../../lib/mapping/starter.ts";

const mapping = createStarter(Date.parse("2026-11-15T00:00:00Z"));

const planned = { isStarter: false, today: "2026-11-15" };

const useOf = (change: Partial<PlannedUse>): PlannedUse => ({
  file: "src/Borrow.tsx",
  package: "web",
  codeOwners: ["@web"],
  endpoint: "passport",
  confidence: "high",
  calls: [],
  fields: [],
  hazards: [],
  ...change,
});

const linesOf = (...uses: PlannedUse[]) =>
  buildPlan(uses, mapping, planned).lines.map((line) => `${line.file}:${line.line}  ${describeLine(line)}`);

describe("buildPlan", () => {
  test.each([
    [
      "passport.score",
      "passport.score → score.points of GET /score  rename + unwrap, the scale differs (unverified)",
    ],
    [
      "passport.human_checkmark",
      "passport.human_checkmark → profile.human_checkmark of GET /profile  move (unverified)",
    ],
    [
      "passport.passport_socials[].follower_count",
      "passport.passport_socials[].follower_count → socials[].followers_count of GET /socials  convert (string to number) (unverified)",
    ],
    [
      "passport.verified_wallets[]",
      "passport.verified_wallets[] → accounts[source=wallet].identifier of GET /accounts  move + filter (unverified)",
    ],
    ["passport.activity_score", "passport.activity_score  remove: No counterpart found in V2. (no owner)"],
    ["passport.calculating_score", "passport.calculating_score  decide: part of V2's search result"],
    [
      "passport.passport_id",
      "passport.passport_id → profile.id of GET /profile  rename, V1's integer becomes a UUID (unverified)",
    ],
    ["passport.passport_profile", "passport.passport_profile  see its 4 fields in the mapping"],
  ])("buildPlan says what a line that reads %s becomes", (path, expected) => {
    expect(linesOf(useOf({ fields: [{ path, line: 54 }] }))).toEqual([`src/Borrow.tsx:54  ${expected}`]);
  });

  test("buildPlan names the requests of V2 that give what is read from this call, wherever it is read", () => {
    const calls = useOf({ calls: [3, 30] });
    const reads = useOf({
      file: "src/other.ts",
      fields: [
        { path: "passport.score", line: 9, from: "src/Borrow.tsx:3" },
        { path: "passport.human_checkmark", line: 10, from: "src/Borrow.tsx:30" },
      ],
    });
    const ofUnknownOrigin = useOf({
      file: "src/view.ts",
      fields: [{ path: "passport.main_wallet", line: 1 }],
    });
    const lines = linesOf(calls, reads, ofUnknownOrigin);
    expect(lines).toContain("src/Borrow.tsx:3  GET /api/v1/passports/{id} → GET /score  replace the request");
    expect(lines).toContain(
      "src/Borrow.tsx:30  GET /api/v1/passports/{id} → GET /profile  replace the request",
    );
  });

  test("buildPlan names the one request of a decided endpoint where no read is known, and all of several", () => {
    const requestOf = (endpoint: PlannedUse["endpoint"]) => linesOf(useOf({ endpoint, calls: [3] }))[0];
    expect(requestOf("passport-credentials")).toBe(
      "src/Borrow.tsx:3  GET /api/v1/passport_credentials → GET /credentials  replace the request",
    );
    expect(requestOf("passport")).toBe(
      "src/Borrow.tsx:3  GET /api/v1/passports/{id} → GET /score, GET /profile, GET /accounts, GET /socials  replace the request by those that have the fields you need",
    );
  });

  test("buildPlan says of a row what coverage says of it: dropped, expired, without an owner", () => {
    const dropped = {
      decision: "dropped",
      owner: "web team",
      reason: "Nobody shows it.",
      expires: "2026-11-14",
    } as const;
    const fields = { ...mapping.fields, "passport.merged": dropped };
    const use = useOf({
      calls: [3],
      fields: [{ path: "passport.merged", line: 4, from: "src/Borrow.tsx:3" }],
    });
    const linesOn = (today: string) =>
      buildPlan([use], { ...mapping, fields }, { ...planned, today }).lines.map(describeLine);
    expect(linesOn("2026-11-14")).toEqual([
      "GET /api/v1/passports/{id}  remove: every field of it is dropped",
      "passport.merged  remove: Nobody shows it.",
    ]);
    expect(linesOn("2026-11-15")).toContain("passport.merged  remove: Nobody shows it. (expired)");
  });

  test("buildPlan lists what was followed from a call first, and says which lines are less sure", () => {
    const low = useOf({ file: "a.yml", confidence: "low", calls: [1] });
    const medium = useOf({
      file: "b.ts",
      confidence: "medium",
      fields: [{ path: "passport.merged", line: 2 }],
    });
    const high = useOf({ file: "c.ts", fields: [{ path: "passport.merged", line: 3, confidence: "high" }] });
    const { lines } = buildPlan([low, medium, high], mapping, planned);
    expect(lines.map(({ file, confidence }) => `${file} ${confidence}`)).toEqual([
      "c.ts high",
      "b.ts medium",
      "a.yml low",
    ]);
    expect(describeLine(lines[1]!)).toContain("(medium confidence)");
  });

  test("buildPlan keeps the lines of a file in order, whatever their confidence", () => {
    const fields = [
      { path: "passport.merged", line: 9, confidence: "high" as const },
      { path: "passport.merged", line: 2, confidence: "low" as const },
      { path: "passport.merged", line: 5, confidence: "medium" as const },
    ];
    const { lines } = buildPlan([useOf({ fields })], mapping, planned);
    expect(lines.map(({ line }) => line)).toEqual([2, 5, 9]);
  });

  test("buildPlan does not replace a list by one request for one record", () => {
    const list = useOf({
      endpoint: "passport-list",
      calls: [3],
      fields: [{ path: "passports[].human_checkmark", line: 4 }],
    });
    expect(linesOf(list)).toEqual([
      "src/Borrow.tsx:3  GET /api/v1/passports → GET /profile for each passport  replace the list: V2 gives one passport by its id, so decide where the ids come from",
      "src/Borrow.tsx:4  passports[].human_checkmark → profile.human_checkmark of GET /profile for each passport  move (unverified)",
    ]);
  });

  test("A project without a package name is called the scanned project", () => {
    const plan = buildPlan([useOf({ package: ".", calls: [1] })], mapping, planned);
    expect([...groupPlan(plan, "package").keys()]).toEqual(["the scanned project"]);
  });

  test("buildPlan has a line for every hazard, decoder and undocumented field", () => {
    const use = useOf({
      hazards: [{ rule: "catch-default", line: 60 }],
      fields: [
        { path: "passport.main_wallet", line: 4, isRequired: true },
        { path: "passport.created_at", line: 70, isUndocumented: true },
      ],
    });
    expect(linesOf(use)).toEqual([
      "src/Borrow.tsx:4  decodes passport.main_wallet → profile.main_wallet_address of GET /profile  rename, weak evidence (unverified)",
      'src/Borrow.tsx:60  hazard: failure becomes 0, null or [] → show "unavailable"  propagate the error',
      "src/Borrow.tsx:70  passport.created_at  not in V1's document: look for it in V2",
    ]);
  });

  test("buildPlan counts each line to change once, and none that stays the same", () => {
    const kept = { ...mapping, fields: { ...mapping.fields } };
    kept.fields["passport.main_wallet"] = {
      decision: "same",
      endpoint: "profile",
      path: "profile.main_wallet",
    };
    const fields = ["passport.score", "passport.merged"].map((path) => ({ path, line: 7 }));
    const use = useOf({ fields: [...fields, { path: "passport.main_wallet", line: 8 }] });
    expect(buildPlan([use], kept, planned)).toMatchObject({ linesToChange: 1, lines: { length: 3 } });
  });
});

describe("a plan", () => {
  const plan = buildPlan(
    [
      useOf({ fields: [{ path: "passport.score", line: 54 }] }),
      useOf({ file: "api/main.go", package: "api", codeOwners: [], owner: "backend", calls: [3] }),
    ],
    mapping,
    { ...planned, isStarter: true },
  );

  test("A plan is grouped by file, owner and package", () => {
    expect([...groupPlan(plan, "file").keys()]).toEqual(["api/main.go", "src/Borrow.tsx"]);
    expect([...groupPlan(plan, "owner").keys()]).toEqual(["backend", "@web"]);
    expect([...groupPlan(plan, "package").keys()]).toEqual(["api", "web"]);
  });

  test("A plan is printed line by line and says that the starter mapping is unverified", () => {
    const text = layOut(renderPlan(plan, "package"), undefined);
    expect(text).toContain(
      "web\n  src/Borrow.tsx:54  passport.score → score.points of GET /score  rename + unwrap",
    );
    expect(text).toContain("unverified starter");
  });
});
