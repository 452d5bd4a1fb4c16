// The passports that are requested as samples: which, for how long, and what becomes of one that is gone.
import { describe, expect, test } from "vitest";
import type { Config } from "../../lib/config/config.ts";
import {
  applySamples,
  chooseSamples,
  findKeyword,
  findListed,
  listSamples,
  newSamples,
  pickOtherId,
  pickSample,
} from "../../lib/probe/samples.ts";
import { emptyProbeState, maxSamples, type Sample } from "../../lib/records/probe-state.ts";
import { configure } from "../config/configure.ts";

const nowMs = Date.parse("2026-11-15T12:00:00Z");
const weekMs = 7 * 86_400_000;
const wallet = `0x${"a".repeat(40)}`;

const auto = configure();
const configured = (...ids: number[]): Config => ({ ...auto, samples: { ...auto.samples, ids } });

const record = (passport_id: unknown, score: unknown = 1, more = {}) => ({ passport_id, score, ...more });
const list = (...passports: unknown[]) => ({ passports });
const ids = (samples: readonly Sample[]) => samples.map(({ id }) => id);
const known = (...names: string[]): Sample[] => names.map((id) => ({ id }));

describe("samples are chosen", () => {
  const choose = (body: unknown, samples: readonly Sample[] = [], config = auto) =>
    ids(chooseSamples(body, config, samples, nowMs));

  test("Samples are chosen from all over the page, up to three", () => {
    expect(choose(list(...[1, 2, 3, 4, 5, 6].map((id) => record(id))))).toEqual(["1", "3", "5"]);
    expect(choose(list(record(1), record(2)))).toEqual(["1", "2"]);
    expect(choose(list())).toEqual([]);
  });

  test("Samples are chosen among people with a score, where there are enough of them", () => {
    const zeros = [record(1, 0), record(2, -1), record(3, "5")];
    expect(choose(list(...zeros, record(4), record(5), record(6)))).toEqual(["4", "5", "6"]);
    expect(choose(list(...zeros, record(4), record(5)))).toEqual(["1", "2", "4"]);
  });

  test("Samples are chosen among records that can be requested", () => {
    const unusable = [null, 7, "text", [], {}, record(-1), record(1.5), record("1"), record(2 ** 53)];
    expect(choose(list(...unusable, record(0)))).toEqual(["0"]);
    expect(choose("no list")).toEqual([]);
  });

  test("Samples are chosen only to fill up what is missing", () => {
    const page = list(record(1), record(2), record(3), record(4));
    expect(choose(page, known("1", "9"))).toEqual(["1", "9", "2"]);
    expect(choose(page, known("7", "8", "9"))).toEqual(["7", "8", "9"]);
    expect(choose(page, [], configured(7, 8, 9))).toEqual([]);
    const gone = [{ id: "9", goneAtMs: nowMs }];
    expect(choose(page, gone)).toEqual(["9", "1", "2", "3"]);
  });

  test("Samples are chosen with the wallet, where it is one", () => {
    const page = list(record(1, 1, { main_wallet: wallet }), record(2, 1, { main_wallet: `${wallet}0` }));
    expect(chooseSamples(page, auto, [], nowMs)).toEqual([{ id: "1", otherId: wallet }, { id: "2" }]);
  });
});

test("A wallet is an address of 40 hexadecimal digits, in any letter case", () => {
  const chosen = (main_wallet: unknown) =>
    chooseSamples(list(record(1, 1, { main_wallet })), auto, [], nowMs)[0]?.otherId;
  const mixed = `0x${"aF09".repeat(10)}`;
  expect(chosen(mixed)).toBe(mixed);
  for (const other of [
    wallet.slice(0, -1),
    `x${wallet}`,
    wallet.replace("0x", "1x"),
    `0x${"g".repeat(40)}`,
    7,
  ])
    expect(chosen(other)).toBeUndefined();
});

test("Of more samples than are kept the latest stay", () => {
  const gone = Array.from({ length: maxSamples - 1 }, (_, number) => ({
    id: `g${number}`,
    goneAtMs: nowMs,
  }));
  const chosen = chooseSamples(list(record(1), record(2), record(3)), auto, gone, nowMs);
  expect(ids(chosen)).toEqual([...ids(gone).slice(2), "1", "2", "3"]);
});

test("A keyword has 3 to 20 letters, and is in the first 200 characters of a name", () => {
  const keyword = (display_name: string) =>
    findKeyword(list(record(1, 1, { passport_profile: { display_name } })));
  expect(keyword("ab abc")).toBe("abc");
  expect(keyword(`${"a".repeat(21)} ${"b".repeat(20)}`)).toBe("b".repeat(20));
  expect(keyword("1abc abc1 a\tbcd")).toBe("bcd");
  expect(keyword(`${"1".repeat(196)} abc`)).toBe("abc");
  expect(keyword(`${"1".repeat(198)} abc`)).toBeUndefined();
  expect(findKeyword(list(record(1, 1, { passport_profile: "Ana" })))).toBeUndefined();
});

test("Configured samples are used alone where there are three, and filled up otherwise", () => {
  const remembered = [{ id: "1", otherId: wallet }, { id: "9" }];
  expect(listSamples(configured(1, 2, 3), remembered)).toEqual([
    { id: "1", otherId: wallet },
    { id: "2" },
    { id: "3" },
  ]);
  expect(ids(listSamples(configured(1, 2), remembered))).toEqual(["1", "2", "9"]);
  expect(ids(newSamples(configured(1), known("1", "2", "3"), known("2")))).toEqual(["3"]);
});

test("Samples take turns, and one that is gone is left out for a week, unless all are gone", () => {
  const gone = (id: string, ageMs: number) => ({ id, goneAtMs: nowMs - ageMs });
  const pick = (samples: Sample[], turn: number, except?: string) =>
    pickSample(samples, turn, nowMs, except)?.id;
  const three = known("1", "2", "3");
  expect([0, 1, 2, 3].map((turn) => pick(three, turn))).toEqual(["1", "2", "3", "1"]);
  expect([0, 1, 2].map((turn) => pick(three, turn, "2"))).toEqual(["1", "3", "1"]);
  expect(pick([gone("1", weekMs), ...known("2")], 0)).toBe("2");
  expect(pick([gone("1", weekMs + 1), ...known("2")], 0)).toBe("1");
  expect(pick([gone("1", 0)], 0)).toBe("1");
  expect(pick([], 0)).toBeUndefined();
});

test("A wallet is that of the sample, or a configured one in turn", () => {
  expect(pickOtherId(auto, { id: "1", otherId: wallet }, 0)).toBe(wallet);
  expect(pickOtherId(auto, undefined, 0)).toBeUndefined();
  const two = { ...auto, samples: { ...auto.samples, otherIds: ["0x1", "0x2"] } };
  expect([0, 1, 2].map((turn) => pickOtherId(two, { id: "1", otherId: wallet }, turn))).toEqual([
    "0x1",
    "0x2",
    "0x1",
  ]);
});

test("A record of the list is found by its id, and a keyword is a word of letters in a name", () => {
  expect(findListed(list(record(1), record(12)), "12")).toMatchObject({ passport_id: 12 });
  expect(findListed(list(record(1)), "2")).toBeUndefined();
  const named = (display_name: unknown) => record(1, 1, { passport_profile: { display_name } });
  expect(findKeyword(list(record(1), named(7), named("Al b0b Zoë Maria")))).toBe("Zoë");
  expect(findKeyword(list(named("ab 12 a-b"), named("a".repeat(21))))).toBeUndefined();
});

describe("the probe state", () => {
  const apply = (samples: Sample[], changes: Parameters<typeof applySamples>[2]) =>
    applySamples({ ...emptyProbeState, samples }, auto, changes, nowMs).samples;

  test("The probe state remembers what was chosen, up to three, once", () => {
    expect(ids(apply(known("1"), { chosen: known("1", "2", "3", "4"), gone: [] }))).toEqual(["1", "2", "3"]);
    const state = { ...emptyProbeState, samples: known("1", "2", "3") };
    expect(applySamples(state, auto, { chosen: known("4"), gone: [] }, nowMs)).toBe(state);
  });

  test("The probe state marks what is gone, replaces it, and has a limit", () => {
    expect(
      apply([{ id: "1", otherId: wallet }, ...known("2", "3")], { chosen: known("4"), gone: ["1"] }),
    ).toEqual([...known("2", "3"), { id: "1", otherId: wallet, goneAtMs: nowMs }, ...known("4")]);
    const many = Array.from({ length: maxSamples + 2 }, (_, number) => String(number));
    expect(apply([], { chosen: [], gone: many })).toHaveLength(maxSamples);
  });
});
