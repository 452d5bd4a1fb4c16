import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { report as reportSchema } from "../../lib/records/report.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { parityTextOf } from "./ready/parity-file.ts";
import { fillStore } from "./ready/ready-store.ts";
import { run } from "./terminal.ts";

const folder = makeFolder();
const store = join(folder, "watch.db");
const project = join(import.meta.dirname, "../fixtures/ready/halfway");
const teamFiles = [
  ...["--mapping", join(project, "v1watch.mapping.json")],
  ...["--inventory", join(project, "v1watch.inventory.json")],
  ...["--parity", join(folder, "parity.state.json")],
];
const inputs = [...teamFiles, "--store", store];
const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8");

beforeAll(async () => {
  const fixture = JSON.parse(readFileSync(join(project, "watch.json"), "utf8"));
  await fillStore(store, fixture);
  writeFileSync(join(folder, "parity.state.json"), parityTextOf(project));
});

describe("v1watch report", () => {
  test("v1watch report writes all three formats and prints their paths", async () => {
    const { code, out } = await run(["report", ...inputs, "--format", "all", "--out", join(folder, "all")]);
    expect(code).toBe(0);
    expect(out.match(/^Wrote .*v1watch-report\.(?:html|md|json) \(\d+ KB\)$/gm)).toHaveLength(3);
    expect(read("all/v1watch-report.html")).toContain("We cannot leave V1 yet");
    expect(read("all/v1watch-report.md")).toContain("**NOT READY**");
    const model = reportSchema.parse(JSON.parse(read("all/v1watch-report.json")));
    expect(model.health.map(({ answers }) => answers)).toEqual([12, 12, 12]);
    expect(model.timeLeft.date).toMatch(/^\d{4}-/);
  });

  test("v1watch report writes the same bytes for the same data at different times", async () => {
    const reports = [];
    for (const name of ["one", "two"]) {
      await run(["report", ...inputs, "--format", "all", "--out", join(folder, name)]);
      reports.push(["html", "md", "json"].map((extension) => read(name, `v1watch-report.${extension}`)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(reports[0]).toEqual(reports[1]);
  });

  test("v1watch report has the same gate states as `ready`, including decisions made after the last check", async () => {
    const file = join(folder, "drifting.db");
    await fillStore(file, { silentHours: 0, sunsetInDays: 200, drift: ["passport.score"], drillDaysAgo: 3 });
    const args = [...teamFiles, "--store", file];
    const stateOf = (text: string) =>
      JSON.parse(text).gates.find(({ id }: { id: string }) => id === "drift").state;
    const driftStates = async () => ({
      ready: stateOf((await run(["ready", ...args, "--json"])).out),
      report: stateOf((await run(["report", ...args, "--format", "json", "--out", "-"])).out),
    });
    expect(await driftStates()).toEqual({ ready: "fail", report: "fail" });
    const finding = "passport passport.score retyped string";
    expect((await run(["incidents", "ack", finding, "--reason", "known", "--store", file])).code).toBe(0);
    expect(await driftStates()).toEqual({ ready: "pass", report: "pass" });
  });

  test("v1watch report includes the observations of today if the watch has been silent for hours", async () => {
    const file = join(folder, "silent.db");
    const hours = Math.min(5, new Date().getUTCHours() / 2);
    await fillStore(file, { silentHours: hours, sunsetInDays: 200, drift: [], drillDaysAgo: 3 });
    const { out } = await run(["report", "--store", file, "--format", "json", "--out", "-"]);
    const { generatedAt, health } = JSON.parse(out);
    expect(health.map(({ answers }: { answers: number }) => answers)).toEqual([12, 12, 12]);
    expect(Date.now() - Date.parse(generatedAt)).toBeLessThan((hours + 1) * 3_600_000);
  });

  test("v1watch report --out is a file if it has the extension of the format, and - prints to standard output", async () => {
    const file = join(folder, "weekly", "46.html");
    expect((await run(["report", ...inputs, "--out", file])).code).toBe(0);
    expect(existsSync(file)).toBe(true);
    const { out } = await run(["report", ...inputs, "--format", "json", "--out", "-"]);
    expect(JSON.parse(out).schema).toBe("v1watch/report/1");
  });

  test("v1watch report --out refuses a place where no folder and no file can be created", async () => {
    for (const out of ["/proc/x", "/proc/x/y/z", "/proc/report.html", join(store, "below")])
      expect(await run(["report", ...inputs, "--out", out])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^v1watch: cannot write "\S+": .+\. Choose another path\n$/),
      });
  });

  test("v1watch report --previous lists the changes since an earlier report", async () => {
    const file = join(folder, "previous.json");
    const { out } = await run(["report", ...inputs, "--format", "json", "--out", "-"]);
    const previous = JSON.parse(out);
    previous.timeLeft.date = "2099-01-01";
    writeFileSync(file, JSON.stringify(previous));
    const again = await run(["report", ...inputs, "--format", "json", "--out", "-", "--previous", file]);
    expect(JSON.parse(again.out).changes.items[0].text).toMatch(
      /^V1's retirement date moved from 2099-01-01/,
    );
  });

  test("v1watch report --previous accepts a missing file if this run writes it", async () => {
    const file = join(folder, "first", "v1watch-report.json");
    const example = ["--format", "all", "--out", join(folder, "first"), "--previous", file];
    const first = await run(["report", ...inputs, ...example]);
    expect(first).toMatchObject({
      code: 0,
      err: `${file} does not exist: this is the first report.\n`,
    });
    expect(JSON.parse(readFileSync(file, "utf8")).changes).toBeNull();
    expect(await run(["report", ...inputs, ...example])).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(readFileSync(file, "utf8")).changes.items).toEqual([]);
  });

  test("v1watch report prints that the store does not exist, for a report in a file and on standard output", async () => {
    const message = /V1 UNKNOWN · the store .*typo\.db cannot be read: it does not exist/;
    const store = ["--store", join(folder, "typo.db")];
    const written = await run(["report", ...store, "--out", join(folder, "typo")]);
    expect(written).toMatchObject({ code: 0, out: expect.stringMatching(message) });
    const printed = await run(["report", ...store, "--format", "json", "--out", "-"]);
    expect(printed).toMatchObject({ code: 0, err: expect.stringMatching(message) });
    expect(JSON.parse(printed.out).schema).toBe("v1watch/report/1");
  });

  test("v1watch report works without store, mapping, inventory and parity result, and lists what is missing", async () => {
    const { code, out } = await run([
      "report",
      ...["--store", join(folder, "nowhere.db"), "--format", "markdown", "--out", "-"],
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/V1 is unknown.*cannot be read/);
    expect(out).toContain("## Not known yet");
  });

  test.each([
    ["an invalid day", ["--since", "2026-02-31"], /--since must be a day/],
    ["a day in the future", ["--since", "2999-01-01"], /--since must be a day/],
    [
      "a previous file that is not a report",
      ["--previous", join(project, "watch.json")],
      /is not a JSON report of this version/,
    ],
    [
      "a previous report that does not exist",
      ["--previous", "nowhere.json"],
      /--previous: there is no file "nowhere\.json"\. Omit --previous for the first report/,
    ],
    ["an unknown format", ["--format", "pdf"], /Allowed choices are html, markdown, json, all/],
    ["several formats on standard output", ["--format", "all", "--out", "-"], /--out - prints one format/],
  ])("v1watch report reports a usage error with exit code 2 for %s", async (_name, args, message) => {
    expect(await run(["report", ...inputs, ...args])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(message),
    });
  });
});
