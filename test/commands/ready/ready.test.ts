import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { escapeXml } from "../../../lib/html.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import type { Gate } from "../../../lib/readiness/readiness.ts";
import { readinessOutput } from "../../../lib/records/outputs.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { rehearsalOf } from "../../readiness/ready-facts.ts";
import { run } from "../terminal.ts";
import { parityTextOf } from "./parity-file.ts";
import { halfway, projects, writeProject } from "./projects.ts";
import { fillStore } from "./ready-store.ts";

const folder = makeFolder();

const argumentsOf = (name: string, ...more: string[]) => {
  const project = join(folder, name);
  const parity = name === "uncompared" ? [] : ["--parity", join(folder, `${name}.parity.json`)];
  return [
    ...["--mapping", join(project, "v1watch.mapping.json")],
    ...["--inventory", join(project, "v1watch.inventory.json")],
    ...parity,
    ...["--rehearsal", join(folder, "rehearsal.json")],
    ...["--store", join(folder, `${name}.db`), ...more],
  ];
};

beforeAll(async () => {
  writeFileSync(join(folder, "rehearsal.json"), JSON.stringify(rehearsalOf("loud", Date.now())));
  for (const name of Object.keys(projects)) {
    const { parity, watch } = writeProject(name, join(folder, name));
    if (parity) writeFileSync(join(folder, `${name}.parity.json`), parityTextOf(join(folder, name)));
    await fillStore(join(folder, `${name}.db`), watch);
  }
});

describe("ready --json for the fixture project", () => {
  test.each(Object.entries(projects))(
    "v1watch ready --json: the fixture project %s has the expected verdict, exit code and blockers",
    async (name, { expected }) => {
      const { code, out, err } = await run(["ready", ...argumentsOf(name, "--json")]);
      const { verdict, blockers } = JSON.parse(out);
      expect({ code, verdict, blockers: blockers.map(({ id }: { id: string }) => id), err }).toEqual({
        ...expected,
        err: "",
      });
    },
  );
});

describe("ready", () => {
  test("v1watch ready prints the verdict, the blockers with owner, next step and line, then every gate", async () => {
    const { out } = await run(["ready", ...argumentsOf("halfway")]);
    expect(out).toMatch(/^NOT READY · We cannot leave V1 yet: 4 of 10 gates fail\.\n/);
    expect(out).toContain("\nBlockers\n");
    expect(out).toMatch(
      /1\. 1 of \d+ consumers is on V1 only\n {3}Owner: team-profile\n {3}Next step: Migrate/,
    );
    expect(out).toMatch(/exception with an expiry date\. src\/score\.py:9\n/);
    expect(out.match(/^ {2}(?:pass|FAIL|unknown) +\S/gm)).toHaveLength(10);
  });

  test("v1watch ready prints after the verdict that the watch has no recent observations", async () => {
    const { out } = await run(["ready", ...argumentsOf("unwatched")]);
    expect(out).toMatch(/\nV1 UNKNOWN · no check since \d{4}-\d\d-\d\d/);
  });

  test.each([
    ["missing", "nowhere.db"],
    ["not a v1watch store", "foreign.db"],
  ])("v1watch ready exits 3 if the store is %s, and still evaluates the other gates", async (_name, file) => {
    if (file === "foreign.db") writeFileSync(join(folder, file), "not a database, but a text of some length");
    const args = argumentsOf("moved", "--json").map((arg) =>
      arg.endsWith(".db") ? join(folder, file) : arg,
    );
    const { code, out } = await run(["ready", ...args]);
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ verdict: "unknown", monitor: { isHealthy: false } });
  });
});

describe("ready --junit", () => {
  const junitOf = async (name: string, ...more: string[]) => {
    const file = join(folder, `${name}.xml`);
    const { code } = await run(["ready", ...argumentsOf(name, "--junit", file, ...more)]);
    const xml = readFileSync(file, "utf8");
    const cases = [
      ...xml.matchAll(/<testcase [^>]*name="([^"]*)"(?:\/>|>\s*<(failure|error) message="([^"]*)">)/g),
    ];
    return { code, xml, cases: cases.map(([, title, kind, message]) => ({ title, kind, message })) };
  };
  const gatesOf = async (name: string) =>
    JSON.parse((await run(["ready", ...argumentsOf(name, "--json")])).out).gates as Gate[];

  test.each(Object.keys(projects))(
    "v1watch ready --junit: in the project %s each gate is a test case that passes, fails or has an error",
    async (name) => {
      const { cases, xml, code } = await junitOf(name);
      const [watched, ...own] = cases;
      expect(watched).toMatchObject({ title: "V1 is watched", kind: code === 3 ? "error" : undefined });
      const kinds = { pass: undefined, fail: "failure", unknown: "error" };
      const gates = await gatesOf(name);
      expect(own.map(({ title, kind }) => [title, kind])).toEqual(
        gates.map(({ title, state }) => [escapeXml(title), kinds[state]]),
      );
      const count = (kind: string) => cases.filter((one) => one.kind === kind).length;
      expect(xml).toContain(
        `<testsuites tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}">`,
      );
    },
  );

  test("v1watch ready --junit names the blocker, its next step, owner and line, and stays XML whatever a file is called", async () => {
    const name = "junit-names";
    cpSync(join(folder, "halfway"), join(folder, name), { recursive: true });
    cpSync(join(folder, "halfway.db"), join(folder, `${name}.db`));
    cpSync(join(folder, "halfway.parity.json"), join(folder, `${name}.parity.json`));
    const file = join(folder, name, "v1watch.inventory.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("src/score.py", "src/<b>&\\u0007score.py"));
    const { xml } = await junitOf(name);
    expect(xml).toMatch(
      /<failure message="[^"]+">[^<]*\nNext step: [^<]+\nOwner: [^<]+\nsrc\/&lt;b&gt;&amp; ?score\.py:\d+/,
    );
    expect(xml.replace(/<\/?[a-z]+(?: [a-z]+="[^"<]*")*\/?>|<\?xml [^>]*\?>/g, "")).not.toMatch(
      /[<>]|&(?!\w+;|#\d+;)/,
    );
  });
});

describe("ready --sarif", () => {
  const sarifOf = async (name: string) => {
    const file = join(folder, `${name}.sarif`);
    await run(["ready", ...argumentsOf(name, "--sarif", file)]);
    return JSON.parse(readFileSync(file, "utf8"));
  };

  test("v1watch ready --sarif points to the source line of the consumer", async () => {
    const { results, tool } = (await sarifOf("halfway")).runs[0];
    expect(tool.driver.rules).toHaveLength(10);
    expect(results).toContainEqual(
      expect.objectContaining({
        ruleId: "ready/consumers",
        level: "error",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "src/score.py", uriBaseId: "%SRCROOT%" },
              region: { startLine: 9 },
            },
          },
        ],
      }),
    );
  });

  test("v1watch ready --sarif reports an unknown gate as a warning", async () => {
    for (const { level, locations } of (await sarifOf("uncompared")).runs[0].results) {
      expect(level).toBe("warning");
      expect(locations).toHaveLength(1);
    }
  });

  test("v1watch ready escapes special characters in file names, in SARIF and so that no CI system reads a command", async () => {
    const name = 'src/"><x>&%,:\n::error::evil.py';
    const inventory = JSON.parse(readFileSync(join(halfway, "v1watch.inventory.json"), "utf8"));
    for (const use of inventory.uses) Object.assign(use, { file: name, package: "app" });
    const file = join(folder, "escaped.json");
    writeFileSync(file, JSON.stringify(inventory));
    const sarif = join(folder, "escaped.sarif");
    const args = argumentsOf("halfway", "--sarif", sarif);
    const { out } = await run(["ready", ...args.map((arg) => (arg.endsWith("inventory.json") ? file : arg))]);
    expect(out).not.toMatch(/^\s*::/m);
    const [result] = JSON.parse(readFileSync(sarif, "utf8")).runs[0].results.filter(
      ({ ruleId }: { ruleId: string }) => ruleId === "ready/consumers",
    );
    const { uri } = result.locations[0].physicalLocation.artifactLocation;
    expect(decodeURIComponent(uri)).toBe(name);
  });
});

describe("ready reports a usage error with exit code 2 for", () => {
  test.each([
    [
      "a given file that does not exist",
      ["--mapping", "nowhere.json"],
      /--mapping: cannot read "nowhere.json"/,
    ],
    ["an invalid inventory", ["--inventory", join(halfway, "watch.json")], /is not a valid inventory/],
    ["an invalid parity result", ["--parity", join(halfway, "watch.json")], /is not a parity result/],
  ])("v1watch ready reports a usage error with exit code 2 for %s", async (_name, args, message) => {
    expect(await run(["ready", ...args])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(message),
    });
  });
});

test("v1watch ready passes the drift gate if the drift is acknowledged", async () => {
  const path = join(folder, "reviewed.db");
  cpSync(join(folder, "too-late.db"), path);
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  await opened.store.ledger.decide({
    schema: "v1watch/decision/1",
    kind: "ack",
    subject: "passport passport.score retyped string",
    reason: "we read both",
    at: new Date().toISOString(),
  });
  opened.store.close();
  const args = argumentsOf("too-late", "--json").map((arg) => (arg.endsWith(".db") ? path : arg));
  const { out } = await run(["ready", ...args]);
  const drift = JSON.parse(out).gates.find(({ id }: { id: string }) => id === "drift");
  expect(drift).toMatchObject({
    state: "pass",
    evidence: [
      expect.stringMatching(
        /^1 difference on used fields, all reviewed, in \d+ responses of passport, last on \d{4}-\d\d-\d\d$/,
      ),
    ],
  });
});

test("v1watch ready --json fits its published schema with a warning about subscriptions too", async () => {
  const path = join(folder, "unconfirmed.db");
  cpSync(join(folder, "too-late.db"), path);
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const at = new Date().toISOString();
  await opened.store.ledger.saveSubscriptionStatus({ at, expected: 1, confirmed: 0, unconfirmed: [] });
  opened.store.close();
  const args = argumentsOf("too-late", "--json").map((arg) => (arg.endsWith(".db") ? path : arg));
  const { monitor, ...verdict } = JSON.parse((await run(["ready", ...args])).out);
  expect(monitor.warning).toMatch(/missing/);
  expect(readinessOutput.safeParse({ ...verdict, monitor }).error).toBeUndefined();
});
