// The import rules of docs/develop/architecture.md, executed: which module may import which, and what can be counted.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";

// A module is a folder of lib. It may always import itself. `node:x` names one module of Node, `node:` all of
// them, `@scope/` a scope, `folder/file` one file or sub-folder, which may have a row of its own. What is not
// listed is forbidden.
const network = [
  "node:http",
  "node:https",
  "node:net",
  "node:dns",
  "node:dns/promises",
  "node:tls",
  "node:zlib",
];
const withoutSideEffects = [
  "buffer",
  "crypto",
  "events",
  "perf_hooks",
  "stream",
  "timers/promises",
  "url",
  "util",
];
// Time, key and stores come through ports: no node:fs, no node:process, no node:child_process.
const probe = [
  "contract",
  "records",
  "ports",
  "config",
  "zod", // responses are validated by the contract's zod schemas
  ...network,
  ...withoutSideEffects.map((name) => `node:${name}`),
];
const delivery = ["ports", "records", "channels", "config/channels", "config/secret-source"];
const assess = ["contract", "records", "config/thresholds"];
const withoutAws = [
  "contract",
  "records",
  "config",
  "ports",
  "probe",
  "assess",
  "delivery",
  "scan/index",
  "mapping",
  "parity",
  "readiness",
  "report",
  "simulator",
  "rehearse",
];
/** Small things that every module may use. */
const shared = ["text", "time", "html", "omit-undefined", "semaphore"];
const mayImport: Record<string, readonly string[]> = {
  text: [],
  time: [],
  html: [],
  "omit-undefined": [],
  semaphore: [],
  contract: ["zod"],
  records: ["contract", "zod"],
  config: ["contract", "records", "channels", "zod", "node:"],
  // Of the configuration only the values of settings: its schema is made of these rows.
  channels: ["records", "config/values", "config/secret-source", "zod"],
  "channels/webhook": ["records", "config/values", "config/secret-source", "node:crypto"], // its signature
  "config/file-text": ["yaml"],
  ports: ["records", "contract", "config"],
  probe,
  "probe/http/attempt": [...probe, "package.json"], // the version, for the User-Agent
  assess,
  "assess/state": [...assess, "zod"], // a checkpoint is validated before an assessment starts from it
  "assess/assess": [...assess, "ports", "delivery/outbox"],
  "assess/fold": [...assess, "ports"],
  "assess/record-tick": [...assess, "ports"],
  "assess/decisions": [...assess, "ports"],
  delivery,
  "delivery/channels/channel": [...delivery, "node:http", "node:https"], // a request that says when it was sent
  "delivery/channels/email": [...delivery, "nodemailer", "node:crypto", "node:stream", "node:url"],
  "delivery/channels/sns": [...delivery, "aws/sns"], // loaded with the first message
  scan: ["contract", "records", "@ast-grep/", "ignore", "node:"],
  mapping: ["contract", "records", "config"],
  "mapping/mapping": ["contract", "records", "config", "node:fs/promises", "node:path"],
  parity: [
    "contract",
    "records",
    "config",
    "mapping",
    "probe/http/exchange",
    "probe/http/attempt",
    "probe/validate/parse-body",
    "node:",
  ],
  readiness: ["contract", "records", "mapping", "parity"],
  report: ["assess", "mapping", "parity", "readiness", "contract", "records"],
  "report/charts": ["d3-scale", "d3-shape", "d3-time-format"],
  simulator: ["contract", "node:"],
  rehearse: ["contract", "records", "simulator", "probe/http/exchange", "probe/http/attempt", "node:"],
  aws: ["ports", "records", "@aws-sdk/", "node:"],
  local: [...withoutAws, "node:"],
  "local/store/rows": [...withoutAws, "node:", "zod"], // the text of a row is validated when it is read
  "local/server/api-schemas": [...withoutAws, "zod"], // the schemas of the API's responses
  "local/server/api": [...withoutAws, "node:", "zod"],
  stack: [
    "contract",
    "assess/alarms",
    "assess/metrics",
    "assess/state", // the type of the assessment's settings
    "aws/table-shape", // the names that the table's creator and its users agree on
    "config",
    "aws-cdk-lib",
    "constructs",
    "node:crypto", // names that are made of addresses
    "node:path",
    "node:url",
  ],
  // The feature flags of a new CDK project are a file of the CDK.
  "stack/v1-watch": [
    "aws-cdk-lib",
    "constructs",
    "contract",
    "assess/alarms/published",
    "assess/metrics",
    "config",
    "node:module",
    "<require>",
  ],
  // What a prober refuses to request.
  "stack/mistakes": ["config", "probe/http/addresses"],
  // The configuration file that an app names.
  "stack/settings": ["aws-cdk-lib", "config", "node:fs"],
  // Loads esbuild only in a checkout, and writes a require call into the bundles.
  "stack/bundle": ["aws-cdk-lib", "esbuild", "node:fs", "node:module", "node:path", "<require>"],
  functions: [
    ...["ports", "probe", "assess", "delivery", "report", "readiness", "aws", "config", "records"],
    "node:timers/promises",
  ],
  commands: [...withoutAws, "aws", "local", "commander", "node:", "package.json"],
  // The team's files are for the report.
  "bin/app": ["stack", "config", "commands/ready/files", "node:fs", "node:path", "node:url"],
  "bin/v1watch": ["commands", "node:"],
};

type Sources = ReadonlyMap<string, string>;

/** `lib/assess/assess.ts` → `assess/assess`: the file's own name in the table above. */
const nameOf = (file: string) => file.replace(/^lib\//, "").replace(/\.ts$/, "");

/** The row that governs a file: its own, or that of its module. */
function rowOf(file: string): string | undefined {
  const name = nameOf(file);
  if (Object.hasOwn(mayImport, name)) return name;
  const module = name.slice(0, name.indexOf("/"));
  return name.includes("/") && Object.hasOwn(mayImport, module) ? module : undefined;
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

const isOurs = (target: string) => /^(?:lib|bin|functions)\//.test(target);
const matches = (row: string, name: string) =>
  name === row || name.startsWith(/[:/]$/.test(row) ? row : `${row}/`);

function isAllowed(row: string, file: string, target: string): boolean {
  const name = nameOf(target);
  const [own, theirs] = [nameOf(file), name].map((path) => path.split("/")[0]);
  // A function or a program imports no other one; any other file may import from its own module.
  const isOwnModule = own === theirs && isOurs(target) && own !== "functions" && own !== "bin";
  const isModule = (entry: string) => Object.hasOwn(mayImport, String(entry.split("/")[0]));
  // A package with the name of a module is still a package.
  return (
    isOwnModule ||
    (isOurs(target) && shared.includes(name)) ||
    (mayImport[row] ?? []).some((entry) => isModule(entry) === isOurs(target) && matches(entry, name))
  );
}

function findWrongImports(sources: Sources): string[] {
  const wrong: string[] = [];
  for (const [file, source] of sources) {
    const row = rowOf(file);
    if (!row) {
      wrong.push(`${file} belongs to no module`);
      continue;
    }
    for (const raw of importsOf(source)) {
      const target = resolveImport(file, raw);
      if (isOurs(target) && !sources.has(target)) wrong.push(`${file} → ${target}, which does not exist`);
      else if (!isAllowed(row, file, target)) wrong.push(`${file} → ${target}`);
    }
  }
  return wrong;
}

/** Import cycles, each written from its first file: `a → b → a`. */
function findCycles(sources: Sources): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file].join(" → "));
    if (start >= 0 || done.has(file)) return;
    for (const raw of importsOf(sources.get(file) ?? "")) {
      const target = resolveImport(file, raw);
      if (sources.has(target)) visit(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return cycles;
}

const pureModules = ["contract", "records", "ports", "assess", "mapping", "readiness", "report"];
const impure =
  /\b(?:process\.|Date\.now\(|new Date\(\)|performance\.|Math\.random\(|fetch\(|set(?:Timeout|Interval)\(|console\.)/;

/** Files of pure modules that use the clock, random numbers, the network or the process. */
function findSideEffects(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) =>
    pureModules.includes(String(nameOf(file).split("/")[0])) && impure.test(source) ? [file] : [],
  );
}

const emptyNames = /^(?:utils?|helpers?|commons?|managers?|factor(?:y|ies)|base)$/;

function findBadFileNames(sources: Sources): string[] {
  return [...sources.keys()].flatMap((file) => {
    const words = posix.basename(file).split(".")[0] ?? "";
    return [
      ...(/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test|\.config)?\.ts$/.test(posix.basename(file))
        ? []
        : [`${file} is not kebab-case`]),
      ...(words.split("-").some((word) => emptyNames.test(word))
        ? [`${file} has a name without a meaning`]
        : []),
    ];
  });
}

// An absolute path of a developer machine; parts of URLs do not match.
const machinePath = /(?<![\w.~}])\/(?:work|root|home|Users)\/\w/;

function findMachinePaths(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) =>
    source.split("\n").flatMap((line, index) => (machinePath.test(line) ? [`${file}:${index + 1}`] : [])),
  );
}

const root = join(import.meta.dirname, "..");
const outside = new Set(["node_modules", ".git", ".v1watch", "cdk.out", "coverage", "dist"]);

/** Every text file of the project, by its path from the root. */
function readProject(): Sources {
  const sources = new Map<string, string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (outside.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      if (!entry.isFile()) continue;
      const text = readFileSync(path, "utf8");
      if (!text.includes("\0")) sources.set(relative(root, path).split(sep).join("/"), text);
    }
  };
  walk(root);
  return sources;
}

const project = readProject();
// The corpus imitates the code of other teams and follows no rule of this project.
const pick = (pattern: RegExp): Sources =>
  new Map([...project].filter(([file]) => pattern.test(file) && !file.startsWith("test/scan/corpus/")));
const sourceFiles = pick(/^(?:lib|bin|functions)\/.*\.(?:[cm]?[jt]sx?|json)$/);

describe("the source files", () => {
  test("The source files import only what the table of allowed imports lists", () => {
    expect(sourceFiles.size).toBeGreaterThan(5);
    expect(findWrongImports(sourceFiles)).toEqual([]);
  });

  test("The source files have no import cycles", () => {
    expect(findCycles(sourceFiles)).toEqual([]);
  });

  test("The source files of pure modules use no clock, no random numbers, no network and no process", () => {
    expect(findSideEffects(sourceFiles)).toEqual([]);
  });

  test("The source files have kebab-case names that say what they hold", () => {
    expect(findBadFileNames(pick(/^(?:lib|bin|functions|test|bench)\/.*\.ts$/))).toEqual([]);
  });

  test("The source files contain no absolute path of a machine", () => {
    expect(findMachinePaths(project)).toEqual([]);
  });

  test("The source files name no endpoint id outside of the contract and the simulator's scenarios", () => {
    const named = [...pick(/^(?:lib|functions|web|bin)\//)].filter(([, source]) =>
      /["'`]passport-(?:list|credentials)["'`]/.test(source),
    );
    const folders = new Set(named.map(([file]) => file.split("/").slice(0, 2).join("/")));
    expect([...folders].sort()).toEqual(["lib/contract", "lib/simulator"]);
  });
});

// One planted mistake for each rule shows that each rule can fail.
describe("the import rules reject", () => {
  const files = [
    "lib/contract/gaps.ts",
    "lib/records/alert.ts",
    "lib/config/config.ts",
    "lib/ports.ts",
    "lib/probe/http/exchange.ts",
    "lib/probe/validate/drift.ts",
    "lib/assess/alarms/alarm-table.ts",
    "lib/assess/assess.ts",
    "lib/delivery/outbox.ts",
    "lib/scan/index.ts",
    "lib/scan/uses.ts",
    "lib/mapping/mapping.ts",
    "lib/parity/parity.ts",
    "lib/readiness/readiness.ts",
    "lib/report/html.ts",
    "lib/simulator/server.ts",
    "lib/aws/outbox.ts",
    "lib/local/store/store.ts",
    "lib/stack/alarms.ts",
    "lib/commands/probe/probe.ts",
    "lib/commands/index.ts",
    "functions/probe.ts",
    "functions/assess.ts",
    "bin/app.ts",
    "bin/v1watch.ts",
  ];
  const empty = new Map(files.map((file) => [file, ""]));
  const plant = (file: string, source: string): Sources => new Map([...empty, [file, source]]);
  const specifier = (file: string, target: string) => {
    if (!/^(?:lib|bin|functions|test|bench)\//.test(target)) return target;
    const path = posix.relative(posix.dirname(file), target);
    return path.startsWith(".") ? path : `./${path}`;
  };

  test.each([
    ["lib/contract/gaps.ts", "fast-check"],
    ["lib/contract/gaps.ts", "node:fs"],
    ["lib/contract/gaps.ts", "lib/records/alert.ts"],
    ["lib/records/alert.ts", "lib/ports.ts"],
    ["lib/records/alert.ts", "node:crypto"],
    ["lib/ports.ts", "lib/probe/validate/drift.ts"],
    ["lib/config/config.ts", "lib/probe/validate/drift.ts"],
    ["lib/probe/validate/drift.ts", "@aws-sdk/client-sns"],
    ["lib/probe/validate/drift.ts", "aws-cdk-lib"],
    ["lib/probe/validate/drift.ts", "node:fs/promises"],
    ["lib/probe/validate/drift.ts", "lib/assess/alarms/alarm-table.ts"],
    ["lib/probe/validate/drift.ts", "lib/simulator/server.ts"],
    ["lib/assess/alarms/alarm-table.ts", "lib/ports.ts"],
    ["lib/assess/alarms/alarm-table.ts", "node:fs"],
    ["lib/assess/assess.ts", "node:fs"],
    ["lib/assess/assess.ts", "lib/probe/validate/drift.ts"],
    ["lib/delivery/outbox.ts", "lib/assess/assess.ts"],
    ["lib/delivery/outbox.ts", "@aws-sdk/client-sns"],
    ["lib/scan/index.ts", "lib/config/config.ts"],
    ["lib/scan/index.ts", "lib/probe/http/exchange.ts"],
    ["lib/commands/probe/probe.ts", "lib/scan/uses.ts"],
    ["lib/mapping/mapping.ts", "lib/readiness/readiness.ts"],
    ["lib/parity/parity.ts", "lib/probe/validate/drift.ts"],
    ["lib/parity/parity.ts", "lib/readiness/readiness.ts"],
    ["lib/readiness/readiness.ts", "node:fs"],
    ["lib/report/html.ts", "lib/ports.ts"],
    ["lib/report/html.ts", "node:fs"],
    ["lib/simulator/server.ts", "lib/probe/validate/drift.ts"],
    ["lib/simulator/server.ts", "contract/gaps"],
    ["lib/simulator/server.ts", "express"],
    ["lib/aws/outbox.ts", "lib/local/store/store.ts"],
    ["lib/aws/outbox.ts", "lib/stack/alarms.ts"],
    ["lib/aws/outbox.ts", "aws-cdk-lib/aws-sns"],
    ["lib/local/store/store.ts", "lib/aws/outbox.ts"],
    ["lib/local/store/store.ts", "lib/stack/alarms.ts"],
    ["lib/local/store/store.ts", "@aws-sdk/client-sns"],
    ["lib/stack/alarms.ts", "lib/aws/outbox.ts"],
    ["lib/stack/alarms.ts", "lib/local/store/store.ts"],
    ["lib/stack/alarms.ts", "@aws-sdk/client-sns"],
    ["lib/stack/alarms.ts", "lib/assess/assess.ts"],
    ["functions/probe.ts", "lib/local/store/store.ts"],
    ["functions/probe.ts", "@aws-sdk/client-sns"],
    ["functions/probe.ts", "functions/assess.ts"],
    ["lib/commands/probe/probe.ts", "lib/stack/alarms.ts"],
    ["lib/commands/probe/probe.ts", "@aws-sdk/client-sns"],
    ["bin/app.ts", "lib/commands/index.ts"],
    ["bin/app.ts", "aws-cdk-lib"],
    ["bin/v1watch.ts", "lib/probe/validate/drift.ts"],
    ["bin/v1watch.ts", "lib/stack/alarms.ts"],
    ["lib/probe/validate/drift.ts", "test/probe/validate/drift.test.ts"],
    ["lib/probe/validate/drift.ts", "bench/run.ts"],
    ["lib/commands/probe/probe.ts", "bin/v1watch.ts"],
    ["lib/probe/validate/drift.ts", "lib/probe/validate/missing.ts"],
  ])("The import rules reject an import in %s of %s", (file, imported) => {
    const target = specifier(file, imported);
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
    ["a file in a folder that the table lacks", "lib/helpers/dates.ts", ""],
    ["a file at the top of lib", "lib/dates.ts", ""],
    ["a third program", "bin/tool.ts", ""],
    ["an import with a computed path", "lib/probe/validate/drift.ts", "await import(name);"],
    ["a call of require", "lib/probe/validate/drift.ts", 'const fs = require("node:fs");'],
    ["a call of getBuiltinModule", "lib/probe/validate/drift.ts", 'process.getBuiltinModule("node:fs");'],
  ])("The import rules reject %s", (_name, file, source) => {
    expect(findWrongImports(plant(file, source))).toHaveLength(1);
  });

  test("The import rules reject a pure module that uses the clock, random numbers, the network or the process", () => {
    for (const source of [
      "Date.now()",
      "new Date()",
      "Math.random()",
      "fetch(url)",
      "process.env.X",
      "console.log()",
    ]) {
      expect(findSideEffects(plant("lib/assess/assess.ts", source)), source).toEqual([
        "lib/assess/assess.ts",
      ]);
      expect(findSideEffects(plant("lib/local/store/store.ts", source))).toEqual([]);
    }
  });

  test("The import rules reject an import cycle of two files, of three, of types, and of one file", () => {
    const cycles = (files: Record<string, string>) => findCycles(new Map(Object.entries(files)));
    expect(
      cycles({ "lib/a.ts": 'import "./b.ts";', "lib/b.ts": 'import type { A } from "./a.ts";' }),
    ).toHaveLength(1);
    expect(
      cycles({
        "lib/a.ts": 'import "./b.ts";',
        "lib/b.ts": 'import "./c.ts";',
        "lib/c.ts": 'import("./a.ts")',
      }),
    ).toEqual(["lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts"]);
    expect(cycles({ "lib/a.ts": 'import "./a.ts";' })).toEqual(["lib/a.ts → lib/a.ts"]);
    expect(
      cycles({
        "lib/a.ts": 'import "./b.ts"; import "./c.ts";',
        "lib/b.ts": 'import "./c.ts";',
        "lib/c.ts": "",
      }),
    ).toEqual([]);
  });

  test("The import rules reject a camelCase file name and a file name without a meaning", () => {
    const problems = (file: string) => findBadFileNames(new Map([[file, ""]]));
    for (const file of ["lib/probe/httpDate.ts", "lib/probe/Http.ts", "lib/probe/http_date.ts"])
      expect(problems(file)).toHaveLength(1);
    for (const name of ["utils", "helpers", "common", "store-manager", "factory", "base"]) {
      expect(problems(`lib/probe/${name}.ts`), name).toHaveLength(1);
    }
  });

  test("The import rules reject an absolute path of a machine, but no URL", () => {
    const paths = (text: string) => findMachinePaths(new Map([["README.md", text]]));
    for (const folder of ["work", "root", "home", "Users"])
      expect(paths(`\ncd /${folder}/x`)).toEqual(["README.md:2"]);
    expect(paths("https://example.com/home/x, lib/root/x and /api/v1/passports")).toEqual([]);
  });
});

test("The import rules allow the imports that the modules need", () => {
  const sources = new Map([
    ["lib/contract/gaps.ts", 'import * as z from "zod";'],
    ["lib/records/alert.ts", 'import "../contract/gaps.ts";'],
    ["lib/ports.ts", 'import type { Alert } from "./records/alert.ts";'],
    ["lib/probe/http/exchange.ts", 'import "../../ports.ts";\nimport http from "node:http";'],
    ["lib/assess/alarms/alarm-table.ts", 'export const word = "import";\nexport const other = "node:fs";'],
    ["lib/assess/assess.ts", 'import "../ports.ts";\nimport "./alarms/alarm-table.ts";'],
    ["lib/parity/parity.ts", 'import "../probe/http/exchange.ts";'],
    ["lib/report/html.ts", 'import "../assess/alarms/alarm-table.ts";\nimport "../parity/parity.ts";'],
    ["lib/aws/outbox.ts", 'import "@aws-sdk/client-sns";\nimport "../ports.ts";'],
    ["lib/local/store/store.ts", 'import "node:sqlite";\nimport "../../assess/assess.ts";'],
    [
      "lib/stack/alarms.ts",
      'import "aws-cdk-lib/aws-sns";\nimport "constructs";\nimport "../assess/alarms/alarm-table.ts";',
    ],
    [
      "lib/commands/index.ts",
      'import "../local/store/store.ts";\nimport "../aws/outbox.ts";\nawait import("node:fs");',
    ],
    ["functions/probe.ts", 'import "../lib/aws/outbox.ts";\nimport "../lib/assess/assess.ts";'],
    ["bin/app.ts", 'import "../lib/stack/alarms.ts";'],
    ["bin/v1watch.ts", 'import "../lib/commands/index.ts";'],
  ]);
  expect(findWrongImports(sources)).toEqual([]);
  expect(findCycles(sources)).toEqual([]);
});
