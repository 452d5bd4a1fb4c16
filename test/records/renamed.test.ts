// What earlier versions wrote into a store under names that this version does not use is read under the present ones.
import { expect, test } from "vitest";
import { storedAlert } from "../../lib/records/alert.ts";
import { readObservation } from "../../lib/records/observation.ts";
import { emptyProbeState, storedProbeState } from "../../lib/records/probe-state.ts";
import { observationOf } from "../assess/observation-builder.ts";

test("An observation of the variant by-wallet is one of by-other-id.", () => {
  const now = observationOf({ endpoint: "passport", at: 0, status: 200 });
  expect(readObservation({ ...now, variant: "by-wallet" })).toEqual({ ...now, variant: "by-other-id" });
  expect(readObservation({ ...now, variant: "by-nothing-known" })).toBeUndefined();
});

test("Of an older probe state the requests of the month, the samples and the key of the hashes are kept.", () => {
  const kept = {
    ...emptyProbeState,
    spent: { "2026-11": 4_321 },
    recent: [{ atMs: 5, requests: 2 }],
    hashKey: "k",
  };
  const older = {
    ...kept,
    samples: [{ id: "7", wallet: "0x1" }, { id: "8" }],
    endpoints: { passport: { last: { "by-wallet": { atMs: 5 }, authenticated: { atMs: 6 } } } },
    pending: [{ endpoint: "passport", variant: "by-wallet", atMs: 9, reason: "confirmation" }],
  };
  const read = storedProbeState.parse(older);
  expect(read).toEqual({ ...kept, samples: [{ id: "7", otherId: "0x1" }, { id: "8" }] });
  expect(storedProbeState.safeParse({ ...older, spent: "much" }).success).toBe(false);
});

test("An alert of credentials-empty is one of sublist-empty, in its facts too.", () => {
  const read = storedAlert.safeParse({ rule: "credentials-empty", facts: { rule: "credentials-empty" } });
  const paths = read.error?.issues.map(({ path }) => path.join("."));
  expect(paths).toContain("id");
  expect(paths).not.toContain("rule");
  expect(paths).not.toContain("facts.rule");
});
