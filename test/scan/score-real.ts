// Scores the scan on public repositories that were annotated by reading, before any scanner ran: real.json has their names,
// commits, files and lines, and none of their code. Unpack each at its commit as DIR/OWNER+NAME, then:
//   node test/scan/score-real.ts DIR [tuning|held-out] [--mistakes]
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scanConsumers, type Use } from "../../lib/scan/index.ts";

type Place = {
  file: string;
  line: number;
  /** Lines that are as good. */
  lines?: number[];
  endpoint?: string;
  field?: string;
  /** The value reaches the line through a route of the repository's own server, which the scan does not follow. */
  viaOwnRoute?: boolean;
};
type Kind = "calls" | "fields" | "hazards" | "files";
type Repository = {
  name: string;
  commit: string;
  set: "tuning" | "held-out";
  isConsumer: boolean;
  calls: Place[];
  fields: Place[];
  hazards: Place[];
  files: string[];
  optionalCalls: Place[];
  optionalFields: Place[];
  optionalHazards: Place[];
  optionalFiles?: string[];
};
type Annotations = { basePaths: string[]; repositories: Repository[] };
type Score = { expected: number; right: number; given: number; wrong: number };

/** The annotations write the records of every endpoint as `passport.score` and `credential.score`. */
const nameOf = (path: string) =>
  path
    .replaceAll("[]", "")
    .replace(/^passports\b/, "passport")
    .replace(/^passport_credentials\b/, "credential");

const keysOf = (place: Place, what: string) =>
  [place.line, ...(place.lines ?? [])].map((line) => `${place.file}:${line} ${what}`);

/** A handler is named by its own line, by that of its default, or by one between them. */
const hazardKeys = (place: Place) =>
  [place.line, ...(place.lines ?? [])].flatMap((line) =>
    [-1, 0, 1].map((apart) => `${place.file}:${line + apart} hazard`),
  );

function expectedOf(repository: Repository, kind: Kind, isOptional: boolean): string[][] {
  const {
    calls,
    fields,
    hazards,
    files,
    optionalCalls,
    optionalFields,
    optionalHazards,
    optionalFiles = [],
  } = repository;
  if (kind === "calls") return (isOptional ? optionalCalls : calls).map((place) => keysOf(place, "call"));
  if (kind === "fields")
    return (isOptional ? optionalFields : fields).map((place) => keysOf(place, nameOf(place.field ?? "")));
  if (kind === "hazards") return (isOptional ? optionalHazards : hazards).map(hazardKeys);
  return (isOptional ? optionalFiles : files).map((file) => [file]);
}

function foundOf(uses: readonly Use[], kind: Kind): Set<string> {
  return new Set(
    uses.flatMap(({ file, calls, fields, hazards }) => {
      if (kind === "calls") return calls.map((line) => `${file}:${line} call`);
      if (kind === "fields")
        return fields
          .filter(({ isRequired, isUndocumented }) => !isRequired && !isUndocumented)
          .map(({ path, line }) => `${file}:${line} ${nameOf(path)}`);
      if (kind === "hazards")
        return hazards
          .filter(({ rule }) => rule.endsWith("-default"))
          .map(({ line }) => `${file}:${line} hazard`);
      return [file];
    }),
  );
}

const kinds: readonly Kind[] = ["calls", "fields", "hazards", "files"];
const [folder, ...options] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("usage: node test/scan/score-real.ts DIR [tuning|held-out] [--mistakes]");
const annotations: Annotations = JSON.parse(readFileSync(join(import.meta.dirname, "real.json"), "utf8"));
const wantedSet = options.find((option) => !option.startsWith("--"));
const scores = new Map<Kind, Score>(
  kinds.map((kind) => [kind, { expected: 0, right: 0, given: 0, wrong: 0 }]),
);
let scanned = 0;

for (const repository of annotations.repositories) {
  if (wantedSet !== undefined && repository.set !== wantedSet) continue;
  const root = join(folder, repository.name.replace("/", "+"));
  if (!existsSync(root)) {
    console.log(`not there: ${root} (commit ${repository.commit})`);
    continue;
  }
  scanned += 1;
  const { basePaths } = annotations;
  const { uses } = (await scanConsumers([{ root, as: "" }], { addresses: { basePaths } }))!;
  for (const kind of kinds) {
    const score = scores.get(kind)!;
    const expected = expectedOf(repository, kind, false);
    const allowed = new Set([...expected, ...expectedOf(repository, kind, true)].flat());
    const found = foundOf(uses, kind);
    const missed = expected.filter((keys) => !keys.some((key) => found.has(key)));
    const wrong = [...found].filter((key) => !allowed.has(key));
    score.expected += expected.length;
    score.right += expected.length - missed.length;
    score.wrong += wrong.length;
    if (!options.includes("--mistakes")) continue;
    for (const [key] of missed) console.log(`missed ${kind} ${repository.name} ${key}`);
    for (const key of wrong) console.log(`wrong  ${kind} ${repository.name} ${key}`);
  }
}

const share = (part: number, whole: number) => (whole === 0 ? "   –" : (part / whole).toFixed(2).padStart(4));
console.log(`${scanned} repositories${wantedSet === undefined ? "" : `, ${wantedSet}`}`);
for (const [kind, { expected, right, wrong }] of scores)
  console.log(
    `${kind.padEnd(8)} precision ${share(right, right + wrong)}, recall ${share(right, expected)} of ${expected}`,
  );
