// What v1watch parity --estimate prints of a cohort, and how many passports are compared. Nothing is sent.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../lib/local/store/store.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { decidedMapping } from "../../mapping/v2-mapping.ts";
import { isSingleErrorLine, run } from "../terminal.ts";

const folder = makeFolder();
writeFileSync(join(folder, "map.json"), JSON.stringify(decidedMapping("https://v2.example.com")));
const v1 = ["--base-url", "https://v1.example.com"];

const parity = (...args: string[]) => run(["parity", "--mapping", join(folder, "map.json"), ...v1, ...args]);

async function estimate(text: string, ...args: string[]) {
  const file = join(folder, "cohort.txt");
  writeFileSync(file, text);
  return parity("--cohort", file, "--estimate", ...args);
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join("\n");

test("v1watch parity --estimate prints the requests, the time and what the sample may miss, without any key", async () => {
  const { code, out, err } = await estimate(`# ours\n${numbered(20_000)}\n7\n`, "--detect", "0.1");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.split("\n")).toEqual([
    "V1 at https://v1.example.com · V2 at https://v2.example.com",
    "6,296 passports need 25,184 requests to V1 and 31,480 to V2, which takes at least 6 h 59 min.",
    expect.stringMatching(/^There is no watch with a store at /),
    "Passports that differ rarely are read again after 1 h: at most 200 of them, with 800 more requests to V1.",
    "A random sample of 6,296 of 20,000 passports finds what differs in at least 0.1 % of them (20) with 95 % probability, unless V1 varies there by itself. It may miss what is rarer: where none of them differs, at most 10 of all do (95 %, one-sided).",
    "",
  ]);
});

test("v1watch parity --estimate says what the watch has left, and that its requests share the burst of the watch", async () => {
  const store = join(folder, "watch.db");
  const opened = openStore(store, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  opened.store.close();
  const { code, out } = await estimate(numbered(1_000), "--rate", "1000", "--store", store);
  expect(code).toBe(0);
  expect(out).toContain(
    "1,000 passports need 4,000 requests to V1 and 5,000 to V2, which takes at least 1 h 6 min.",
  );
  expect(out).toMatch(/The budget has [\d,]+ requests available until /);
  const many = await estimate(numbered(9_000), "--store", store);
  expect(many.out).toMatch(
    /\nThe budget allows [\d,]+ of them this month and [\d,]+ in each further one: \d+ further months, until [A-Z][a-z]+ 20\d\d\.\n/,
  );
});

test("The options --sample and --detect choose how many passports of the cohort are compared", async () => {
  const all = await estimate(numbered(9_000));
  expect(all.out).toContain("9,000 passports need 36,000 requests to V1");
  expect(all.out).not.toContain("random sample");
  expect((await estimate(numbered(9_000), "--sample", "100")).out).toContain(
    "A random sample of 100 of 9,000 passports finds",
  );
  expect((await estimate(numbered(9_000), "--detect", "1")).out).toContain(
    "A random sample of 630 of 9,000 passports finds what differs in at least 1 % of them (90)",
  );
});

test("An empty cohort, lines that are no ids, and a sample that cannot be taken are refused in one line", async () => {
  const refusals = [
    [await estimate("\n# nothing\n"), /contains no ids/],
    [await estimate("1\nalice\nbob\n2"), /neither a passport id nor a wallet: 2, 3/],
    [await estimate("1", "--detect", "x"), /--detect must be a percentage from 0\.1 to 100, not "x"/],
    [await estimate("1", "--detect", "0.09"), /--detect must be a percentage from 0\.1 to 100, not "0\.09"/],
    [await estimate("1", "--detect", "1", "--sample", "1"), /--detect.*cannot be used with.*--sample/],
    [await estimate("1", "--json"), /--estimate.*cannot be used with.*--json/],
    [await parity("--detect", "1"), /--detect needs --cohort/],
    [await parity("--cohort", join(folder, "absent")), /cannot read .*ENOENT/],
  ] as const;
  for (const [output, reason] of refusals) {
    expect(output.code, output.err).toBe(2);
    expect(output.err).toMatch(reason);
    expect(isSingleErrorLine(output), output.err).toBe(true);
  }
});
