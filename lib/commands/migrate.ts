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
} from "../mapping/coverage.ts";
import { mappingFileName, mappingJsonSchema, readMapping } from "../mapping/mapping.ts";
import {
  buildPlan,
  describeLine,
  groupPlan,
  type PlanGrouping,
  planGroupings,
  renderChecklist,
} from "../mapping/plan.ts";
import { createStarter, mappingText } from "../mapping/starter.ts";
import type { Inventory, InventoryUse } from "../records/inventory.ts";
import { inventoryFileName } from "../records/inventory.ts";
import type { CoverageOutput, Plan, PlanLine } from "../records/outputs.ts";
import { choiceOption, exitCodes, type Io, type OptionValues, type Run, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { explainWriteFailure, schemaAddress, textIo, writeOutput } from "./output-file.ts";
import { readTeamFiles } from "./ready/files.ts";
import { renderPlanSarif } from "./sarif.ts";

const fileOf = (values: OptionValues) =>
  typeof values.mapping === "string" ? values.mapping : mappingFileName;

export const init: Run = async (values, _positionals, io) => {
  const file = fileOf(values);
  const starter = createStarter(Date.now(), schemaAddress("mapping", file));
  if (file === "-") {
    io.out(mappingText(starter));
    return exitCodes.success;
  }
  try {
    await writeFile(file, mappingText(starter), { flag: values.force ? "w" : "wx" });
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
};

async function load(values: OptionValues, io: Io) {
  const shape = values["v2-schema"];
  const loaded = await readMapping(fileOf(values), typeof shape === "string" ? shape : undefined);
  if (!loaded.ok) io.err(`v1watch: ${mistakesText(loaded.mistakes, "mapping")}\n`);
  return loaded;
}

export const coverage: Run = async (values, _positionals, io) => {
  const loaded = await load(values, io);
  if (!loaded.ok) return exitCodes.usage;
  const { inventory } = await readTeamFiles({ inventory: values.inventory });
  const today = new Date().toISOString().slice(0, 10);
  const covered = computeCoverage(loaded.mapping, today, inventory && countUses(inventory));
  const json: CoverageOutput = covered;
  if (values.json) io.out(`${JSON.stringify(json, null, 2)}\n`);
  else print(io, renderCoverage(covered));
  return covered.isDecided ? exitCodes.success : exitCodes.findings;
};

export const check: Run = async (values, _positionals, io) => {
  if (values.schema) {
    io.out(`${JSON.stringify(mappingJsonSchema(), null, 2)}\n`);
    return exitCodes.success;
  }
  const loaded = await load(values, io);
  if (!loaded.ok) return exitCodes.usage;
  const paths = loaded.shape ? ", and its paths exist in V2's schema" : "";
  print(io, `${fileOf(values)} is valid${paths}.\n`);
  return exitCodes.success;
};

const isLeft = ({ gone, status }: InventoryUse) => gone === undefined && status !== "v2";

/** The number of lines that use each field. */
function countUses({ uses }: Inventory): ReadonlyMap<string, number> {
  const lines = uses.filter(isLeft).flatMap(({ fields }) => fields.map(({ path }) => path));
  return new Map(
    Object.entries(Object.groupBy(lines, (path) => path)).map(([path, all]) => [path, all!.length]),
  );
}

export const plan: Run = async (values, _positionals, io) => {
  const { checklist, sarif } = values as { checklist?: string; sarif?: string };
  const by = choiceOption<PlanGrouping>(values, "by", "file", planGroupings);
  const text = textIo(io, checklist, sarif);
  const { inventory, mapping } = await readTeamFiles({
    inventory: values.inventory,
    mapping: values.mapping,
  });
  if (!inventory)
    throw new UsageError(
      `there is no inventory. Create one with \`v1watch scan DIR… --inventory ${inventoryFileName}\`.`,
    );
  const built = buildPlan(
    inventory.uses.filter(isLeft),
    mapping?.parsed ?? createStarter(Date.now()),
    mapping === undefined,
  );
  if (checklist !== undefined) await writeOutput(checklist, renderChecklist(built, by), io);
  if (sarif !== undefined)
    await writeOutput(sarif, `${JSON.stringify(renderPlanSarif(built), null, 2)}\n`, io);
  if (values.json) text.out(`${JSON.stringify(built, null, 2)}\n`);
  else print(text, renderPlan(built, by));
  return built.linesToChange === 0 ? exitCodes.success : exitCodes.findings;
};

export function renderPlan(plan: Plan, by: PlanGrouping): string {
  const where = (line: PlanLine) => `${by === "file" ? "" : `${printable(line.file)}:`}${line.line}`;
  const groups = [...groupPlan(plan, by)].flatMap(([name, lines]) => {
    const rows = lines.map((line) => `  ${where(line)}\t${printable(describeLine(line))}`);
    return [printable(name), ...rows, ""];
  });
  const starter = plan.isStarter
    ? ["The mapping is the unverified starter; write your own with `v1watch migrate init`."]
    : [];
  return [
    `${plan.linesToChange} ${plan.linesToChange === 1 ? "line" : "lines"} to change.`,
    ...starter,
    "",
    ...groups,
  ].join("\n");
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

const usesOf = (row: FieldCoverage | BehaviourCoverage) => Number("uses" in row && (row.uses ?? 0) > 0);

type Row = [standing: string, name: string, decision: string, details: string];

function fieldRow(field: FieldCoverage): Row {
  const used = field.uses ? ` used on ${field.uses} ${field.uses === 1 ? "line" : "lines"}` : "";
  const target =
    `${field.to ? `${field.to.endpoint} ${field.to.path}` : printable(field.note ?? "")}${used}`.trim();
  return [standingLabels[field.standing], field.path, field.decision, target];
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
      line: [standingLabels[row.standing], row.id, row.decision, printable(row.note ?? row.v1)] as Row,
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
