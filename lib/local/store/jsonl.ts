// What a store remembers as lines of JSON, and back. A line is a record, and its schema's name says which.
import { type Alert, alert } from "../../records/alert.ts";
import { type Decision, decision } from "../../records/incident.ts";
import { type Observation, observation } from "../../records/observation.ts";
import type { Store } from "./store.ts";

export async function* exportLines(store: Store): AsyncGenerator<string> {
  for await (const one of store.ledger.observations(0, Number.MAX_SAFE_INTEGER)) yield JSON.stringify(one);
  for (const one of await store.ledger.decisions()) yield JSON.stringify(one);
  let seq = 0;
  while (true) {
    const page = store.history.toldSince(seq, 500);
    for (const { alert: one } of page) yield JSON.stringify(one);
    const last = page.at(-1);
    if (!last) return;
    seq = last.seq;
  }
}

export type Imported = {
  observations: number;
  known: number;
  tooOld: number;
  decisions: number;
  alerts: number;
  /** Line numbers, the first few, of what is no record of ours. */
  refused: number[];
  refusedCount: number;
};

const shownRefused = 5;

/** Known records change nothing: an import may be repeated. Throws where the store takes nothing more. */
export async function importLines(store: Store, lines: AsyncIterable<string>): Promise<Imported> {
  const done: Imported = {
    ...{ observations: 0, known: 0, tooOld: 0, decisions: 0, alerts: 0 },
    ...{ refused: [], refusedCount: 0 },
  };
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    if (await takeLine(store, line, done)) continue;
    done.refusedCount += 1;
    if (done.refused.length < shownRefused) done.refused.push(number);
  }
  return done;
}

async function takeLine(store: Store, line: string, done: Imported): Promise<boolean> {
  const value = parse(line);
  switch (value?.schema) {
    case "v1watch/observation/2": {
      if (!observation.safeParse(value).success) return false;
      const outcome = await store.ledger.append(value as Observation);
      if (outcome.kind === "failed") throw new Error(`the store takes nothing more: ${outcome.why}`);
      if (outcome.kind === "new") done.observations += 1;
      else if (outcome.kind === "known") done.known += 1;
      else done.tooOld += 1;
      return true;
    }
    case "v1watch/decision/1": {
      if (!decision.safeParse(value).success) return false;
      await store.ledger.decide(value as Decision);
      done.decisions += 1;
      return true;
    }
    case "v1watch/alert/1": {
      if (!alert.safeParse(value).success) return false;
      store.history.keepTold(value as Alert);
      done.alerts += 1;
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
