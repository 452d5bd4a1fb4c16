import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run } from "./terminal.ts";

const folder = makeFolder();
/** One check each of a V1 that returns 401, is unreachable, is healthy, or has lost one endpoint. */
const stores = {
  unauthorized: "unauthorized.db",
  unreachable: "unreachable.db",
  healthy: "healthy.db",
  partial: "partial.db",
} as const;
const runOn = (command: string, store: keyof typeof stores, ...more: string[]) =>
  run([...command.split(" "), "--store", join(folder, stores[store]), ...more]);

beforeAll(async () => {
  const simulators = await Promise.all([1, 2, 3, 4].map(() => startSimulator({ passports: 60 })));
  const [unauthorized, unreachable, healthy, partial] = simulators as [
    Simulator,
    Simulator,
    Simulator,
    Simulator,
  ];
  unauthorized.inject([{ kind: "unauthorized", who: "all" }]);
  partial.inject([
    { kind: "unauthorized", who: "all", endpoint: "passport-credentials" },
    { kind: "drop-field", path: "passports[].passport_profile" },
  ]);
  await unreachable.close();
  const check = ({ url }: Simulator, store: keyof typeof stores) =>
    runOn("up", store, "--once", "--allow-loopback", "--base-url", url);
  await Promise.all([
    ...[check(unauthorized, "unauthorized"), check(unreachable, "unreachable")],
    ...[check(healthy, "healthy"), check(partial, "partial")],
  ]);
  await Promise.all([unauthorized, healthy, partial].map((simulator) => simulator.close()));
});

describe.each(["unauthorized", "unreachable"] as const)(
  "with a watch that never received V1 data (%s)",
  (store) => {
    test("v1watch status drift exits 2 and does not report V1 as documented", async () => {
      const { code, out, err } = await runOn("status drift", store);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toMatch(
        /^v1watch: no response could be validated yet: none of \d checks returned V1 data\. Run `v1watch status risk` for the reasons\.\n$/,
      );
      expect(await runOn("status drift", store, "--json")).toMatchObject({ code: 2, out: "[]\n", err });
    });

    test("v1watch ready passes no gate, and the drift gate names the endpoints without data", async () => {
      const { out } = await runOn("ready", store, "--json");
      const { gates } = JSON.parse(out) as { gates: { id: string; state: string; evidence: string[] }[] };
      expect(gates.map(({ state }) => state)).not.toContain("pass");
      expect(gates.find(({ id }) => id === "drift")?.evidence).toEqual([
        "no response of passport-list, passport, passport-credentials has been validated against V1's document yet",
      ]);
    });

    test("v1watch status risk and report state that the retirement risk is unknown", async () => {
      const { code, out } = await runOn("status risk", store);
      expect(code).toBe(2);
      expect(out).toMatch(/^Unknown: not confirmed yet: V1 (?:refuses|is down)/);
      expect(out).toMatch(/^Retirement risk: unknown · The risk is unknown: V1 has served no data yet\./m);
      expect(out).not.toMatch(/no sign|the data is/);
      const report = await runOn("report", store, "--format", "markdown", "--out", "-");
      expect(report.out).toContain("The risk is unknown: V1 has served no data yet.");
      expect(report.out).not.toMatch(/no sign|Confidence/);
      expect(report.out).toMatch(/## Drift \(used fields first\)\n\nUnknown: no response contained data/);
    });
  },
);

test("After one check with data, v1watch status drift reports no breaking differences and the outlook stays uncertain", async () => {
  const { code, out } = await runOn("status drift", "healthy");
  expect(code).toBe(0);
  expect(out).toMatch(/^As documented: no difference observed in \d responses\.\n$/);
  const report = await runOn("report", "healthy", "--format", "markdown", "--out", "-");
  expect(report.out).toContain("V1 shows no retirement signals.");
});

test("v1watch status drift names an endpoint without data", async () => {
  const { code, out } = await runOn("status drift", "partial");
  expect(code).toBe(2);
  expect(out).toMatch(
    /^Unknown: not confirmed yet: [^\n]*\n\n1 difference from V1's document: 1 breaking\. Unknown for passport-credentials: no data received yet\.\n/,
  );
});

test.each(["status", "status undocumented", "ready", "status risk", "status drift"])(
  "v1watch %s wraps its output on a terminal of 60 columns, and only there",
  async (command) => {
    const args = [...command.split(" "), "--store", join(folder, stores.partial)];
    const [wrapped, unwrapped] = [await run(args, { columns: 60, env: { NO_COLOR: "1" } }), await run(args)];
    expect(Math.max(...unwrapped.out.split("\n").map(({ length }) => length))).toBeGreaterThan(60);
    for (const line of wrapped.out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(60);
    expect(wrapped.out.split(/\s+/)).toEqual(unwrapped.out.split(/\s+/));
  },
);
