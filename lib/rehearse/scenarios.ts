// What V1 may do at its end, as effects that are laid over its responses.
import { endpoints } from "../contract/endpoints.ts";
import { fields } from "../contract/fields.ts";
import { numbersAsText } from "../contract/v1/code-names.ts";
import { type RehearsalName, rehearsalNames, rehearsalTable } from "../records/rehearsal.ts";
import type { Effect } from "../simulator/effects/index.ts";
import { dayMs } from "../time.ts";

type Played = {
  effects: readonly Effect[];
  /** How long ago the effects began. */
  sinceMs?: number;
  /** V1 answers 301 with an address of V2 that the proxy serves with these effects. */
  atV2?: readonly Effect[];
};
export type RehearsalScenario = Played & { name: RehearsalName; does: string; isBroken: boolean };

/** The most important number of every endpoint becomes a text, and a text that holds a number becomes one. */
const numberAsText = Object.values(fields)
  .flat()
  .find(({ path }) => numbersAsText.has(path.slice(path.lastIndexOf(".") + 1)));
const retypedFields: readonly Effect[] = [
  ...Object.values(endpoints).flatMap(({ values: [path] }): Effect[] =>
    path === undefined ? [] : [{ kind: "retype-field", path, to: "string" }],
  ),
  ...(numberAsText ? [{ kind: "retype-field", path: numberAsText.path, to: "number" } as const] : []),
];

const played: Record<RehearsalName, Played> = {
  healthy: { effects: [] },
  announced: {
    effects: [
      { kind: "deprecation", afterMs: 0 },
      { kind: "sunset", afterMs: 60 * dayMs },
      { kind: "link", rel: "successor-version", href: "https://v2.invalid/docs" },
    ],
  },
  brownout: { effects: [{ kind: "status", status: 503, retryAfterSeconds: 3_600 }] },
  "server-error": { effects: [{ kind: "status", status: 500 }] },
  "rate-limited": { effects: [{ kind: "status", status: 429, retryAfterSeconds: 60 }] },
  unauthorized: { effects: [{ kind: "unauthorized", who: "all" }] },
  forbidden: { effects: [{ kind: "status", status: 403 }] },
  gone: { effects: [{ kind: "status", status: 410 }] },
  "not-found": { effects: [{ kind: "status", status: 404 }] },
  redirected: { effects: [{ kind: "redirect", status: 302, location: "https://v2.invalid/docs" }] },
  moved: { effects: [], atV2: [{ kind: "v2-shaped" }] },
  "web-page": { effects: [{ kind: "html" }] },
  "v2-shape": { effects: [{ kind: "v2-shaped" }] },
  retyped: { effects: retypedFields },
  "zero-scores": { effects: [{ kind: "stub-data", form: "zeros" }] },
  "empty-lists": { effects: [{ kind: "stub-data", form: "empty" }] },
  frozen: { effects: [{ kind: "freeze" }], sinceMs: 45 * dayMs },
  "cut-json": { effects: [{ kind: "truncated" }] },
  reset: { effects: [{ kind: "reset" }] },
  hangs: { effects: [{ kind: "hang" }] },
  slow: { effects: [{ kind: "slow-drip", bytesPerSecond: 20 }] },
};

export const scenarioOf = (name: RehearsalName): RehearsalScenario => ({
  name,
  ...rehearsalTable[name],
  ...played[name],
});
export const rehearsalScenarios: readonly RehearsalScenario[] = rehearsalNames.map(scenarioOf);
