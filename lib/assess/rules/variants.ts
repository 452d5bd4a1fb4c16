// Rare variants: a request that V1's document does not describe, and whose response is no longer the usual one.
import type { Variant } from "../../contract/endpoints.ts";
import { isGood, type ResponseClass } from "../../records/outcome.ts";
import { minuteMs } from "../../time.ts";
import { latestOf } from "../checks/history.ts";
import { type RowId, type RuleFacts, row } from "./rule.ts";

type VariantBefore = { seen?: ResponseClass[]; usual?: ResponseClass | undefined };
const remembered = 9;
/** Three times the same, and more often than not: that is usual. */
const usualTimes = 3;

function usualOf(seen: readonly ResponseClass[]): ResponseClass | undefined {
  const counts = new Map<ResponseClass, number>();
  for (const name of seen) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[name, times]] = [...counts].sort((a, b) => b[1] - a[1]) as [[ResponseClass, number]];
  return times >= usualTimes && times > seen.length / 2 ? name : undefined;
}

const variantRow = (id: RowId, variant: Variant) =>
  row<VariantBefore, { label: string; isServed: boolean }>({
    id,
    severity: "warning",
    // Where ordinary requests fail, a response that is not the usual one is no news.
    inhibitedBy: ["failure", "throttled", "error-rate"],
    yields: true,
    looksAt: { variants: [variant] },
    mark: (check, { usual }, { history }) => {
      // A failure of the endpoint says nothing about a variant of it.
      if (latestOf(history, check.endpoint)?.class !== "ok" || check.class === "none") return undefined;
      if (usual === undefined) return undefined;
      return check.class === usual ? "good" : { bad: { label: check.label, isServed: isGood(check) } };
    },
    learn: (before, check, mark, { history }) => {
      if (latestOf(history, check.endpoint)?.class !== "ok" || check.class === "none" || mark === "bad")
        return;
      before.seen = [...(before.seen ?? []), check.class].slice(-remembered);
      before.usual = usualOf(before.seen) ?? before.usual;
    },
    opens: { run: { checks: 3, forMs: 4 * minuteMs } },
    closes: { checks: 2, forMs: 0 },
    label: ({ label }) => label,
    name: () => "variant-changed",
    facts: ({ value, counted }): RuleFacts<"variant-changed"> => ({
      variant,
      responses: counted.labels,
      lastResponse: value.label,
    }),
  });

export const variantRows = [
  variantRow("other-id-changed", "by-other-id"),
  variantRow("second-page-changed", "second-page"),
  variantRow("unknown-id-changed", "unknown-id"),
  variantRow("keyword-changed", "keyword"),
];
