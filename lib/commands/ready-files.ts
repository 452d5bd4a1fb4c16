// What a team has given beside the watch: mapping, inventory and comparison, each read or said to be absent.
import { readFile, stat } from "node:fs/promises";
import { printable } from "../config.ts";
import { groupConsumers } from "../migration/gates-usage.ts";
import { mappingFileName, mappingMistakesText, readMapping } from "../migration/mapping.ts";
import { dayText, type Facts } from "../migration/readiness-facts.ts";
import { inventory } from "../records/inventory.ts";
import { type ParityAggregate, parityAggregate, parityState } from "../records/parity.ts";
import { integerOption, UsageError, type Values } from "./command.ts";

const inventoryFileName = "v1watch.inventory.json";
const parityFileName = "parity.state.json";
const defaultDays = 2;

export const givenOptions = {
  mapping: { type: "string" },
  inventory: { type: "string" },
  parity: { type: "string" },
  "days-per-consumer": { type: "string" },
} as const;

export const givenHelp = `  --mapping FILE          another file than ${mappingFileName}
  --inventory FILE        another file than ${inventoryFileName}
  --parity FILE           what \`v1watch parity --resume FILE\` keeps, or its --json (${parityFileName})
  --days-per-consumer N   work for each consumer that still calls V1 (${defaultDays})`;

export type Given = Pick<Facts, "mapping" | "consumers" | "parity" | "daysPerConsumer">;

/** A file that was named must be there; one that was not may be absent. */
async function readGiven(values: Values, option: string, usual: string) {
  const named = values[option];
  const file = typeof named === "string" ? named : usual;
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    return { file, text: text.replace(/^\uFEFF/, ""), mtimeMs };
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

function findAggregate(value: unknown): ParityAggregate | undefined {
  const state = parityState.safeParse(value);
  if (state.success) return state.data.aggregate;
  const plain = parityAggregate.safeParse(value);
  if (plain.success) return plain.data;
  // What `v1watch parity --json` prints holds the same counts under other names.
  const { pairs, skipped, requests, counts, shape } = (value ?? {}) as Record<string, unknown>;
  const breaches = Array.isArray(shape) ? shape.map(({ breach, answers }) => [breach, answers]) : [];
  const told = parityAggregate.safeParse({
    ...{ schema: "v1watch/parity/1", pairs, skipped, requests },
    ...{ fields: counts, shape: Object.fromEntries(breaches) },
  });
  return told.success ? told.data : undefined;
}

async function readParity(values: Values): Promise<Given["parity"]> {
  const given = await readGiven(values, "parity", parityFileName);
  if (!given) return undefined;
  const aggregate = findAggregate(parse(given.text));
  if (!aggregate) throw new UsageError(`"${printable(given.file)}" holds no comparison of V1 with V2`);
  // The record names no day; when it was last written is the nearest there is.
  return { file: given.file, aggregate, atMs: given.mtimeMs };
}

async function readInventory(values: Values, nowMs: number): Promise<Given["consumers"]> {
  const given = await readGiven(values, "inventory", inventoryFileName);
  if (!given) return undefined;
  const parsed = inventory.safeParse(parse(given.text));
  if (parsed.success) return groupConsumers(parsed.data, dayText(nowMs));
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? ` at ${printable(issue.path.join("."))}` : "";
  throw new UsageError(
    `"${printable(given.file)}" is no inventory of v1watch${where}. Begin one with \`v1watch scan DIR… --inventory FILE\`.`,
  );
}

async function readDecisions(values: Values): Promise<Given["mapping"]> {
  const given = await readGiven(values, "mapping", mappingFileName);
  if (!given) return undefined;
  const loaded = await readMapping(given.file);
  if (!loaded.ok)
    throw new UsageError(
      mappingMistakesText(loaded.mistakes)
        .replace(/^v1watch: /, "")
        .trimEnd(),
    );
  return { file: given.file, text: given.text, migration: loaded.mapping };
}

export async function readFiles(values: Values, nowMs: number): Promise<Given> {
  const [mapping, consumers, parity] = await Promise.all([
    readDecisions(values),
    readInventory(values, nowMs),
    readParity(values),
  ]);
  const daysPerConsumer = integerOption(values, "days-per-consumer", defaultDays, 0, 1000);
  return { mapping, consumers, parity, daysPerConsumer };
}
