// What one response means for access, retirement and data: a word, whether it says anything about V1
// at all, and whether it belongs to the steady stream that can be compared over time.
import type { Observation, Variant } from "../../records/observation.ts";

/**
 * Whether V1 has a part in it: not where we lack a key or a sample, or refuse to ask. A name that leads to an
 * address which nobody outside can reach is no V1 any more, though, and is found out only by looking it up.
 */
export function tellsOfV1({ outcome: { kind, detail }, attempts }: Observation): boolean {
  if (kind === "refused") return detail === "address" && attempts.length > 0;
  return kind !== "no-secret";
}

/** Beside that, 429 is our own request rate, and no health of V1. */
export const isOwnFault = (observation: Observation) =>
  !tellsOfV1(observation) || observation.outcome.status === 429;

/** `ok`, a status such as `503`, or the outcome's kind; undefined where it says nothing of V1. */
export function answerOf(observation: Observation): string | undefined {
  const { outcome } = observation;
  if (!tellsOfV1(observation)) return undefined;
  if (outcome.kind === "refused") return "no public address";
  if (outcome.kind === "unauthorized") return "401";
  if (outcome.kind === "status" || outcome.kind === "redirect")
    return outcome.status === undefined ? outcome.kind : String(outcome.status);
  return outcome.kind;
}

/** The statuses by which documented paths are withdrawn; a redirect is never followed. */
export const isWithdrawal = (answer: string) =>
  answer === "404" || answer === "410" || /^3\d\d$/.test(answer);

/**
 * Whether a documented path is being withdrawn: 410, a redirect away from V1, or a 404 that is not the
 * sample's own fault. A 404 for a passport that nobody knows says nothing.
 */
export function withdrawalOf({ outcome, notices }: Observation): "yes" | "maybe" | "no" {
  if (notices.withdrawn || (outcome.kind === "status" && outcome.status === 410)) return "yes";
  if (outcome.kind === "redirect") return notices.redirect?.leadsTo === "v1" ? "maybe" : "yes";
  return outcome.kind === "status" && outcome.status === 404 ? "maybe" : "no";
}

/** When a request with a key was last made. */
export type PrimaryState = { authenticatedMs?: number };

/** Where a key is in use, authenticated requests stand for V1; else those without. */
export const primaryVariant = ({ authenticatedMs }: PrimaryState): Variant =>
  authenticatedMs === undefined ? "anonymous" : "authenticated";

const withoutKeyMs = 3 * 86_400_000;

/** The variant that is asked at the regular cadence: with the key, or without one where there is none. */
export function isPrimary(primary: PrimaryState, observation: Observation): boolean {
  const atMs = Date.parse(observation.at);
  if (observation.variant === "authenticated" && observation.outcome.kind !== "no-secret") {
    primary.authenticatedMs = atMs;
    return true;
  }
  return (
    observation.variant === "anonymous" &&
    (primary.authenticatedMs === undefined || atMs - primary.authenticatedMs > withoutKeyMs)
  );
}
