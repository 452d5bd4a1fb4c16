// Readiness for the page of `up`: from the migration's files beside it, looked at again now and then.
import { existsSync } from "node:fs";
import type { ReadinessView } from "../local/api-shapes.ts";
import type { Live } from "../local/live.ts";
import { findProof, type Store } from "../local/store.ts";

const files = ["v1watch.migration.json", "v1watch.inventory.json"];
const freshMs = 10_000;

export function createReadinessReader(store: Store): (live: Live) => Promise<ReadinessView | undefined> {
  let kept: { atMs: number; view: ReadinessView | undefined } | undefined;
  return async (live) => {
    const nowMs = Date.now();
    if (kept && nowMs - kept.atMs < freshMs) return kept.view;
    kept = {
      atMs: nowMs,
      view: files.some((file) => existsSync(file)) ? await read(store, live, nowMs) : undefined,
    };
    return kept.view;
  };
}

async function read(store: Store, live: Live, nowMs: number): Promise<ReadinessView | undefined> {
  const [{ readFiles }, { joinFacts }, { judgeReadiness }] = await Promise.all([
    import("./ready-files.ts"),
    import("../report/model.ts"),
    import("../migration/readiness.ts"),
  ]);
  // A file with a mistake is for `v1watch ready` to explain; the page goes without.
  const given = await readFiles({}, nowMs).catch(() => undefined);
  if (!given) return undefined;
  const proof = findProof(store);
  const watched = { state: live.state(), outlook: live.outlook(), decisions: await store.ledger.decisions() };
  const { verdict, sentence, gates } = judgeReadiness(joinFacts({ nowMs, ...given, proof }, watched));
  return {
    verdict,
    sentence,
    gates: gates.map(({ id, title, state, evidence, next }) => ({ id, title, state, evidence, next })),
  };
}
