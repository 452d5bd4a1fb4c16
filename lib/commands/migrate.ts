// v1watch migrate: creates, validates and measures the mapping from V1 to V2.
import { writeFile } from "node:fs/promises";
import { mistakesText, printable } from "../config/config.ts";
import { successor } from "../contract/v1/successor.ts";
import {
  type BehaviourCoverage,
  type Coverage,
  computeCoverage,
  type DecisionStatus,
  type FieldCoverage,
  isDecided,
  standingTexts,
} from "../mapping/coverage.ts";
import { mappingFileName, readMapping } from "../mapping/mapping.ts";
import { buildPlan, describeLine, groupPlan, type PlanGrouping, planGroupings } from "../mapping/plan.ts";
import { createStarter, mappingText } from "../mapping/starter.ts";
import { type Inventory, inventoryFileName, isRemaining } from "../records/inventory.ts";
import type { CoverageOutput, Plan, PlanLine } from "../records/outputs.ts";
import { plural } from "../text.ts";
import { dayText } from "../time.ts";
import { choice, defineCommand, exitCodes, flag, text, UsageError } from "./command.ts";
import { print, printJson } from "./layout.ts";
import { explainWriteFailure, schemaAddress } from "./output-file.ts";
import { readInventory, readMappingFile } from "./ready/files.ts";
import { inventory as inventoryOption, json, mapping as mappingOption, v2Schema } from "./shared-options.ts";

const init = defineCommand({
  summary: "write a starter mapping; every row is unverified",
  options: {
    mapping: text("<FILE>", "the file to write (default v1watch.mapping.json); - is standard output"),
    force: flag("overwrite an existing mapping"),
  },
  notes: ["Example: v1watch migrate init"],
  async run({ mapping: file = mappingFileName, force }, _positionals, io) {
    const starter = createStarter(Date.now(), schemaAddress("mapping", file));
    if (file === "-") {
      io.out(mappingText(starter));
      return exitCodes.success;
    }
    try {
      await writeFile(file, mappingText(starter), { flag: force ? "w" : "wx" });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") throw new UsageError(`"${file}" already exists. Use --force to overwrite it.`);
      throw explainWriteFailure(file, error);
    }
    const rows = Object.keys(starter.fields).length + Object.keys(starter.behaviours).length;
    print(
      io,
      [
        `Wrote ${file}: ${rows} rows, all unverified, from the ${successor.source}.`,
        "Set v2.baseUrl, then decide each row. `v1watch migrate coverage` shows the remaining rows.",
        "",
      ].join("\n"),
    );
    return exitCodes.success;
  },
});

async function load(file: string, v2SchemaFile: string | undefined) {
  const loaded = await readMapping(file, v2SchemaFile);
  if (loaded.ok) return loaded;
  throw new UsageError(mistakesText(loaded.mistakes, "mapping"));
}

const coverage = defineCommand({
  summary: "show what is decided and undecided; what is used comes first",
  options: {
    mapping: mappingOption,
    inventory: inventoryOption,
    "v2-schema": v2Schema("mapped paths must exist in it"),
    json,
  },
  notes: [
    "Exit codes: 0 all rows are decided, 1 undecided rows remain, 2 usage error or invalid mapping.",
    "Example: v1watch migrate coverage",
  ],
  async run(values, _positionals, io) {
    const { mapping } = await load(values.mapping ?? mappingFileName, values["v2-schema"]);
    const inventory = await readInventory(values.inventory);
    const covered = computeCoverage(mapping, dayText(Date.now()), inventory && countUses(inventory));
    if (values.json) printJson(io, covered satisfies CoverageOutput);
    else print(io, renderCoverage(covered));
    return covered.isDecided ? exitCodes.success : exitCodes.findings;
  },
});

const check = defineCommand({
  summary: "validate the mapping; undecided rows are not errors",
  options: {
    mapping: mappingOption,
    "v2-schema": v2Schema("mapped paths must exist in it"),
  },
  notes: [
    "Exit codes: 0 the mapping is valid, 2 usage error or invalid mapping.",
    "Example: v1watch migrate check",
  ],
  async run({ mapping: file = mappingFileName, "v2-schema": shapeFile }, _positionals, io) {
    const { shape } = await load(file, shapeFile);
    print(io, `${file} is valid${shape ? ", and its paths exist in V2's schema" : ""}.\n`);
    return exitCodes.success;
  },
});

/** The number of lines that use each field. */
function countUses({ uses }: Inventory): ReadonlyMap<string, number> {
  const lines = uses.filter(isRemaining).flatMap(({ fields }) => fields.map(({ path }) => path));
  return new Map([...Map.groupBy(lines, (path) => path)].map(([path, all]) => [path, all.length]));
}

const plan = defineCommand({
  summary: "show what every line in the inventory becomes in V2",
  description:
    "Shows what every line in the inventory becomes in V2. Without a mapping, the starter is used.",
  options: {
    mapping: mappingOption,
    inventory: inventoryOption,
    by: choice(
      "<GROUP>",
      "group the lines (default file; an owner is that of the inventory or CODEOWNERS)",
      planGroupings,
    ),
    json,
  },
  notes: [
    "Exit codes: 0 no line is left to change, 1 lines to change remain, 2 usage error or invalid mapping.",
    "Example: v1watch migrate plan --by owner",
  ],
  async run({ by = "file", ...values }, _positionals, io) {
    const [inventory, mapping] = await Promise.all([
      readInventory(values.inventory),
      readMappingFile(values.mapping),
    ]);
    if (!inventory)
      throw new UsageError(
        `there is no inventory. Create one with \`v1watch scan DIR… --inventory ${inventoryFileName}\`.`,
      );
    const built = buildPlan(
      inventory.uses.filter(isRemaining),
      mapping?.parsed ?? createStarter(Date.now()),
      { isStarter: mapping === undefined, today: dayText(Date.now()), addresses: inventory.addresses },
    );
    if (values.json) printJson(io, built);
    else print(io, renderPlan(built, by));
    return built.linesToChange === 0 ? exitCodes.success : exitCodes.findings;
  },
});

export const migrate = defineCommand({
  description: "The mapping from V1 to V2: write it, see what is undecided, and plan the changes.",
  notes: ["Example: v1watch migrate init && v1watch migrate coverage"],
  commands: { init, coverage, plan, check },
});

export function renderPlan(plan: Plan, by: PlanGrouping): string {
  const starter = plan.isStarter
    ? ["The mapping is the unverified starter; write your own with `v1watch migrate init`."]
    : [];
  return [
    `${plural(plan.linesToChange, "line")} to change.`,
    ...starter,
    "",
    ...renderPlanLines(plan, by),
  ].join("\n");
}

/** The lines of each file, owner or package below its name, and an empty line after each. */
export function renderPlanLines(plan: Plan, by: PlanGrouping): string[] {
  const where = (line: PlanLine) => `${by === "file" ? "" : `${printable(line.file)}:`}${line.line}`;
  return [...groupPlan(plan, by)].flatMap(([name, lines]) => {
    const rows = lines.map((line) => `  ${where(line)}\t${printable(describeLine(line))}`);
    return [printable(name), ...rows, ""];
  });
}

const isOpen = ({ standing }: { standing: DecisionStatus }) => !isDecided(standing);

/** What needs a decision is in capitals. */
const labelOf = (row: { standing: DecisionStatus }) =>
  isOpen(row) ? standingTexts[row.standing].toUpperCase() : standingTexts[row.standing];

const usesOf = (row: FieldCoverage | BehaviourCoverage) => Number("uses" in row && (row.uses ?? 0) > 0);

type Row = [standing: string, name: string, decision: string, details: string];

function fieldRow(field: FieldCoverage): Row {
  const used = field.uses ? ` used on ${plural(field.uses, "line")}` : "";
  const target =
    `${field.to ? `${field.to.endpoint} ${field.to.path}` : printable(field.note ?? "")}${used}`.trim();
  return [labelOf(field), field.path, field.decision, target];
}

/** Rows of used fields come first, and among them those that still need a decision. */
function renderCoverage(coverage: Coverage): string {
  const { counts, fields, behaviours } = coverage;
  const total = fields.length + behaviours.length;
  const decided = counts.decided + counts.unverified;
  const lines = [
    ...fields.map((field) => ({ ...field, line: fieldRow(field) })),
    ...behaviours.map((row) => ({
      ...row,
      line: [labelOf(row), row.id, row.decision, printable(row.note ?? row.v1)] as Row,
    })),
  ].sort((a, b) => usesOf(b) - usesOf(a) || Number(isOpen(b)) - Number(isOpen(a)));
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
    ...lines.map(({ line }) => `  ${line.join("\t")}`),
    "",
  ].join("\n");
}
