// `v1watch migrate`: the mapping from V1 to V2, begun, checked and counted.
import { writeFile } from "node:fs/promises";
import { printable } from "../config/config.ts";
import {
  type Coverage,
  computeCoverage,
  type DecisionStatus,
  type FieldCoverage,
} from "../mapping/coverage.ts";
import { mappingFileName, mappingJsonSchema, mappingMistakesText, readMapping } from "../mapping/mapping.ts";
import { createStarter, mappingText } from "../mapping/starter.ts";
import { type Command, exitCodes, type Io, UsageError, type Values } from "./command.ts";
import { cannotWrite } from "./output-file.ts";

const help = `v1watch migrate init|coverage|check [--mapping FILE] [options]

  init       writes a first mapping from what is publicly known of V2; every row is unverified
  coverage   shows what is decided and what is not, for each field and behaviour of V1
  check      looks for mistakes in the mapping, and says nothing of what is still open

  --mapping FILE     another file than ${mappingFileName}
  --v2-schema FILE   V2's OpenAPI 3 document or JSON Schema, in JSON: mapped paths are looked for in it
  --force            init: replace a mapping that is there
  --schema           print the JSON Schema of the file, for editors
  --json             coverage: for programs

Exit codes: 0 all is decided (coverage) or sound (check), 1 undecided rows remain, 2 usage or mistakes.

Example:
  v1watch migrate init && v1watch migrate coverage
`;

const actions: Record<string, (values: Values, io: Io) => Promise<number>> = { init, coverage, check };

export const migrate: Command = {
  name: "migrate",
  summary: "the mapping from V1 to V2: begin it, check it, see what is undecided",
  help,
  options: {
    mapping: { type: "string" },
    "v2-schema": { type: "string" },
    force: { type: "boolean" },
    schema: { type: "boolean" },
    json: { type: "boolean" },
  },
  positionals: { max: 1 },
  async run(values, [action], io) {
    if (values.schema) {
      io.out(`${JSON.stringify(mappingJsonSchema(), null, 2)}\n`);
      return exitCodes.fine;
    }
    const run = action !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!run) throw new UsageError(`migrate takes one of ${Object.keys(actions).join(", ")}`);
    return run(values, io);
  },
};

const fileOf = (values: Values) => (typeof values.mapping === "string" ? values.mapping : mappingFileName);

async function init(values: Values, io: Io): Promise<number> {
  const file = fileOf(values);
  const starter = createStarter(Date.now());
  try {
    await writeFile(file, mappingText(starter), { flag: values.force ? "w" : "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new UsageError(`"${file}" is there already. Use --force to replace it.`);
    throw cannotWrite(file, error);
  }
  const rows = Object.keys(starter.fields).length + Object.keys(starter.behaviours).length;
  io.out(
    [
      `Wrote ${file}: ${rows} rows, all unverified, from the ${starter.fields["passport.score"]?.source}.`,
      "Set v2.baseUrl, then decide row by row: `v1watch migrate coverage` shows what is left.",
      "",
    ].join("\n"),
  );
  return exitCodes.fine;
}

async function load(values: Values, io: Io) {
  const shape = values["v2-schema"];
  const loaded = await readMapping(fileOf(values), typeof shape === "string" ? shape : undefined);
  if (!loaded.ok) io.err(mappingMistakesText(loaded.mistakes));
  return loaded;
}

async function coverage(values: Values, io: Io): Promise<number> {
  const loaded = await load(values, io);
  if (!loaded.ok) return exitCodes.usage;
  const covered = computeCoverage(loaded.mapping, new Date().toISOString().slice(0, 10));
  io.out(values.json ? `${JSON.stringify(covered, null, 2)}\n` : renderCoverage(covered));
  return covered.isDecided ? exitCodes.fine : exitCodes.findings;
}

async function check(values: Values, io: Io): Promise<number> {
  const loaded = await load(values, io);
  if (!loaded.ok) return exitCodes.usage;
  const against = loaded.shape ? ", and its paths are in V2's shape" : "";
  io.out(`${fileOf(values)} is sound${against}.\n`);
  return exitCodes.fine;
}

// A mapping's coverage, as people read it: what is left to decide first.
const words: Record<DecisionStatus, string> = {
  decided: "decided",
  unverified: "unverified",
  undecided: "UNDECIDED",
  expired: "EXPIRED",
  unowned: "NO OWNER",
};

const isOpen = ({ standing }: { standing: DecisionStatus }) =>
  standing === "undecided" || standing === "expired" || standing === "unowned";

type Line = [standing: string, name: string, decision: string, more: string];

function describe(field: FieldCoverage): Line {
  const to = field.to ? `${field.to.endpoint} ${field.to.path}` : printable(field.note ?? "");
  return [words[field.standing], field.path, field.decision, to];
}

export function renderCoverage(coverage: Coverage): string {
  const { counts, fields, behaviours } = coverage;
  const total = fields.length + behaviours.length;
  const decided = counts.decided + counts.unverified;
  const lines = [
    ...fields.map((field) => ({ ...field, line: describe(field) })),
    ...behaviours.map((row) => ({
      ...row,
      line: [words[row.standing], row.id, row.decision, printable(row.note ?? row.v1)] as Line,
    })),
  ].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  const open = [
    counts.undecided > 0 ? `${counts.undecided} undecided` : "",
    counts.unowned > 0 ? `${counts.unowned} dropped without an owner` : "",
    counts.expired > 0 ? `${counts.expired} dropped until a day that has passed` : "",
  ].filter((part) => part !== "");
  const unverified = counts.unverified > 0 ? ` ${counts.unverified} of them are unverified.` : "";
  return [
    `${decided} of ${total} fields and behaviours are decided.${unverified}`,
    ...(open.length > 0 ? [`Still open: ${open.join(", ")}.`] : []),
    "",
    ...align(lines.map(({ line }) => line)),
    "",
  ].join("\n");
}

function align(rows: readonly Line[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([standing, name, decision, more]) =>
    `  ${standing.padEnd(widths[0] ?? 0)}  ${name.padEnd(widths[1] ?? 0)}  ${decision.padEnd(widths[2] ?? 0)}  ${more}`.trimEnd(),
  );
}
