// The diagram of the house, executed: who may import whom, and the taste that can be counted.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";

// A room may always import itself. `node:x` names one module, `node:` all of them, `@scope/` a scope,
// `room/file` one file of a room, which may have a row of its own. What is not listed is forbidden.
const web = ["node:http", "node:https", "node:net", "node:dns", "node:dns/promises", "node:tls", "node:zlib"];
const plain = ["buffer", "crypto", "events", "perf_hooks", "stream", "timers/promises", "url", "util"];
// Time, key and stores come through ports: no node:fs, no node:process, no node:child_process.
const probe = ["contract", "records", "ports", "config", ...web, ...plain.map((name) => `node:${name}`)];
const beforeAws = [
  "contract",
  "records",
  "config",
  "ports",
  "probe",
  "assess",
  "migration",
  "report",
  "simulator",
];
const mayImport: Record<string, readonly string[]> = {
  contract: ["zod"],
  records: ["contract", "zod"],
  config: ["contract", "records", "zod", "node:"],
  ports: ["records", "contract", "config"],
  probe,
  "probe/attempt": [...probe, "package.json"], // the version, for the User-Agent
  assess: ["contract", "records"],
  "assess/assess": ["contract", "records", "ports"],
  "assess/delivery": ["ports"],
  "assess/record": ["contract", "records", "ports"],
  migration: [
    "contract",
    "records",
    "config",
    "probe/exchange",
    "probe/connections",
    "probe/body",
    "@ast-grep/",
    "node:",
  ],
  report: ["assess", "migration", "contract", "records"],
  "report/charts": ["d3-scale", "d3-shape", "d3-time-format"],
  simulator: ["contract", "node:"],
  aws: ["ports", "records", "@aws-sdk/", "node:"],
  local: [...beforeAws, "node:"],
  "local/api-shapes": [...beforeAws, "zod"], // what the page's API answers, as schemas
  "local/api": [...beforeAws, "node:", "zod"],
  stack: [
    "contract",
    "assess/alarms",
    "assess/metrics",
    "assess/state", // the type of what the assessment is told
    "aws/table-shape", // the names that the table's creator and its users agree on
    "records/alive", // how often a prober gives a sign of life
    "config",
    "aws-cdk-lib",
    "constructs",
    "esbuild",
    "node:crypto", // names that are made of addresses
    "node:path",
    "node:url",
  ],
  "stack/mistakes": ["config", "probe/addresses"], // what a prober will not ask
  "stack/bundle": ["aws-cdk-lib", "esbuild", "node:fs", "node:path", "<require>"], // writes one, for the bundles to hold
  functions: ["probe", "assess", "report", "migration", "aws", "config", "records"],
  commands: [...beforeAws, "aws", "local", "node:", "package.json"],
  "bin/app": ["stack", "config", "commands/ready-files", "node:path"], // the team's files, for the report to take along
  "bin/v1watch": ["commands", "node:"],
};

type Sources = ReadonlyMap<string, string>;

/** `lib/assess/assess.ts` → `assess/assess`: the file's own name in the table above. */
const nameOf = (file: string) => file.replace(/^lib\//, "").replace(/\.ts$/, "");

/** The row that governs a file: its own, or that of its room. */
function roomOf(file: string): string | undefined {
  const name = nameOf(file);
  if (Object.hasOwn(mayImport, name)) return name;
  const room = name.slice(0, name.indexOf("/"));
  return name.includes("/") && Object.hasOwn(mayImport, room) ? room : undefined;
}

const staticImport =
  /(?:^|;)[ \t]*(?:import|export)\b(?!\s*\()(?:(?!\n\s*(?:import|export)\b)[^"'`;])*?["']([^"'\n]+)["']/gm;
const dynamicImport = /\bimport\(\s*(?:["']([^"'\n]+)["']\s*[,)])?/g;
const hiddenImport = /\brequire\s*\(|\bcreateRequire\b|\bgetBuiltinModule\b/;

function importsOf(source: string): string[] {
  const found = [...source.matchAll(staticImport)]
    // `export const x = "…"` and `export function` bring nothing in.
    .filter(([text]) => /^[;\s]*import\b|\bfrom\s*["']/.test(text))
    .map(([, target]) => String(target));
  const dynamic = [...source.matchAll(dynamicImport)].map(([, target]) => target ?? "<computed>");
  return [...found, ...dynamic, ...(hiddenImport.test(source) ? ["<require>"] : [])];
}

const resolveImport = (file: string, target: string) =>
  target.startsWith(".") ? posix.join(posix.dirname(file), target) : target;

const inHouse = (target: string) => /^(?:lib|bin|functions)\//.test(target);
const matches = (row: string, name: string) =>
  name === row || name.startsWith(/[:/]$/.test(row) ? row : `${row}/`);

function isAllowed(room: string, file: string, target: string): boolean {
  const name = nameOf(target);
  const [own, theirs] = [nameOf(file), name].map((path) => path.split("/")[0]);
  // Lambdas and programs stand alone; any other file may see its own room.
  const isOwnRoom = own === theirs && inHouse(target) && own !== "functions" && own !== "bin";
  const isRoom = (row: string) => Object.hasOwn(mayImport, String(row.split("/")[0]));
  // A package that is called like a room is still a package.
  return (
    isOwnRoom || (mayImport[room] ?? []).some((row) => isRoom(row) === inHouse(target) && matches(row, name))
  );
}

function findWrongImports(sources: Sources): string[] {
  const wrong: string[] = [];
  for (const [file, source] of sources) {
    const room = roomOf(file);
    if (!room) {
      wrong.push(`${file} belongs to no room`);
      continue;
    }
    for (const raw of importsOf(source)) {
      const target = resolveImport(file, raw);
      if (inHouse(target) && !sources.has(target)) wrong.push(`${file} → ${target}, which is not there`);
      else if (!isAllowed(room, file, target)) wrong.push(`${file} → ${target}`);
    }
  }
  return wrong;
}

/** Circles between files, each written from its first file: `a → b → a`. */
function findCircles(sources: Sources): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file].join(" → "));
    if (start >= 0 || done.has(file)) return;
    for (const raw of importsOf(sources.get(file) ?? "")) {
      const target = resolveImport(file, raw);
      if (sources.has(target)) visit(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return circles;
}

const pureRooms = ["contract", "records", "ports", "assess", "report"];
const impure =
  /\b(?:process\.|Date\.now\(|new Date\(\)|performance\.|Math\.random\(|fetch\(|set(?:Timeout|Interval)\(|console\.)/;

/** Files that reach for the clock, chance, the network or the process where only data goes in and out. */
function findImpurities(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) =>
    pureRooms.includes(String(nameOf(file).split("/")[0])) && impure.test(source) ? [file] : [],
  );
}

const maxLines = 300;
const emptyNames = /^(?:utils?|helpers?|commons?|managers?|factor(?:y|ies)|base)$/;

function findBadTaste(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) => {
    const words = posix.basename(file).split(".")[0] ?? "";
    const lines = source.split("\n").length - 1;
    return [
      ...(/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test|\.config)?\.ts$/.test(posix.basename(file))
        ? []
        : [`${file} is not kebab-case`]),
      ...(words.split("-").some((word) => emptyNames.test(word))
        ? [`${file} has a name that says nothing`]
        : []),
      ...(lines > maxLines && file.startsWith("lib/") ? [`${file} has ${lines} lines`] : []),
    ];
  });
}

// A folder of the machine that somebody built this on; not a part of a URL.
const machinePath = /(?<![\w.~}])\/(?:work|root|home|Users)\/\w/;

function findMachinePaths(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) =>
    source.split("\n").flatMap((line, index) => (machinePath.test(line) ? [`${file}:${index + 1}`] : [])),
  );
}

const root = join(import.meta.dirname, "..");
const outside = new Set(["node_modules", ".git", ".v1watch", "cdk.out", "coverage"]);

/** Every text file of the project, by its path from the root. */
function readProject(): Sources {
  const sources = new Map<string, string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !outside.has(entry.name)) walk(path);
      if (!entry.isFile()) continue;
      const text = readFileSync(path, "utf8");
      if (!text.includes("\0")) sources.set(relative(root, path).split(sep).join("/"), text);
    }
  };
  walk(root);
  return sources;
}

const project = readProject();
// The corpus is other people's code, as it is in the wild.
const pick = (pattern: RegExp): Sources =>
  new Map([...project].filter(([file]) => pattern.test(file) && !file.startsWith("test/migration/corpus/")));
const house = pick(/^(?:lib|bin|functions)\/.*\.(?:[cm]?[jt]sx?|json)$/);

describe("the house", () => {
  test("imports only along its diagram", () => {
    expect(house.size).toBeGreaterThan(5);
    expect(findWrongImports(house)).toEqual([]);
  });

  test("has no circle between files", () => {
    expect(findCircles(house)).toEqual([]);
  });

  test("keeps the clock, chance and the network out of the rooms where data goes in and data comes out", () => {
    expect(findImpurities(house)).toEqual([]);
  });

  test("names its files in kebab-case by what they are, and keeps them short", () => {
    expect(findBadTaste(pick(/^(?:lib|bin|functions|test|bench)\/.*\.ts$/))).toEqual([]);
  });

  test("holds no path of a machine", () => {
    expect(findMachinePaths(project)).toEqual([]);
  });
});

// One planted mistake for each rule: a diagram that cannot fail says nothing.
describe("the diagram fails on", () => {
  const everyFile = [
    ...[
      "contract/gaps",
      "records/alert",
      "config",
      "ports",
      "probe/exchange",
      "probe/drift",
      "assess/alarms",
    ],
    ...[
      "assess/evaluate",
      "assess/assess",
      "migration/parity",
      "report/html",
      "simulator/server",
      "aws/outbox",
    ],
    ...["local/store", "stack/alarms", "commands/probe", "commands/index"],
  ].map((name) => `lib/${name}.ts`);
  const empty = new Map(
    [...everyFile, "functions/probe.ts", "functions/assess.ts", "bin/app.ts", "bin/v1watch.ts"].map(
      (file) => [file, ""],
    ),
  );
  const plant = (file: string, source: string): Sources => new Map([...empty, [file, source]]);

  test.each([
    ["the contract with a package", "lib/contract/gaps.ts", "fast-check"],
    ["the contract with node", "lib/contract/gaps.ts", "node:fs"],
    ["the contract that looks up", "lib/contract/gaps.ts", "../records/alert.ts"],
    ["records with ports", "lib/records/alert.ts", "../ports.ts"],
    ["records with node", "lib/records/alert.ts", "node:crypto"],
    ["ports with the probe", "lib/ports.ts", "./probe/drift.ts"],
    ["the configuration with the probe", "lib/config.ts", "./probe/drift.ts"],
    ["the probe with AWS", "lib/probe/drift.ts", "@aws-sdk/client-sns"],
    ["the probe with CDK", "lib/probe/drift.ts", "aws-cdk-lib"],
    ["the probe with files", "lib/probe/drift.ts", "node:fs/promises"],
    ["the probe with zod", "lib/probe/drift.ts", "zod"],
    ["the probe with the assessment", "lib/probe/drift.ts", "../assess/alarms.ts"],
    ["the probe with the simulator", "lib/probe/drift.ts", "../simulator/server.ts"],
    ["an assessment that is not pure", "lib/assess/evaluate.ts", "../ports.ts"],
    ["an assessment with node", "lib/assess/evaluate.ts", "node:fs"],
    ["the assessment's story with node", "lib/assess/assess.ts", "node:fs"],
    ["the assessment with the probe", "lib/assess/assess.ts", "../probe/drift.ts"],
    ["migration with more of the probe than its exchange", "lib/migration/parity.ts", "../probe/drift.ts"],
    ["a report with ports", "lib/report/html.ts", "../ports.ts"],
    ["a report with node", "lib/report/html.ts", "node:fs"],
    ["the simulator with the probe", "lib/simulator/server.ts", "../probe/drift.ts"],
    ["the simulator with a package called like a room", "lib/simulator/server.ts", "contract/gaps"],
    ["the simulator with a package", "lib/simulator/server.ts", "express"],
    ["AWS with the local machine", "lib/aws/outbox.ts", "../local/store.ts"],
    ["AWS with the stack", "lib/aws/outbox.ts", "../stack/alarms.ts"],
    ["AWS with CDK", "lib/aws/outbox.ts", "aws-cdk-lib/aws-sns"],
    ["the local machine with AWS", "lib/local/store.ts", "../aws/outbox.ts"],
    ["the local machine with the stack", "lib/local/store.ts", "../stack/alarms.ts"],
    ["the local machine with the SDK", "lib/local/store.ts", "@aws-sdk/client-sns"],
    ["the stack with AWS", "lib/stack/alarms.ts", "../aws/outbox.ts"],
    ["the stack with the local machine", "lib/stack/alarms.ts", "../local/store.ts"],
    ["the stack with the SDK", "lib/stack/alarms.ts", "@aws-sdk/client-sns"],
    ["the stack with more of the assessment than its tables", "lib/stack/alarms.ts", "../assess/evaluate.ts"],
    ["a Lambda with the local machine", "functions/probe.ts", "../lib/local/store.ts"],
    ["a Lambda with the SDK", "functions/probe.ts", "@aws-sdk/client-sns"],
    ["a Lambda with another", "functions/probe.ts", "./assess.ts"],
    ["a command with the stack", "lib/commands/probe.ts", "../stack/alarms.ts"],
    ["a command with the SDK", "lib/commands/probe.ts", "@aws-sdk/client-sns"],
    ["the CDK app with a command", "bin/app.ts", "../lib/commands/index.ts"],
    ["the CDK app with CDK", "bin/app.ts", "aws-cdk-lib"],
    ["the command line with a room", "bin/v1watch.ts", "../lib/probe/drift.ts"],
    ["the command line with the stack", "bin/v1watch.ts", "../lib/stack/alarms.ts"],
    ["a room with a test", "lib/probe/drift.ts", "../../test/probe/drift.test.ts"],
    ["a room with a benchmark", "lib/probe/drift.ts", "../../bench/run.ts"],
    ["a room with a program", "lib/commands/probe.ts", "../../bin/v1watch.ts"],
    ["a file that is not there", "lib/probe/drift.ts", "./lost.ts"],
  ])("%s", (_name, file, target) => {
    const written = [
      `import { x } from "${target}";`,
      `import "${target}";`,
      `import type { X } from '${target}';`,
      `import {\n  a,\n  type B,\n} from "${target}";`,
      `export { x } from "${target}";`,
      `export * from "${target}";`,
      `const x = async () => await import("${target}");`,
      `type X = import("${target}").X;`,
      `export function x() {}\nimport "${target}";`,
      `const x = 1; import "${target}";`,
    ];
    for (const source of written) {
      expect(findWrongImports(plant(file, `// why\n${source}\n`)), source).toHaveLength(1);
    }
  });

  test.each([
    ["a file in a room that the diagram lacks", "lib/helpers/dates.ts", ""],
    ["a loose file in lib", "lib/dates.ts", ""],
    ["a third program", "bin/tool.ts", ""],
    ["an import that nobody can read", "lib/probe/drift.ts", "await import(name);"],
    ["a require", "lib/probe/drift.ts", 'const fs = require("node:fs");'],
    ["a back door to node", "lib/probe/drift.ts", 'process.getBuiltinModule("node:fs");'],
  ])("%s", (_name, file, source) => {
    expect(findWrongImports(plant(file, source))).toHaveLength(1);
  });

  test("a pure room that reaches for the clock, chance, the network or the process", () => {
    for (const source of [
      "Date.now()",
      "new Date()",
      "Math.random()",
      "fetch(url)",
      "process.env.X",
      "console.log()",
    ]) {
      expect(findImpurities(plant("lib/assess/assess.ts", source)), source).toEqual(["lib/assess/assess.ts"]);
      expect(findImpurities(plant("lib/local/store.ts", source))).toEqual([]);
    }
  });

  test("a circle of two, of three, of types, and of one", () => {
    const circles = (files: Record<string, string>) => findCircles(new Map(Object.entries(files)));
    expect(
      circles({ "lib/a.ts": 'import "./b.ts";', "lib/b.ts": 'import type { A } from "./a.ts";' }),
    ).toHaveLength(1);
    expect(
      circles({
        "lib/a.ts": 'import "./b.ts";',
        "lib/b.ts": 'import "./c.ts";',
        "lib/c.ts": 'import("./a.ts")',
      }),
    ).toEqual(["lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts"]);
    expect(circles({ "lib/a.ts": 'import "./a.ts";' })).toEqual(["lib/a.ts → lib/a.ts"]);
    expect(
      circles({
        "lib/a.ts": 'import "./b.ts"; import "./c.ts";',
        "lib/b.ts": 'import "./c.ts";',
        "lib/c.ts": "",
      }),
    ).toEqual([]);
  });

  test("a name in camelCase, a name that says nothing, and a file that is too long", () => {
    const taste = (file: string, source = "") => findBadTaste(new Map([[file, source]]));
    for (const file of ["lib/probe/httpDate.ts", "lib/probe/Http.ts", "lib/probe/http_date.ts"])
      expect(taste(file)).toHaveLength(1);
    for (const name of ["utils", "helpers", "common", "store-manager", "factory", "base"]) {
      expect(taste(`lib/probe/${name}.ts`), name).toHaveLength(1);
    }
    expect(taste("lib/probe/long.ts", "x\n".repeat(maxLines + 1))).toHaveLength(1);
    expect(taste("lib/probe/http-date.ts", "x\n".repeat(maxLines))).toEqual([]);
    expect(taste("test/probe/http-date.test.ts", "x\n".repeat(maxLines + 1))).toEqual([]);
  });

  test("a path of a machine, and not on a URL", () => {
    const paths = (text: string) => findMachinePaths(new Map([["README.md", text]]));
    for (const folder of ["work", "root", "home", "Users"])
      expect(paths(`\ncd /${folder}/x`)).toEqual(["README.md:2"]);
    expect(paths("https://example.com/home/x, lib/root/x and /api/v1/passports")).toEqual([]);
  });
});

test("the diagram allows what the house is built on", () => {
  const sources = new Map([
    ["lib/contract/gaps.ts", 'import * as z from "zod";'],
    ["lib/records/alert.ts", 'import "../contract/gaps.ts";'],
    ["lib/ports.ts", 'import type { Alert } from "./records/alert.ts";'],
    ["lib/probe/exchange.ts", 'import "../ports.ts";\nimport http from "node:http";'],
    ["lib/assess/alarms.ts", 'export const word = "import";\nexport const other = "node:fs";'],
    ["lib/assess/assess.ts", 'import "../ports.ts";\nimport "./alarms.ts";'],
    ["lib/migration/parity.ts", 'import "../probe/exchange.ts";'],
    ["lib/report/html.ts", 'import "../assess/alarms.ts";\nimport "../migration/parity.ts";'],
    ["lib/aws/outbox.ts", 'import "@aws-sdk/client-sns";\nimport "../ports.ts";'],
    ["lib/local/store.ts", 'import "node:sqlite";\nimport "../assess/assess.ts";'],
    [
      "lib/stack/alarms.ts",
      'import "aws-cdk-lib/aws-sns";\nimport "constructs";\nimport "../assess/alarms.ts";',
    ],
    [
      "lib/commands/index.ts",
      'import "../local/store.ts";\nimport "../aws/outbox.ts";\nawait import("node:fs");',
    ],
    ["functions/probe.ts", 'import "../lib/aws/outbox.ts";\nimport "../lib/assess/assess.ts";'],
    ["bin/app.ts", 'import "../lib/stack/alarms.ts";'],
    ["bin/v1watch.ts", 'import "../lib/commands/index.ts";'],
  ]);
  expect(findWrongImports(sources)).toEqual([]);
  expect(findCircles(sources)).toEqual([]);
});
