import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { report as reportSchema } from "../../lib/records/report.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { fillStore } from "./ready/ready-store.ts";
import { run } from "./terminal.ts";

const folder = makeFolder();
const store = join(folder, "watch.db");
const project = join(import.meta.dirname, "../fixtures/ready/halfway");
const given = [
  ...["--mapping", join(project, "v1watch.mapping.json")],
  ...["--inventory", join(project, "v1watch.inventory.json")],
  ...["--parity", join(project, "parity.state.json"), "--store", store],
];
const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8");

beforeAll(async () => {
  const fixture = JSON.parse(readFileSync(join(project, "watch.json"), "utf8"));
  await fillStore(store, fixture);
});

describe("v1watch report", () => {
  test("writes all three forms and says where", async () => {
    const { code, out } = await run(["report", ...given, "--format", "all", "--out", join(folder, "all")]);
    expect(code).toBe(0);
    expect(out.match(/^Wrote .*v1watch-report\.(?:html|md|json) \(\d+ KB\)$/gm)).toHaveLength(3);
    expect(read("all/v1watch-report.html")).toContain("We cannot leave V1 yet");
    expect(read("all/v1watch-report.md")).toContain("**NOT READY.**");
    const model = reportSchema.parse(JSON.parse(read("all/v1watch-report.json")));
    expect(model.health.map(({ answers }) => answers)).toEqual([12, 12, 12]);
    expect(model.timeLeft.date).toMatch(/^\d{4}-/);
  });

  test("the same data gives the same bytes, whenever it is asked", async () => {
    const made = [];
    for (const name of ["one", "two"]) {
      await run(["report", ...given, "--format", "all", "--out", join(folder, name)]);
      made.push(["html", "md", "json"].map((ending) => read(name, `v1watch-report.${ending}`)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(made[0]).toEqual(made[1]);
  });

  test("says what `ready` says, also of what was decided after the last look", async () => {
    const file = join(folder, "drifting.db");
    await fillStore(file, { silentHours: 0, sunsetInDays: 200, drift: ["passport.score"], drillDaysAgo: 3 });
    const where = [...given.slice(0, -1), file];
    const stateOf = (text: string) =>
      JSON.parse(text).gates.find(({ id }: { id: string }) => id === "drift").state;
    const told = async () => ({
      ready: stateOf((await run(["ready", ...where, "--json"])).out),
      report: stateOf((await run(["report", ...where, "--format", "json", "--out", "-"])).out),
    });
    expect(await told()).toEqual({ ready: "fail", report: "fail" });
    const finding = "passport passport.score retyped string";
    expect((await run(["ack", finding, "--reason", "known", "--store", file])).code).toBe(0);
    expect(await told()).toEqual({ ready: "pass", report: "pass" });
  });

  test("of a watch that fell silent today leaves out nothing of today", async () => {
    const file = join(folder, "silent.db");
    const hours = Math.min(5, new Date().getUTCHours() / 2);
    await fillStore(file, { silentHours: hours, sunsetInDays: 200, drift: [], drillDaysAgo: 3 });
    const { out } = await run(["report", "--store", file, "--format", "json", "--out", "-"]);
    const { generatedAt, health } = JSON.parse(out);
    expect(health.map(({ answers }: { answers: number }) => answers)).toEqual([12, 12, 12]);
    expect(Date.now() - Date.parse(generatedAt)).toBeLessThan((hours + 1) * 3_600_000);
  });

  test("a name with the format's ending is the file, and - prints", async () => {
    const file = join(folder, "weekly", "46.html");
    expect((await run(["report", ...given, "--out", file])).code).toBe(0);
    expect(existsSync(file)).toBe(true);
    const { out } = await run(["report", ...given, "--format", "json", "--out", "-"]);
    expect(JSON.parse(out).schema).toBe("v1watch/report/1");
  });

  test("tells what changed since the last one", async () => {
    const file = join(folder, "last.json");
    const { out } = await run(["report", ...given, "--format", "json", "--out", "-"]);
    const last = JSON.parse(out);
    last.timeLeft.date = "2099-01-01";
    writeFileSync(file, JSON.stringify(last));
    const again = await run(["report", ...given, "--format", "json", "--out", "-", "--previous", file]);
    expect(JSON.parse(again.out).changes.items[0].text).toMatch(
      /^V1's retirement date moved from 2099-01-01/,
    );
  });

  test("the help's example works the first time too, and then tells what changed", async () => {
    const file = join(folder, "first", "v1watch-report.json");
    const example = ["--format", "all", "--out", join(folder, "first"), "--previous", file];
    const first = await run(["report", ...given, ...example]);
    expect(first).toMatchObject({
      code: 0,
      err: `There is no earlier report in ${file}: this is the first.\n`,
    });
    expect(JSON.parse(readFileSync(file, "utf8")).changes).toBeNull();
    expect(await run(["report", ...given, ...example])).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(readFileSync(file, "utf8")).changes.items).toEqual([]);
  });

  test("says in the terminal that its store is not there, wherever the report goes", async () => {
    const words = /MONITOR UNHEALTHY · the store .*typo\.db cannot be read: it is not there/;
    const store = ["--store", join(folder, "typo.db")];
    const written = await run(["report", ...store, "--out", join(folder, "typo")]);
    expect(written).toMatchObject({ code: 0, out: expect.stringMatching(words) });
    const printed = await run(["report", ...store, "--format", "json", "--out", "-"]);
    expect(printed).toMatchObject({ code: 0, err: expect.stringMatching(words) });
    expect(JSON.parse(printed.out).schema).toBe("v1watch/report/1");
  });

  test("works with nothing at all, and says what is missing", async () => {
    const { code, out } = await run([
      "report",
      ...["--store", join(folder, "nowhere.db"), "--format", "markdown", "--out", "-"],
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/Monitor unhealthy.*cannot be read/);
    expect(out.match(/^- Not in this report yet: /gm)).toHaveLength(4);
  });

  test.each([
    ["a day that is none", ["--since", "2026-02-31"], /--since takes a day/],
    ["a day to come", ["--since", "2999-01-01"], /--since takes a day/],
    [
      "a last report that is none",
      ["--previous", join(project, "watch.json")],
      /is no report of this version/,
    ],
    [
      "a last report that is not there",
      ["--previous", "nowhere.json"],
      /--previous: there is no file "nowhere\.json"\. Leave --previous out for the first report/,
    ],
    ["an unknown format", ["--format", "pdf"], /--format is one of html, markdown, json, all/],
    ["three forms in one stream", ["--format", "all", "--out", "-"], /--out - prints one format/],
  ])("%s: one clear line", async (_name, args, message) => {
    expect(await run(["report", ...given, ...args])).toMatchObject({
      ...{ code: 2, out: "", err: expect.stringMatching(message) },
    });
  });
});
