import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { renderSarif as renderReadySarif } from "../../lib/commands/ready/formats.ts";
import { renderSarif, type renderSarifLog } from "../../lib/commands/sarif.ts";
import { judgeReadiness } from "../../lib/readiness/readiness.ts";
import { scanConsumers } from "../../lib/scan/index.ts";
import { fc } from "../random.ts";
import { consumerOf, factsOf, nowMs, useOf } from "../readiness/ready-facts.ts";
import { schemaErrors } from "./sarif-schema.ts";

type Log = ReturnType<typeof renderSarifLog>;
const logs: Record<"scan" | "ready", Log> = {} as never;

const readyLog = (file: string, line = 3): Log => {
  const use = useOf(file, line, "passport", ["passport.score"]);
  const consumers = [consumerOf({ name: file, status: "v1", uses: [use, { ...use, line: line + 1 }] })];
  const { outlook: _, ...facts } = factsOf({ consumers });
  return JSON.parse(renderReadySarif(judgeReadiness({ ...facts, nowMs }), "v1watch.mapping.json"));
};

beforeAll(async () => {
  const scan = await scanConsumers([
    { root: join(import.meta.dirname, "../scan/corpus/py-hazards-of-every-rule"), as: "src" },
  ]);
  logs.scan = JSON.parse(JSON.stringify(renderSarif(scan!)));
  logs.ready = readyLog("src/score.ts");
});

const runOf = ({ runs }: Log) => runs[0]!;
const urisOf = (log: Log) =>
  runOf(log).results.map(({ locations }) => locations[0]!.physicalLocation.artifactLocation);

describe.each(["scan", "ready"] as const)("the SARIF of %s", (name) => {
  test("The SARIF log is valid according to the official schema of SARIF 2.1.0", async () => {
    expect(runOf(logs[name]).results.length).toBeGreaterThan(1);
    expect(await schemaErrors(logs[name])).toEqual([]);
  });

  test.each<[string, (log: Log) => void]>([
    ["an unknown level", (log) => Object.assign(runOf(log).results[0]!, { level: "fatal" })],
    ["line 0", (log) => (runOf(log).results[0]!.locations[0]!.physicalLocation.region.startLine = 0)],
    ["an unknown property", (log) => Object.assign(runOf(log).tool.driver, { level: 1 })],
    ["a result without a message", (log) => delete (runOf(log).results[0] as { message?: unknown }).message],
  ])("The SARIF log would be invalid with %s", async (_what, invalidate) => {
    const log = structuredClone(logs[name]);
    invalidate(log);
    expect(await schemaErrors(log)).not.toEqual([]);
  });

  test("The SARIF log has rules as GitHub requires them: unique ids, descriptions and help within the length limits", () => {
    const { rules } = runOf(logs[name]).tool.driver;
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { id, shortDescription, fullDescription, help } of rules) {
      for (const { text } of [shortDescription, fullDescription, help]) {
        expect(text.length, id).toBeGreaterThan(5);
        expect(text.length, id).toBeLessThanOrEqual(1024);
      }
    }
  });

  test("The SARIF log has results as GitHub requires them: rule, level, one relative location and a unique fingerprint", () => {
    const { results, tool } = runOf(logs[name]);
    const fingerprints = new Set<string>();
    for (const result of results) {
      expect(tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
      expect(["error", "warning", "note"]).toContain(result.level);
      expect(result.locations).toHaveLength(1);
      const { artifactLocation, region } = result.locations[0]!.physicalLocation;
      expect(artifactLocation.uriBaseId).toBe("%SRCROOT%");
      expect(artifactLocation.uri).toMatch(/^(?!\/|\.\.|[a-z]+:)[!-~]+$/i);
      expect(region.startLine).toBeGreaterThan(0);
      const values = Object.values(result.partialFingerprints);
      expect(values).toHaveLength(1);
      fingerprints.add(values[0]!);
    }
    expect(fingerprints.size).toBe(results.length);
  });
});

test("A fingerprint does not change if lines are added above the result", () => {
  const fingerprints = (log: Log) => runOf(log).results.map(({ partialFingerprints }) => partialFingerprints);
  expect(fingerprints(readyLog("src/score.ts", 40))).toEqual(fingerprints(logs.ready));
});

describe("the location of a file", () => {
  test("The location of a file in SARIF is relative to the root of the checkout, also for an absolute path", () => {
    const [inside] = urisOf(readyLog(join(process.cwd(), "src", "a b.ts")));
    expect(inside).toEqual({ uri: "src/a%20b.ts", uriBaseId: "%SRCROOT%" });
    // An inventory contains such paths for folders next to the checkout.
    expect(urisOf(readyLog("../app/src/x.ts"))[0]?.uri).toBe("app/src/x.ts");
    const [outside] = urisOf(readyLog("/elsewhere/x.ts"));
    expect(outside).toEqual({ uri: "file:///elsewhere/x.ts" });
  });

  test("The location of a file in SARIF is valid and decodes to the file name for any name", async () => {
    const name = fc.string({ unit: "binary", minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(name, fc.nat(3), async (randomName, line) => {
        const file = `src/${randomName}`;
        const log = readyLog(file, line);
        expect(await schemaErrors(log)).toEqual([]);
        for (const { uri } of urisOf(log).slice(0, 1))
          expect(decodeURIComponent(uri)).toBe(file.toWellFormed());
      }),
      {
        numRuns: 60,
        examples: [
          ["\ud800", 0],
          ["%2F..?#:", 1],
        ],
      },
    );
  });
});
