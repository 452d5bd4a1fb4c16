// Export of a store's records as JSON Lines, and import. Each line is one record, identified by its `schema` field.
import { type Alert, alert } from "../../records/alert.ts";
import { type Decision, decision } from "../../records/incident.ts";
import { type Observation, observation } from "../../records/observation.ts";
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
    ...{ observations: 0, known: 0, tooOld: 0, decisions: 0, alerts: 0 },
    ...{ refused: [], refusedCount: 0 },
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

async function importLine(store: Store, line: string, result: ImportResult): Promise<boolean> {
  const value = parse(line);
  switch (value?.schema) {
    case "v1watch/observation/2": {
      if (!observation.safeParse(value).success) return false;
      const outcome = await store.ledger.append(value as Observation);
      if (outcome.kind === "failed") throw new Error(`the store refused the write: ${outcome.why}`);
      if (outcome.kind === "new") result.observations += 1;
      else if (outcome.kind === "known") result.known += 1;
      else result.tooOld += 1;
      return true;
    }
    case "v1watch/decision/1": {
      if (!decision.safeParse(value).success) return false;
      await store.ledger.decide(value as Decision);
      result.decisions += 1;
      return true;
    }
    case "v1watch/alert/2": {
      if (!alert.safeParse(value).success) return false;
      store.history.saveSentAlert(value as Alert);
      result.alerts += 1;
      return true;
    }
    default:
      return false;
  }
}

function parse(line: string): { schema?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
