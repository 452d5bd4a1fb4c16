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

test("The samples and the latest checks of an older probe state are kept.", () => {
  const last = { "by-wallet": { atMs: 5 }, authenticated: { atMs: 6 } };
  const older = {
    ...emptyProbeState,
    samples: [{ id: "7", wallet: "0x1" }, { id: "8" }],
    endpoints: { passport: { last } },
    pending: [{ endpoint: "passport", variant: "by-wallet", atMs: 9, reason: "confirmation" }],
  };
  const read = storedProbeState.parse(older);
  expect(read.samples).toEqual([{ id: "7", otherId: "0x1" }, { id: "8" }]);
  expect(read.endpoints.passport?.last).toEqual({ "by-other-id": { atMs: 5 }, authenticated: { atMs: 6 } });
  expect(read.pending[0]?.variant).toBe("by-other-id");
});

test("An alert of credentials-empty is one of sublist-empty, in its facts too.", () => {
  const read = storedAlert.safeParse({ rule: "credentials-empty", facts: { rule: "credentials-empty" } });
  const paths = read.error?.issues.map(({ path }) => path.join("."));
  expect(paths).toContain("id");
  expect(paths).not.toContain("rule");
  expect(paths).not.toContain("facts.rule");
});
