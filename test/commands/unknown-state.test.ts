import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run } from "./terminal.ts";

const folder = makeFolder();
/** V1 refuses everybody, nobody is there at all, V1 as it should be, and without one endpoint: one look each. */
const stores = { refused: "refused.db", dead: "dead.db", alive: "alive.db", partial: "partial.db" } as const;
const say = (command: string, store: keyof typeof stores, ...more: string[]) =>
  run([command, "--store", join(folder, stores[store]), ...more]);

beforeAll(async () => {
  const simulators = await Promise.all([1, 2, 3, 4].map(() => startSimulator({ passports: 60 })));
  const [refused, dead, alive, partial] = simulators as [Simulator, Simulator, Simulator, Simulator];
  refused.inject([{ kind: "unauthorized", who: "all" }]);
  partial.inject([
    { kind: "unauthorized", who: "all", endpoint: "passport-credentials" },
    { kind: "drop-field", path: "passports[].passport_profile" },
  ]);
  await dead.close();
  const look = ({ url }: Simulator, store: keyof typeof stores) =>
    say("up", store, "--once", "--allow-loopback", "--base-url", url);
  await Promise.all([
    ...[look(refused, "refused"), look(dead, "dead")],
    ...[look(alive, "alive"), look(partial, "partial")],
  ]);
  await Promise.all([refused, alive, partial].map((simulator) => simulator.close()));
});

describe.each(["refused", "dead"] as const)("a watch that was never shown data (%s)", (store) => {
  test("has no drift to tell, and does not call that as documented", async () => {
    const { code, out, err } = await say("drift", store);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(
      /^v1watch: no answer could be judged yet: none of \d looks brought data of V1\. `v1watch outlook` says what came\.\n$/,
    );
    expect(await say("drift", store, "--json")).toMatchObject({ code: 2, out: "[]\n", err });
  });

  test("passes no gate, and says why of the drift", async () => {
    const { out } = await say("ready", store, "--json");
    const { gates } = JSON.parse(out) as { gates: { id: string; state: string; evidence: string[] }[] };
    expect(gates.map(({ state }) => state)).not.toContain("pass");
    expect(gates.find(({ id }) => id === "drift")?.evidence).toEqual([
      "no response of passport-list, passport, passport-credentials has been validated against V1's document yet",
    ]);
  });

  test("knows nothing of V1's end, and is as sure as that", async () => {
    const { code, out } = await say("outlook", store);
    expect(code).toBe(2);
    expect(out).toMatch(/^UNKNOWN · Nothing is known of V1 yet: it has /);
    expect(out).not.toMatch(/no sign|the data is/);
    const report = await say("report", store, "--format", "markdown", "--out", "-");
    expect(report.out).toContain("Nothing is known of V1 yet");
    expect(report.out).not.toMatch(/no sign|Confidence/);
    expect(report.out).toMatch(/## Drift \(used fields first\)\n\nUnknown: no response contained data/);
  });
});

test("one look at data is drift's own word, and too early to be sure of the end", async () => {
  const { code, out } = await say("drift", "alive", "--level", "breaking");
  expect(code).toBe(0);
  expect(out).toMatch(/^No breaking difference was ever seen in \d answers\.\n$/);
  const report = await say("report", "alive", "--format", "markdown", "--out", "-");
  expect(report.out).toContain("V1 shows no sign of leaving. There is too little data to be certain.");
});

test("an endpoint without data is named, beside what is known of the others", async () => {
  const { code, out } = await say("drift", "partial", "--level", "additive");
  expect(code).toBe(0);
  expect(out).toMatch(
    /^No additive difference .*\nNot known of passport-credentials: no data was seen there yet\.\n$/,
  );
});

test.each([["gaps"], ["ready"], ["outlook"], ["drift"]])(
  "%s fits a terminal of 60 columns, and is whole elsewhere",
  async (command) => {
    const args = [command, "--store", join(folder, stores.partial)];
    const [narrow, whole] = [await run(args, { columns: 60 }), await run(args)];
    expect(Math.max(...whole.out.split("\n").map(({ length }) => length))).toBeGreaterThan(60);
    for (const line of narrow.out.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    expect(narrow.out.split(/\s+/)).toEqual(whole.out.split(/\s+/));
  },
);
