// Export of a store's records as JSON Lines, and import. Each line is one record, identified by its `schema` field.
import { type Alert, alert } from "../../records/alert.ts";
import { type Decision, decision } from "../../records/incident.ts";
import { type Observation, observation } from "../../records/observation.ts";
import { outOfOrder } from "./database.ts";
import type { Store } from "./store.ts";

/** `history` has the sent alerts, which only a store keeps. */
export async function* exportLines({
  ledger,
  history,
}: Pick<Store, "ledger"> & Partial<Pick<Store, "history">>): AsyncGenerator<string> {
  for await (const record of ledger.observations(0, Number.MAX_SAFE_INTEGER)) yield JSON.stringify(record);
  for (const record of await ledger.decisions()) yield JSON.stringify(record);
  let seq = 0;
  while (history) {
    const page = history.sentAlertsAfter(seq, 500);
    for (const { alert: record } of page) yield JSON.stringify(record);
    const last = page.at(-1);
    if (!last) return;
    if (last.seq <= seq) throw outOfOrder();
    seq = last.seq;
  }
}

export type ImportResult = {
  observations: number;
  known: number;
  tooOld: number;
  decisions: number;
  alerts: number;
  /** The line numbers of the first few lines that are not valid records. */
  refused: number[];
  refusedCount: number;
};

const maxRefusedListed = 5;

/** Records that the store already has are skipped, so an import may be repeated. Throws if the store refuses a write. */
export async function importLines(store: Store, lines: AsyncIterable<string>): Promise<ImportResult> {
  const result: ImportResult = {
    observations: 0,
    known: 0,
    tooOld: 0,
    decisions: 0,
    alerts: 0,
    refused: [],
    refusedCount: 0,
  };
  let lineNumber = 0;
  for await (const line of lines) {
    lineNumber += 1;
    if (line.trim() === "") continue;
    if (await importLine(store, line, result)) continue;
    result.refusedCount += 1;
    if (result.refused.length < maxRefusedListed) result.refused.push(lineNumber);
  }
  return result;
}

type Imported = Observation | Decision | Alert;

const recordSchemas: Record<string, { safeParse(value: unknown): { success: boolean } }> = {
  "v1watch/observation/2": observation,
  "v1watch/decision/1": decision,
  "v1watch/alert/3": alert,
};

/** Undefined where the line is no record of ours, or one with a control character that a terminal would obey. */
export function parseRecord(line: string): Imported | undefined {
  const value = parse(line);
  const schema = recordSchemas[String(value?.schema)];
  return schema?.safeParse(value).success && !hasControlCode(value) ? (value as Imported) : undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control codes are what it looks for
const controlCode = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

function hasControlCode(value: unknown): boolean {
  if (typeof value === "string") return controlCode.test(value);
  return Object.entries(value ?? {}).some(([name, inner]) => controlCode.test(name) || hasControlCode(inner));
}

async function importLine(store: Store, line: string, result: ImportResult): Promise<boolean> {
  const record = parseRecord(line);
  if (!record) return false;
  if (record.schema === "v1watch/decision/1") {
    await store.ledger.decide(record);
    result.decisions += 1;
  } else if (record.schema === "v1watch/alert/3") {
    store.history.saveSentAlert(record);
    result.alerts += 1;
  } else {
    const outcome = await store.ledger.append(record);
    if (outcome.kind === "failed") throw new Error(`the store refused the write: ${outcome.why}`);
    if (outcome.kind === "new") result.observations += 1;
    else if (outcome.kind === "known") result.known += 1;
    else result.tooOld += 1;
  }
  return true;
}

function parse(line: string): { schema?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
