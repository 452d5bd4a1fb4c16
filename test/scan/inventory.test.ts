import { expect, test } from "vitest";
import { type Inventory, type InventoryUse, inventory } from "../../lib/records/inventory.ts";
import type { Use } from "../../lib/scan/index.ts";
import { mergeInventory } from "../../lib/scan/inventory.ts";

const days = ["2026-11-01", "2026-11-02", "2026-11-03"] as const;

const useOf = (file: string, inside: string, changes: Partial<Use> = {}): Use => ({
  id: `${file} passport ${inside || "(module)"}`,
  file,
  inside,
  line: 3,
  language: "javascript",
  endpoint: "passport",
  confidence: "high",
  calls: [3],
  hazards: [],
  package: "web",
  codeOwners: [],
  why: "by the address of the call",
  fields: [{ path: "passport.score", line: 4, confidence: "high", why: "followed" }],
  ...changes,
});

/** A scan result of folders with one file each. */
const scanOf = (uses: readonly Use[], ...names: string[]) => ({
  uses: [...uses],
  questions: [],
  links: [],
  missing: [],
  addresses: [],
  notCounted: [],
  unfollowed: [],
  folders: (names.length > 0 ? names : [""]).map((name) => ({
    name,
    files: 1,
    digest: `of ${name}`,
    skipped: [],
  })),
});

const manualFields: Partial<InventoryUse> = {
  owner: "team-a",
  status: "dual",
  note: "moves in spring",
  exception: { reason: "contract", expires: "2027-01-31" },
};

/** The inventory of a first scan, with the same hand-edited fields on every use. */
function inventoryOf(uses: readonly Use[], fields = manualFields): Inventory {
  const { inventory: first } = mergeInventory(undefined, scanOf(uses), days[0]);
  return { ...first, uses: first.uses.map((use) => ({ ...use, ...fields })) };
}

const score = useOf("src/a.js", "score");
const other = useOf("src/a.js", "other");

test("mergeInventory keeps hand-edited fields, marks removed uses and restores them if they return", () => {
  const first = mergeInventory(undefined, scanOf([score, other]), days[0]);
  expect(first.added.sort()).toEqual([other.id, score.id]);
  const second = mergeInventory(inventoryOf([score, other]), scanOf([{ ...score, line: 9 }]), days[1]);
  expect(second.gone).toEqual([other.id]);
  expect(second.inventory.uses).toMatchObject([
    { id: other.id, gone: days[1], ...manualFields },
    { id: score.id, firstSeen: days[0], line: 9, ...manualFields },
  ]);
  const third = mergeInventory(second.inventory, scanOf([score, other]), days[2]);
  expect(third).toMatchObject({ back: [other.id], reopened: [] });
  expect(third.inventory.uses[0]).not.toHaveProperty("gone");
  expect(third.inventory.uses[0]).toMatchObject({ firstSeen: days[0], ...manualFields });
});

test("mergeInventory is idempotent, and its result is valid against the schema", () => {
  const once = mergeInventory(undefined, scanOf([score, other]), days[0]).inventory;
  expect(inventory.parse(JSON.parse(JSON.stringify(once)))).toEqual(once);
  const again = mergeInventory(once, scanOf([score, other]), days[0]);
  expect(again.inventory).toEqual(once);
  expect(again).toMatchObject({ added: [], gone: [], back: [], moved: [], reopened: [], outside: [] });
});

test("A use with status v2 that was removed and is found again gets status v1 and keeps its other fields", () => {
  const moved = inventoryOf([score], { ...manualFields, status: "v2" });
  const afterRemoval = mergeInventory(moved, scanOf([]), days[1]).inventory;
  const { back, reopened, inventory: found } = mergeInventory(afterRemoval, scanOf([score]), days[2]);
  expect({ back, reopened }).toEqual({ back: [score.id], reopened: [score.id] });
  expect(found.uses).toMatchObject([{ ...manualFields, status: "v1" }]);
});

test("A use that is still found keeps its hand-edited status v2", () => {
  const { inventory: kept, reopened } = mergeInventory(
    inventoryOf([score], { status: "v2" }),
    scanOf([score]),
    days[1],
  );
  expect(kept.uses).toMatchObject([{ status: "v2" }]);
  expect(reopened).toEqual([]);
});

test.each([
  ["src/a.js", ["lib"], false],
  ["src/a.js", ["lib", "src"], true],
  ["src/a.js", ["sr"], false],
  ["src/a.js", [""], true],
  ["../b/a.js", [""], false],
  ["../b/a.js", ["../b"], true],
  ["../b/a.js", ["../b/a"], false],
  ["../../c/a.js", [".."], false],
  ["src/a.js", [".."], true],
])("A use in %s that a scan of %j does not find is marked as gone: %s", (file, folders, isGone) => {
  const use = useOf(file, "score");
  const merged = mergeInventory(inventoryOf([use]), scanOf([], ...folders), days[1]);
  expect(merged).toMatchObject(
    isGone
      ? { gone: [use.id], outside: [] }
      : { gone: [], outside: [use.id], inventory: { uses: [manualFields] } },
  );
  expect(merged.inventory.uses[0]?.gone).toBe(isGone ? days[1] : undefined);
});

test("The inventory says when each folder was read, and how many files of it", () => {
  const first = mergeInventory(undefined, scanOf([], "api/old", "api/new", "jobs"), days[0]).inventory;
  const second = mergeInventory(first, scanOf([], "api"), days[1]).inventory;
  expect(second.folders).toEqual([
    { name: "api", files: 1, scannedOn: days[1], digest: "of api" },
    { name: "jobs", files: 1, scannedOn: days[0], digest: "of jobs" },
  ]);
});

test("A link out of the scanned folders is a doubt until somebody has reviewed it", () => {
  const scan = { ...scanOf([]), links: [{ file: "src/lib", to: "../../lib" }] };
  const first = mergeInventory(undefined, scan, days[0]);
  expect(first.unreviewed).toEqual([{ file: "src/lib", line: 1, reason: "link" }]);
  const unsure = [{ ...first.inventory.unsure[0]!, reviewed: { reason: "documentation" } }];
  expect(mergeInventory({ ...first.inventory, unsure }, scan, days[1]).unreviewed).toEqual([]);
});

test("A use that moved to another file keeps its hand-edited fields", () => {
  const movedUse = useOf("src/clients/talent.js", "score");
  const merged = mergeInventory(inventoryOf([score, other]), scanOf([movedUse, other]), days[1]);
  expect(merged).toMatchObject({ moved: [movedUse.id], added: [], gone: [] });
  expect(merged.inventory.uses).toMatchObject([
    { id: other.id },
    { id: movedUse.id, file: movedUse.file, firstSeen: days[0], ...manualFields },
  ]);
});

test("A use with status v2 that is found in another file gets status v1", () => {
  const movedUse = useOf("src/b.js", "score");
  const merged = mergeInventory(inventoryOf([score], { status: "v2" }), scanOf([movedUse]), days[1]);
  expect(merged).toMatchObject({ moved: [movedUse.id], reopened: [movedUse.id] });
  expect(merged.inventory.uses).toMatchObject([{ id: movedUse.id, status: "v1" }]);
});

test.each<[string, Use[], Use[]]>([
  ["two new uses match", [score], [useOf("src/b.js", "score"), useOf("src/c.js", "score")]],
  ["two removed uses match", [score, useOf("src/c.js", "score")], [useOf("src/b.js", "score")]],
  ["the function has another name", [score], [useOf("src/b.js", "load")]],
  ["the fields differ", [score], [useOf("src/b.js", "score", { fields: [] })]],
  [
    "only the endpoint matches",
    [useOf("src/a.sh", "", { fields: [] })],
    [useOf("src/b.sh", "", { fields: [] })],
  ],
])("Hand-edited fields are not transferred to another file if %s", (_why, before, now) => {
  const merged = mergeInventory(inventoryOf(before), scanOf(now), days[1]);
  expect(merged).toMatchObject({ moved: [], added: now.map(({ id }) => id) });
  expect(merged.gone).toEqual(before.map(({ id }) => id));
});

test("A review of what is not counted stays with its place when lines move, and covers no further place", () => {
  const mention = { file: "src/a.js", line: 3, endpoint: "passport", why: "log() sends no request" } as const;
  const scanned = { ...scanOf([]), notCounted: [mention] };
  const first = mergeInventory(undefined, scanned, days[0]);
  expect(first.inventory.unsure).toEqual([{ ...mention, reason: "not-counted" }]);
  expect(first).toMatchObject({ unreviewed: [{ line: 3 }], newlyUnsure: [{ line: 3 }] });
  const reviewed = { reason: "a message" };
  const before = { ...first.inventory, unsure: [{ ...first.inventory.unsure[0]!, reviewed }] };
  const moved = mergeInventory(before, { ...scanned, notCounted: [{ ...mention, line: 8 }] }, days[1]);
  expect(moved).toMatchObject({ unreviewed: [], newlyUnsure: [] });
  expect(moved.inventory.unsure).toMatchObject([{ line: 8, reviewed }]);
  const more = [mention, { ...mention, line: 9 }];
  const second = mergeInventory(before, { ...scanned, notCounted: more }, days[1]);
  expect(second).toMatchObject({ unreviewed: [{ line: 9 }], newlyUnsure: [{ line: 9 }] });
  expect(inventory.parse(second.inventory)).toEqual(second.inventory);
  // A scan of another folder says nothing about it.
  expect(mergeInventory(before, scanOf([], "lib"), days[1]).inventory.unsure).toEqual(before.unsure);
});

test("A use in a text file is recognized in another folder by its file name", () => {
  const movedUse = useOf("tools/a.sh", "", { fields: [] });
  const { moved } = mergeInventory(
    inventoryOf([useOf("src/a.sh", "", { fields: [] })]),
    scanOf([movedUse]),
    days[1],
  );
  expect(moved).toEqual([movedUse.id]);
});
