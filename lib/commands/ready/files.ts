// Reads the files of a team: mapping, inventory, parity result and rehearsal. Each of them is optional.
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type Config, mistakesText, type Origin, printable } from "../../config/config.ts";
import { mappingFileName, readMapping } from "../../mapping/mapping.ts";
import type { Facts } from "../../readiness/facts.ts";
import { readTeamFacts, type TeamFiles } from "../../readiness/gates/usage.ts";
import { type CodeUse, inventory, inventoryFileName, listCodeUses } from "../../records/inventory.ts";
import { parityResult } from "../../records/parity.ts";
import { rehearsal, rehearsalFileName } from "../../records/rehearsal.ts";
import { countChanged } from "../../scan/index.ts";
import { UsageError } from "../command.ts";
import type { TeamValues } from "../shared-options.ts";

export type TeamInput = Pick<
  Facts,
  "mapping" | "consumers" | "scanned" | "scanDays" | "addresses" | "unsure" | "parity" | "rehearsal"
>;
type Team = Required<TeamFiles>;

/** A file that is named must exist, unless it may be written later; the one with the usual name may be missing. */
type Place = {
  usual: string;
  /** By an option or a setting, which `label` names in a message. */
  named?: string | undefined;
  label: string;
  /** The folder of the usual file. */
  folder?: string | undefined;
  mayBeMissing?: boolean;
};

async function readOptionalFile({ usual, named, label, folder = "", mayBeMissing = false }: Place) {
  const file = named ?? usual;
  const path = named ?? join(folder, usual);
  try {
    const text = await readFile(path, "utf8");
    return { file, path, text: text.replace(/^\uFEFF/, "") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && (named === undefined || mayBeMissing)) return undefined;
    const cause = code === "ENOENT" ? "there is no such file" : code;
    throw new UsageError(`${label}: cannot read "${printable(file)}": ${cause}`);
  }
}

type Issue = { path: readonly PropertyKey[]; message: string };
type Kind<Value> = {
  schema: { safeParse(value: unknown): { data?: Value; error?: { issues: readonly Issue[] } | undefined } };
  /** Completes "this file is not …". */
  what: string;
  remedy: string;
};

/** Undefined where there is no file. */
async function readRecord<Value>(place: Place, { schema, what, remedy }: Kind<Value>) {
  const read = await readOptionalFile(place);
  if (!read) return undefined;
  const { data, error } = schema.safeParse(parse(read.text));
  if (data !== undefined) return { ...read, data };
  const path = error?.issues[0]?.path ?? [];
  const where = path.length > 0 ? ` at ${printable(path.join("."))}` : "";
  throw new UsageError(`"${printable(read.file)}" is not ${what}${where}. ${remedy}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function readInventory(
  named: string | undefined,
  {
    folder,
    label = "--inventory",
    mayBeMissing = false,
    remedy = "Create one with `v1watch scan DIR… --inventory FILE`.",
  }: Partial<Omit<Place, "named" | "usual"> & { remedy: string }> = {},
): Promise<Team["inventory"]> {
  const place = { usual: inventoryFileName, named, label, folder, mayBeMissing };
  const read = await readRecord(place, { schema: inventory, what: "a valid inventory", remedy });
  return read?.data;
}

/**
 * The code that alerts name; undefined without an inventory. The default file may be missing, but not one that the
 * configuration names.
 */
export async function readCodeUses(
  config: Pick<Config, "inventory">,
  origins: Readonly<Record<string, Origin>>,
): Promise<CodeUse[] | undefined> {
  const named = origins.inventory === "default" ? undefined : config.inventory;
  const read = await readInventory(named, { label: "inventory" });
  return read && listCodeUses(read);
}

export async function readMappingFile(named: string | undefined, folder?: string): Promise<Team["mapping"]> {
  const read = await readOptionalFile({ usual: mappingFileName, named, label: "--mapping", folder });
  if (!read) return undefined;
  const loaded = await readMapping(read.path);
  if (!loaded.ok) throw new UsageError(mistakesText(loaded.mistakes, "mapping"));
  return { file: read.file, text: read.text, parsed: loaded.mapping };
}

async function readParity(named: string | undefined, folder?: string): Promise<Team["parity"]> {
  const read = await readRecord(
    { usual: "parity.state.json", named, label: "--parity", folder },
    {
      schema: parityResult,
      what: "a parity result",
      remedy: "Create one with `v1watch parity --json > FILE`",
    },
  );
  if (!read) return undefined;
  const { at, aggregate, compared, cohort } = read.data;
  return { file: read.file, aggregate, atMs: Date.parse(at), compared, sampledFrom: cohort?.of };
}

async function readRehearsal(named: string | undefined, folder?: string): Promise<Team["rehearsal"]> {
  const read = await readRecord(
    { usual: rehearsalFileName, named, label: "--rehearsal", folder },
    {
      schema: rehearsal,
      what: "the result of a rehearsal",
      remedy: 'Create one with `v1watch rehearse --run "COMMAND"`.',
    },
  );
  return read?.data;
}

/** Reads the files that the options name, or the files with the default names in `folder`. */
export async function readTeamFiles(values: TeamValues, folder?: string): Promise<Team> {
  const [mapping, inventory, parity, rehearsed] = await Promise.all([
    readMappingFile(values.mapping, folder),
    readInventory(values.inventory, { folder }),
    readParity(values.parity, folder),
    readRehearsal(values.rehearsal, folder),
  ]);
  const changes = await findChanges(inventory, values.inventory ?? join(folder ?? "", inventoryFileName));
  return { mapping, inventory, changes, parity, rehearsal: rehearsed };
}

/**
 * Names in an inventory are relative to its folder, or to the current folder where that is outside of it.
 */
export function findBaseFolder(inventoryFile: string | undefined): string {
  const [current, base] = [process.cwd(), inventoryFile && dirname(resolve(inventoryFile))];
  return base && !relative(base, current).startsWith("..") ? base : current;
}

/** Looks at the folders of the inventory again, where they are there. */
async function findChanges(inventory: Team["inventory"], file: string): Promise<ReadonlyMap<string, number>> {
  const changes = new Map<string, number>();
  for (const { name, digest } of inventory?.folders ?? []) {
    const changed = await countChanged(join(findBaseFolder(file), name), digest);
    if (changed !== undefined) changes.set(name, changed);
  }
  return changes;
}

export const readTeamInput = async (values: TeamValues, nowMs: number): Promise<TeamInput> =>
  readTeamFacts(await readTeamFiles(values), nowMs);
