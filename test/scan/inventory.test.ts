// How the inventory keeps uses over time, and what people wrote of them.
import { expect, test } from "vitest";
import { type Inventory, type InventoryUse, inventory } from "../../lib/records/inventory.ts";
import { mergeInventory } from "../../lib/scan/inventory.ts";
import type { Use } from "../../lib/scan/scan.ts";

const days = ["2026-11-01", "2026-11-02", "2026-11-03"] as const;

const useOf = (file: string, inside: string, changes: Partial<Use> = {}): Use => ({
  ...{ id: `${file} passport ${inside || "(module)"}`, file, inside, line: 3, language: "javascript" },
  ...{ endpoint: "passport", confidence: "high", calls: [3], hazards: [] },
  fields: [{ path: "passport.score", line: 4, confidence: "high" }],
  ...changes,
});

/** A scan of folders, each with one file at least. */
const scanOf = (uses: readonly Use[], ...names: string[]) => ({
  uses: [...uses],
  folders: (names.length > 0 ? names : [""]).map((name) => ({ name, files: 1 })),
});

const words: Partial<InventoryUse> = {
  ...{ owner: "team-a", status: "dual", note: "moves in spring" },
  exception: { reason: "contract", expires: "2027-01-31" },
};

/** The inventory of a first scan, with the same words on every use. */
function writtenOn(uses: readonly Use[], said = words): Inventory {
  const { inventory: first } = mergeInventory(undefined, scanOf(uses), days[0]);
  return { ...first, uses: first.uses.map((use) => ({ ...use, ...said })) };
}

const score = useOf("src/a.js", "score");
const other = useOf("src/a.js", "other");

test("keeps what people wrote, marks what is gone and greets what is back", () => {
  const first = mergeInventory(undefined, scanOf([score, other]), days[0]);
  expect(first.added.sort()).toEqual([other.id, score.id]);
  const second = mergeInventory(writtenOn([score, other]), scanOf([{ ...score, line: 9 }]), days[1]);
  expect(second.gone).toEqual([other.id]);
  expect(second.inventory.uses).toMatchObject([
    { id: other.id, gone: days[1], ...words },
    { id: score.id, firstSeen: days[0], line: 9, ...words },
  ]);
  const third = mergeInventory(second.inventory, scanOf([score, other]), days[2]);
  expect(third).toMatchObject({ back: [other.id], reopened: [] });
  expect(third.inventory.uses[0]).not.toHaveProperty("gone");
  expect(third.inventory.uses[0]).toMatchObject({ firstSeen: days[0], ...words });
});

test("fits its own schema, and the same scan again changes nothing", () => {
  const once = mergeInventory(undefined, scanOf([score, other]), days[0]).inventory;
  expect(inventory.parse(JSON.parse(JSON.stringify(once)))).toEqual(once);
  const again = mergeInventory(once, scanOf([score, other]), days[0]);
  expect(again.inventory).toEqual(once);
  expect(again).toMatchObject({ added: [], gone: [], back: [], moved: [], reopened: [], outside: [] });
});

test("what was moved to V2 and is found again is no longer moved; the other words stay", () => {
  const moved = writtenOn([score], { ...words, status: "v2" });
  const without = mergeInventory(moved, scanOf([]), days[1]).inventory;
  const { back, reopened, inventory: found } = mergeInventory(without, scanOf([score]), days[2]);
  expect({ back, reopened }).toEqual({ back: [score.id], reopened: [score.id] });
  expect(found.uses).toMatchObject([{ ...words, status: "v1" }]);
});

test("what people said of a use that is still there is theirs, v2 too", () => {
  const { inventory: kept, reopened } = mergeInventory(
    writtenOn([score], { status: "v2" }),
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
])("a use in %s is gone after a scan of %j that does not find it: %s", (file, folders, isGone) => {
  const use = useOf(file, "score");
  const merged = mergeInventory(writtenOn([use]), scanOf([], ...folders), days[1]);
  expect(merged).toMatchObject(
    isGone ? { gone: [use.id], outside: [] } : { gone: [], outside: [use.id], inventory: { uses: [words] } },
  );
  expect(merged.inventory.uses[0]?.gone).toBe(isGone ? days[1] : undefined);
});

test("a folder in which no file was found makes nothing gone", () => {
  const scan = { uses: [], folders: [{ name: "src", files: 0 }] };
  const { gone, outside, inventory: kept } = mergeInventory(writtenOn([score]), scan, days[1]);
  expect({ gone, outside }).toEqual({ gone: [], outside: [score.id] });
  expect(kept.uses[0]).not.toHaveProperty("gone");
});

test("a use that moved to another file takes its words along, once", () => {
  const there = useOf("src/clients/talent.js", "score");
  const merged = mergeInventory(writtenOn([score, other]), scanOf([there, other]), days[1]);
  expect(merged).toMatchObject({ moved: [there.id], added: [], gone: [] });
  expect(merged.inventory.uses).toMatchObject([
    { id: other.id },
    { id: there.id, file: there.file, firstSeen: days[0], ...words },
  ]);
});

test("a use that was said to be on V2 is on V1 in the file that it moved to", () => {
  const there = useOf("src/b.js", "score");
  const merged = mergeInventory(writtenOn([score], { status: "v2" }), scanOf([there]), days[1]);
  expect(merged).toMatchObject({ moved: [there.id], reopened: [there.id] });
  expect(merged.inventory.uses).toMatchObject([{ id: there.id, status: "v1" }]);
});

test.each<[string, Use[], Use[]]>([
  ["two may be the new one", [score], [useOf("src/b.js", "score"), useOf("src/c.js", "score")]],
  ["two may be the old one", [score, useOf("src/c.js", "score")], [useOf("src/b.js", "score")]],
  ["its function has another name", [score], [useOf("src/b.js", "load")]],
  ["it reads other fields", [score], [useOf("src/b.js", "score", { fields: [] })]],
  [
    "nothing but the endpoint is alike",
    [useOf("src/a.sh", "", { fields: [] })],
    [useOf("src/b.sh", "", { fields: [] })],
  ],
])("no words are carried where %s", (_why, before, now) => {
  const merged = mergeInventory(writtenOn(before), scanOf(now), days[1]);
  expect(merged).toMatchObject({ moved: [], added: now.map(({ id }) => id) });
  expect(merged.gone).toEqual(before.map(({ id }) => id));
});

test("a file of plain text is known again by its name", () => {
  const there = useOf("tools/a.sh", "", { fields: [] });
  const { moved } = mergeInventory(
    writtenOn([useOf("src/a.sh", "", { fields: [] })]),
    scanOf([there]),
    days[1],
  );
  expect(moved).toEqual([there.id]);
});
