// Reads the files of a team: mapping, inventory, parity result and rehearsal. Each of them is optional.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Config, mistakesText, type Origin, printable } from "../../config/config.ts";
import { mappingFileName, readMapping } from "../../mapping/mapping.ts";
import type { Facts } from "../../readiness/facts.ts";
import { defaultDaysPerConsumer, readTeamFacts, type TeamFiles } from "../../readiness/gates/usage.ts";
import { type CodeUse, inventory, inventoryFileName, listCodeUses } from "../../records/inventory.ts";
import { type ParityAggregate, parityAggregate, parityState } from "../../records/parity.ts";
import { type Rehearsal, rehearsal, rehearsalFileName } from "../../records/rehearsal.ts";
import { UsageError } from "../command.ts";
import type { TeamValues } from "../shared-options.ts";

const parityFileName = "parity.state.json";

export type TeamInput = Pick<
  Facts,
  "mapping" | "consumers" | "unsure" | "parity" | "rehearsal" | "daysPerConsumer"
>;
type Team = Required<TeamFiles>;

/** A file that is given as an option must exist; the default file may be missing. */
async function readOptionalFile({
  values,
  folder,
  option,
  fallback,
  label = `--${option}`,
}: {
  values: TeamValues;
  folder: string;
  option: Exclude<keyof TeamValues, "days-per-consumer">;
  fallback: string;
  label?: string | undefined;
}) {
  const given = values[option];
  const file = given ?? fallback;
  const path = given ?? join(folder, fallback);
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    return { file, path, text: text.replace(/^\uFEFF/, ""), mtimeMs };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && given === undefined) return undefined;
    const cause = code === "ENOENT" ? "there is no such file" : code;
    throw new UsageError(`${label}: cannot read "${printable(file)}": ${cause}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type ParityResult = { aggregate: ParityAggregate; at?: string | undefined; mapping?: string | undefined };

function parseParityResult(value: unknown): ParityResult | undefined {
  const state = parityState.safeParse(value);
  if (state.success) return state.data;
  const plain = parityAggregate.safeParse(value);
  if (plain.success) return { aggregate: plain.data };
  // The output of `v1watch parity --json` has the same counts under other names.
  const { at, mapping, pairs, skipped, requests, counts, shape } = (value ?? {}) as Record<string, unknown>;
  const breaches = Array.isArray(shape) ? shape.map(({ breach, answers }) => [breach, answers]) : [];
  const report = parityAggregate.safeParse({
    schema: "v1watch/parity/1",
    pairs,
    skipped,
    requests,
    fields: counts,
    shape: Object.fromEntries(breaches),
  });
  if (!report.success) return undefined;
  const { shape: fields } = parityState;
  return {
    aggregate: report.data,
    at: fields.at.safeParse(at).data,
    mapping: fields.mapping.safeParse(mapping).data,
  };
}

async function readParity(values: TeamValues, folder: string): Promise<Team["parity"]> {
  const read = await readOptionalFile({ values, folder, option: "parity", fallback: parityFileName });
  if (!read) return undefined;
  const result = parseParityResult(parse(read.text));
  if (!result)
    throw new UsageError(
      `"${printable(read.file)}" is not a parity result. Create one with \`v1watch parity --json > FILE\``,
    );
  // Without a time in the file, its modification time is used.
  const atMs = result.at === undefined ? read.mtimeMs : Date.parse(result.at);
  return { file: read.file, aggregate: result.aggregate, atMs, mapping: result.mapping };
}

async function readInventory(values: TeamValues, folder: string, label?: string): Promise<Team["inventory"]> {
  const read = await readOptionalFile({
    values,
    folder,
    option: "inventory",
    fallback: inventoryFileName,
    label,
  });
  if (!read) return undefined;
  const parsed = inventory.safeParse(parse(read.text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? ` at ${printable(issue.path.join("."))}` : "";
  throw new UsageError(
    `"${printable(read.file)}" is not a valid inventory${where}. Create one with \`v1watch scan DIR… --inventory FILE\`.`,
  );
}

/**
 * The code that alerts name; undefined without an inventory. The default file may be missing, but not one that the
 * configuration names.
 */
export async function readCodeUses(
  config: Pick<Config, "inventory">,
  origins: Readonly<Record<string, Origin>>,
): Promise<CodeUse[] | undefined> {
  const isNamed = origins.inventory !== "default";
  const read = await readInventory(isNamed ? { inventory: config.inventory } : {}, "", "inventory");
  return read && listCodeUses(read);
}

async function readRehearsal(values: TeamValues, folder: string): Promise<Rehearsal | undefined> {
  const read = await readOptionalFile({ values, folder, option: "rehearsal", fallback: rehearsalFileName });
  if (!read) return undefined;
  const parsed = rehearsal.safeParse(parse(read.text));
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `"${printable(read.file)}" is not the result of a rehearsal. Create one with \`v1watch rehearse --run "COMMAND"\`.`,
  );
}

async function readMappingFile(values: TeamValues, folder: string): Promise<Team["mapping"]> {
  const read = await readOptionalFile({ values, folder, option: "mapping", fallback: mappingFileName });
  if (!read) return undefined;
  const loaded = await readMapping(read.path);
  if (!loaded.ok) throw new UsageError(mistakesText(loaded.mistakes, "mapping"));
  return { file: read.file, text: read.text, parsed: loaded.mapping };
}

/** Reads the files that the options name, or the files with the default names in `folder`. */
export async function readTeamFiles(values: TeamValues, folder = ""): Promise<Team> {
  const [mapping, inventory, parity, rehearsed] = await Promise.all([
    readMappingFile(values, folder),
    readInventory(values, folder),
    readParity(values, folder),
    readRehearsal(values, folder),
  ]);
  return { mapping, inventory, parity, rehearsal: rehearsed };
}

export async function readTeamInput(values: TeamValues, nowMs: number): Promise<TeamInput> {
  const team = await readTeamFiles(values);
  return {
    ...readTeamFacts(team, nowMs),
    daysPerConsumer: values["days-per-consumer"] ?? defaultDaysPerConsumer,
  };
}
