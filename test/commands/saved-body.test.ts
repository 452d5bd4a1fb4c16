import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { finding } from "../../lib/records/observation.ts";
import { bodyOf } from "../probe/validate/bodies.ts";
import { isSingleErrorLine, run } from "./terminal.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "v1watch-check-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function save(name: string, text: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

const driftedBody = () => {
  const body = structuredClone(bodyOf("passport"));
  for (const social of body.passport.passport_socials) social.follower_count = 7;
  delete body.passport.connections_count;
  body.passport.created_at = "x";
  body.passport.passport_profile.bio = null;
  return JSON.stringify(body);
};

test.each(endpointIds)(
  "v1watch probe --file reports a documented %s body as documented, from a file and from standard input",
  async (endpoint) => {
    const text = JSON.stringify(bodyOf(endpoint));
    const file = await save(`${endpoint}.json`, text);
    for (const output of [
      await run(["probe", "--file", file, "--endpoint", endpoint]),
      await run(["probe", "--file", "-", "--endpoint", endpoint], { stdin: text }),
    ]) {
      expect(output).toMatchObject({ code: 0, err: "" });
      expect(output.out).toMatch(/^[a-z-]+: \d+ records?\n\nAs documented\. No findings\.\n$/);
    }
  },
);

test("A list of more than 500 records says that only the first 500 were validated", async () => {
  const [one] = bodyOf("passport-credentials").passport_credentials;
  const stdin = JSON.stringify({ passport_credentials: Array(501).fill(one) });
  const { code, out } = await run(["probe", "--file", "-", "--endpoint", "passport-credentials"], { stdin });
  expect(code).toBe(0);
  expect(out).toContain("passport-credentials: 501 records, of which the first 500 were validated\n");
  const json = await run(["probe", "--file", "-", "--endpoint", "passport-credentials", "--json"], { stdin });
  expect(JSON.parse(json.out).validated).toEqual({ records: 500, of: 501 });
});

test("Drift in a saved body is printed worst first, with counts, consequences and the gap", async () => {
  const { code, out } = await run(["probe", "--file", "-", "--endpoint", "passport"], {
    stdin: driftedBody(),
  });
  expect(code).toBe(1);
  const lines = out.split("\n");
  const at = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(at("breaking  passport.connections_count")).toBeGreaterThan(0);
  expect(lines[at("follower_count")]).toMatch(/string → number +(\d+) of \1$/);
  expect(out).toContain("code that concatenates or compares these as strings breaks");
  expect(at("additive  passport.created_at  not in the document")).toBeGreaterThan(at("follower_count"));
  expect(lines[at("notice    passport.passport_profile.bio")]).toContain("(gap 2.6-null)");
  expect(out).toMatch(
    /\n2 breaking changes against V1's document, 1 additive, 1 on undocumented behaviour\.\n$/,
  );
});

test("v1watch probe --file --json prints only the findings", async () => {
  const { code, out } = await run(["probe", "--file", "-", "--endpoint", "passport", "--json"], {
    stdin: driftedBody(),
  });
  const { endpoint, outcome, findings } = JSON.parse(out);
  expect([code, endpoint, outcome]).toEqual([1, "passport", { kind: "ok" }]);
  expect(findings).toHaveLength(4);
  for (const one of findings) expect(finding.safeParse(one).success).toBe(true);
  const empty = await run(["probe", "--file", "-", "--endpoint", "passport", "--json"]);
  expect(JSON.parse(empty.out)).toMatchObject({
    outcome: { kind: "not-json", detail: "empty" },
    findings: [],
  });
});

describe("probe --file exits 1 and prints one line for an unreadable body", () => {
  test.each<[string, string | Uint8Array]>([
    ["the body is empty", ""],
    ["the body is HTML, not JSON", "<!doctype html>"],
    ["the body is not JSON", "nonsense"],
    ["the body is nested deeper than 64 levels", "[".repeat(100) + "]".repeat(100)],
    ["the body is not valid UTF-8", new Uint8Array([0x7b, 0xff])],
    ["the body has more values than v1watch reads", `[${"[],".repeat(120_000)}[]]`],
  ])(
    "v1watch probe --file exits 1 and prints one line for an unreadable body: %s",
    async (message, stdin) => {
      expect(await run(["probe", "--file", "-", "--endpoint", "passport"], { stdin })).toEqual({
        code: 1,
        out: `passport: ${message}.\n`,
        err: "",
      });
    },
  );
});

describe("probe --file reports a usage error in one line with exit code 2 for", () => {
  test.each<[string, string[], RegExp]>([
    ["no file", ["--endpoint", "passport"], /A value does not start with a dash/],
    ["two files", ["a", "b", "--endpoint", "passport"], /too many arguments for 'probe'/],
    ["no endpoint", ["-"], /--file needs --endpoint, one of passport-list, passport, passport-credentials/],
    [
      "an unknown endpoint",
      ["-", "--endpoint", "passports"],
      /'passports' is invalid\. Allowed choices are passport-list, passport, /,
    ],
    [
      "a missing file",
      ["no-such-file.json", "--endpoint", "passport"],
      /cannot read "no-such-file\.json": there is no such file/,
    ],
    [
      "an unknown option",
      ["-", "--endpoints", "passport"],
      /unknown option '--endpoints'; did you mean --endpoint\? Try: v1watch probe --help/,
    ],
  ])(
    "v1watch probe --file reports a usage error in one line with exit code 2 for %s",
    async (_, args, message) => {
      const output = await run(["probe", "--file", ...args]);
      expect(output.code).toBe(2);
      expect(output).toSatisfy(isSingleErrorLine);
      expect(output.err).toMatch(message);
    },
  );

  test("v1watch probe --file reports a usage error in one line with exit code 2 for a folder", async () => {
    const output = await run(["probe", "--file", folder, "--endpoint", "passport"]);
    expect(output).toSatisfy(isSingleErrorLine);
    expect(output.err).toContain("it is a folder");
  });

  test("v1watch probe --file reports a usage error in one line with exit code 2 for a file or an input larger than 64 MiB, without reading it completely", async () => {
    const huge = await save("huge.json", Buffer.alloc(64 * 2 ** 20 + 1, " "));
    const output = await run(["probe", "--file", huge, "--endpoint", "passport"]);
    expect(output.code).toBe(2);
    expect(output).toSatisfy(isSingleErrorLine);
    expect(output.err).toContain("larger than 64 MiB");
    // /dev/zero is endless: the command would not return if it read the whole file.
    expect((await run(["probe", "--file", "/dev/zero", "--endpoint", "passport"])).err).toContain(
      "larger than 64 MiB",
    );
  });
});

test("v1watch probe --file prints keys with markup or control characters as <dynamic> and never prints values", async () => {
  const body = structuredClone(bodyOf("passport"));
  Object.assign(body.passport, { "\u001b[31m": 1, "<script>": 1, "\u202e": 1, main_wallet: "\u001b[2J" });
  const { out } = await run(["probe", "--file", "-", "--endpoint", "passport"], {
    stdin: JSON.stringify(body),
  });
  expect(out).toContain("passport.<dynamic>  not in the document");
  expect(out).not.toMatch(/[^\x20-\x7e\n→·…]|script/);
});
