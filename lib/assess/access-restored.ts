// Whether a cause of access that has no verdict any more is over. A failure of another kind, or a question
// that is still open, ends nothing: only a served answer does.
import type { AccessVerdict } from "./access.ts";
import type { Known } from "./access-evidence.ts";
import { type AccessState, freshRunsOf, runsOf } from "./access-runs.ts";
import type { AccessCause } from "./access-table.ts";

export function isAccessRestored(
  state: AccessState,
  cause: AccessCause,
  verdicts: readonly AccessVerdict[],
): boolean {
  if (cause === "access/key-mandatory")
    return runsOf(state, "keyless").every(({ run }) => run.face === "served" || run.servedMs === undefined);
  const [keyed, keyless] = [freshRunsOf(state, "keyed"), freshRunsOf(state, "keyless")];
  const leading = keyed.length > 0 ? keyed : keyless;
  const refused = leading.filter(({ run }) => run.face !== "served");
  if (refused.length === 0) return true;
  const hasServed = (runs: readonly Known[]) =>
    runs.some(({ run }) => run.face === "served" && refused.every((one) => run.lastMs > one.run.sinceMs));
  switch (cause) {
    case "access/retired-by-401":
      return hasServed([...keyed, ...keyless]);
    case "access/quota-exhausted":
      return hasServed(leading);
    case "access/key-revoked": {
      // The key is served elsewhere: the refusals that are left are the endpoints' own.
      const withdrawn = verdicts.filter((verdict) => verdict.cause === "access/endpoint-withdrawn");
      return refused.every((one) => withdrawn.some(({ endpoints }) => endpoints.includes(one.endpoint)));
    }
    case "access/endpoint-withdrawn":
      return false;
  }
}
