// What a team has given beside the watch: mapping, inventory and comparison, each read or said to be absent.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { printable } from "../../config/config.ts";
import { mappingFileName, mappingMistakesText, readMapping } from "../../mapping/mapping.ts";
import type { Facts } from "../../readiness/facts.ts";
import { defaultDaysPerConsumer, readTeamFacts, type TeamFiles } from "../../readiness/gates/usage.ts";
import { inventory } from "../../records/inventory.ts";
import { type ParityAggregate, parityAggregate, parityState } from "../../records/parity.ts";
import { integerOption, UsageError, type Values } from "../command.ts";

const inventoryFileName = "v1watch.inventory.json";
const parityFileName = "parity.state.json";

export const givenOptions = {
  mapping: { type: "string" },
  inventory: { type: "string" },
  parity: { type: "string" },
  "days-per-consumer": { type: "string" },
} as const;

export const givenHelp = `  --mapping FILE          another file than ${mappingFileName}
  --inventory FILE        another file than ${inventoryFileName}
  --parity FILE           what \`v1watch parity --resume FILE\` keeps, or its --json (${parityFileName})
  --days-per-consumer N   work for each consumer that still calls V1 (${defaultDaysPerConsumer})`;

export type Given = Pick<Facts, "mapping" | "consumers" | "parity" | "daysPerConsumer">;
type Team = Required<TeamFiles>;

/** A file that was named must be there; one that was not may be absent. */
async function readGiven(values: Values, folder: string, option: string, usual: string) {
  const named = values[option];
  const file = typeof named === "string" ? named : usual;
  const path = typeof named === "string" ? named : join(folder, usual);
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    return { file, path, text: text.replace(/^\uFEFF/, ""), mtimeMs };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && named === undefined) return undefined;
    const why = code === "ENOENT" ? "there is no such file" : code;
    throw new UsageError(`--${option}: cannot read "${printable(file)}": ${why}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Comparison = { aggregate: ParityAggregate; at?: string | undefined; mapping?: string | undefined };

function findComparison(value: unknown): Comparison | undefined {
  const state = parityState.safeParse(value);
  if (state.success) return state.data;
  const plain = parityAggregate.safeParse(value);
  if (plain.success) return { aggregate: plain.data };
  // What `v1watch parity --json` prints holds the same counts under other names.
  const { at, mapping, pairs, skipped, requests, counts, shape } = (value ?? {}) as Record<string, unknown>;
  const breaches = Array.isArray(shape) ? shape.map(({ breach, answers }) => [breach, answers]) : [];
  const told = parityAggregate.safeParse({
    ...{ schema: "v1watch/parity/1", pairs, skipped, requests },
    ...{ fields: counts, shape: Object.fromEntries(breaches) },
  });
  if (!told.success) return undefined;
  const { shape: known } = parityState;
  const [day, by] = [known.at.safeParse(at).data, known.mapping.safeParse(mapping).data];
  return { aggregate: told.data, at: day, mapping: by };
}

async function readParity(values: Values, folder: string): Promise<Team["parity"]> {
  const given = await readGiven(values, folder, "parity", parityFileName);
  if (!given) return undefined;
  const found = findComparison(parse(given.text));
  if (!found)
    throw new UsageError(
      `"${printable(given.file)}" holds no comparison of V1 with V2. Write it anew: \`v1watch parity --json > FILE\``,
    );
  // An older file names no day; when it was last written is the nearest there is.
  const atMs = found.at === undefined ? given.mtimeMs : Date.parse(found.at);
  return { file: given.file, aggregate: found.aggregate, atMs, mapping: found.mapping };
}

async function readInventory(values: Values, folder: string): Promise<Team["inventory"]> {
  const given = await readGiven(values, folder, "inventory", inventoryFileName);
  if (!given) return undefined;
  const parsed = inventory.safeParse(parse(given.text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? ` at ${printable(issue.path.join("."))}` : "";
  throw new UsageError(
    `"${printable(given.file)}" is no inventory of v1watch${where}. Begin one with \`v1watch scan DIR… --inventory FILE\`.`,
  );
}

async function readDecisions(values: Values, folder: string): Promise<Team["mapping"]> {
  const given = await readGiven(values, folder, "mapping", mappingFileName);
  if (!given) return undefined;
  const loaded = await readMapping(given.path);
  if (!loaded.ok)
    throw new UsageError(
      mappingMistakesText(loaded.mistakes)
        .replace(/^v1watch: /, "")
        .trimEnd(),
    );
  return { file: given.file, text: given.text, parsed: loaded.mapping };
}

/** By their options, or by their usual names in a folder. */
export async function readTeamFiles(values: Values, folder = ""): Promise<Team> {
  const [mapping, inventory, parity] = await Promise.all([
    readDecisions(values, folder),
    readInventory(values, folder),
    readParity(values, folder),
  ]);
  return { mapping, inventory, parity };
}

export async function readFiles(values: Values, nowMs: number): Promise<Given> {
  const team = await readTeamFiles(values);
  const daysPerConsumer = integerOption(values, "days-per-consumer", defaultDaysPerConsumer, 0, 1000);
  return { ...readTeamFacts(team, nowMs), daysPerConsumer };
}
