// v1watch migrate: creates, validates and measures the mapping from V1 to V2.
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
import { type Command, exitCodes, type Io, type OptionValues, UsageError } from "./command.ts";
import { explainWriteFailure, schemaAddress } from "./output-file.ts";

const help = `v1watch migrate init|coverage|check [--mapping FILE] [options]

  init       write a starter mapping from public information about V2; every row is unverified
  coverage   show the decided and undecided fields and behaviours of V1
  check      validate the mapping; undecided rows are not errors

  --mapping FILE     mapping file (default ${mappingFileName})
  --v2-schema FILE   V2's OpenAPI 3 document or JSON Schema, in JSON; mapped paths must exist in it
  --force            init: overwrite an existing mapping
  --schema           print the JSON Schema of the mapping file, for editors
  --json             coverage: print JSON

Exit codes: 0 all rows are decided (coverage) or the mapping is valid (check), 1 undecided rows remain (coverage),
2 usage error or invalid mapping.

Example:
  v1watch migrate init && v1watch migrate coverage
`;

const actions: Record<string, (values: OptionValues, io: Io) => Promise<number>> = { init, coverage, check };

export const migrate: Command = {
  name: "migrate",
  summary: "create and validate the mapping from V1 to V2, and show what is undecided",
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
      return exitCodes.success;
    }
    const run = action !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!run) throw new UsageError(`migrate needs one of ${Object.keys(actions).join(", ")}`);
    return run(values, io);
  },
};

const fileOf = (values: OptionValues) =>
  typeof values.mapping === "string" ? values.mapping : mappingFileName;

async function init(values: OptionValues, io: Io): Promise<number> {
  const file = fileOf(values);
  const starter = createStarter(Date.now(), schemaAddress("mapping", file));
  try {
    await writeFile(file, mappingText(starter), { flag: values.force ? "w" : "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new UsageError(`"${file}" already exists. Use --force to overwrite it.`);
    throw explainWriteFailure(file, error);
  }
  const rows = Object.keys(starter.fields).length + Object.keys(starter.behaviours).length;
  io.out(
    [
      `Wrote ${file}: ${rows} rows, all unverified, from the ${starter.fields["passport.score"]?.source}.`,
      "Set v2.baseUrl, then decide each row. `v1watch migrate coverage` shows the remaining rows.",
      "",
    ].join("\n"),
  );
  return exitCodes.success;
}

async function load(values: OptionValues, io: Io) {
  const shape = values["v2-schema"];
  const loaded = await readMapping(fileOf(values), typeof shape === "string" ? shape : undefined);
  if (!loaded.ok) io.err(mappingMistakesText(loaded.mistakes));
  return loaded;
}

async function coverage(values: OptionValues, io: Io): Promise<number> {
  const loaded = await load(values, io);
  if (!loaded.ok) return exitCodes.usage;
  const covered = computeCoverage(loaded.mapping, new Date().toISOString().slice(0, 10));
  io.out(values.json ? `${JSON.stringify(covered, null, 2)}\n` : renderCoverage(covered));
  return covered.isDecided ? exitCodes.success : exitCodes.findings;
}

async function check(values: OptionValues, io: Io): Promise<number> {
  const loaded = await load(values, io);
  if (!loaded.ok) return exitCodes.usage;
  const paths = loaded.shape ? ", and its paths exist in V2's schema" : "";
  io.out(`${fileOf(values)} is valid${paths}.\n`);
  return exitCodes.success;
}

const standingLabels: Record<DecisionStatus, string> = {
  decided: "decided",
  unverified: "unverified",
  undecided: "UNDECIDED",
  expired: "EXPIRED",
  unowned: "NO OWNER",
};

const isOpen = ({ standing }: { standing: DecisionStatus }) =>
  standing === "undecided" || standing === "expired" || standing === "unowned";

type Row = [standing: string, name: string, decision: string, details: string];

function fieldRow(field: FieldCoverage): Row {
  const target = field.to ? `${field.to.endpoint} ${field.to.path}` : printable(field.note ?? "");
  return [standingLabels[field.standing], field.path, field.decision, target];
}

/** Rows that still need a decision come first. */
function renderCoverage(coverage: Coverage): string {
  const { counts, fields, behaviours } = coverage;
  const total = fields.length + behaviours.length;
  const decided = counts.decided + counts.unverified;
  const lines = [
    ...fields.map((field) => ({ ...field, line: fieldRow(field) })),
    ...behaviours.map((row) => ({
      ...row,
      line: [standingLabels[row.standing], row.id, row.decision, printable(row.note ?? row.v1)] as Row,
    })),
  ].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  const open = [
    counts.undecided > 0 ? `${counts.undecided} undecided` : "",
    counts.unowned > 0 ? `${counts.unowned} dropped without an owner` : "",
    counts.expired > 0 ? `${counts.expired} dropped with an expired date` : "",
  ].filter((part) => part !== "");
  const unverified = counts.unverified > 0 ? ` ${counts.unverified} of them are unverified.` : "";
  return [
    `${decided} of ${total} fields and behaviours are decided.${unverified}`,
    ...(open.length > 0 ? [`Remaining: ${open.join(", ")}.`] : []),
    "",
    ...align(lines.map(({ line }) => line)),
    "",
  ].join("\n");
}

function align(rows: readonly Row[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([standing, name, decision, details]) =>
    `  ${standing.padEnd(widths[0] ?? 0)}  ${name.padEnd(widths[1] ?? 0)}  ${decision.padEnd(widths[2] ?? 0)}  ${details}`.trimEnd(),
  );
}
