// parity --in-aws before anything is sent: the cohort is counted, the sample and the estimate are printed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../local/temporary-folder.ts";
import { decidedMapping } from "../../mapping/v2-mapping.ts";
import { isSingleErrorLine, run } from "../terminal.ts";

const folder = makeFolder();
writeFileSync(join(folder, "map.json"), JSON.stringify(decidedMapping("https://v2.example.com")));
const names = ["profile", "score", "accounts", "socials", "credentials"];
const large = {
  $defs: Object.fromEntries(names.map((name) => [name, { description: "x".repeat(500_000) }])),
};
writeFileSync(join(folder, "large.json"), JSON.stringify(large));
const wallet = `0x${"c".repeat(40)}`;

const parity = (...args: string[]) =>
  run(["parity", "--base-url", "https://v1.example.com", "--mapping", join(folder, "map.json"), ...args]);

async function estimate(text: string, ...args: string[]) {
  const file = join(folder, "cohort.txt");
  writeFileSync(file, text);
  return parity("--cohort", file, "--estimate", ...args);
}

test("v1watch parity --estimate prints what the cohort contains, requests, time and dollars, for the sample and for all", async () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => index + 1).join("\n");
  const { code, out, err } = await estimate(`# ours\n${ids}\n7\n${wallet}\n`, "--rate", "100");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("20,003 lines: 20,001 ids, 1 wallet; left out: 1 duplicate, 1 blank line");
  expect(out).toContain(
    "20,001 passports. A passport that is given by its id and by its wallet is compared twice.",
  );
  expect(out).toContain("A random sample of 6,296 of 20,001 passports.");
  expect(out).toMatch(/25,184 requests to V1 and 31,480 to V2 in \d+ chunks, \d+ at a time: .*, \$\d+\.\d\d/);
  expect(out).toMatch(/All of them \(--census\): 80,004 requests to V1/);
});

test("The options --census, --sample and --detect choose how many passports are compared", async () => {
  const ids = Array.from({ length: 9_000 }, (_, index) => index + 1).join("\n");
  expect((await estimate(ids, "--census")).out).toContain("All 9,000 passports are compared.");
  expect((await estimate(ids, "--sample", "100")).out).toContain(
    "A random sample of 100 of 9,000 passports.",
  );
  expect((await estimate(ids, "--detect", "1")).out).toContain("A random sample of 630 of 9,000 passports.");
});

test("An empty cohort, foreign lines, no cohort and options of V2 are refused in one line", async () => {
  const refusals = [
    [await estimate("\n# nothing\n"), /contains no ids/],
    [await estimate("1\nalice\nbob\n2"), /neither a passport id nor a wallet: 2, 3\. Nothing was sent/],
    [await parity("--in-aws"), /--in-aws needs --cohort FILE/],
    [await parity("--in-aws", "--cohort", join(folder, "absent")), /cannot read .*ENOENT/],
    [await estimate("1", "--v2-base-url", "https://other.example"), /Leave --v2-base-url out/],
    [await estimate("1", "--v2-schema", join(folder, "large.json")), /schema has 2,\d+,\d+ characters/],
    [await estimate("1", "--detect", "x"), /--detect must be a percentage/],
  ] as const;
  for (const [output, reason] of refusals) {
    expect(output.code, output.err).toBe(2);
    expect(output.err).toMatch(reason);
    expect(isSingleErrorLine(output), output.err).toBe(true);
  }
});
