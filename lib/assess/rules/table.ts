// All rules. Failures first: what they find decides what the others may open.
import {
  dataShrinking,
  dateJumpedBack,
  datesAlwaysNow,
  datesWithoutValues,
  duplicatePages,
  duplicateRecords,
  equalScores,
  frozen,
  futureDates,
  nullFields,
  partlyFrozen,
  scoresJumped,
  slow,
  sublistEmpty,
  wrongRecord,
} from "./data.ts";
import { breakingDrift, partialDrift } from "./drift.ts";
import { anonymousRefused, errorRate, failure, throttled } from "./failures.ts";
import { certificate, ruleFailed } from "./monitor.ts";
import { notSentRows } from "./not-sent.ts";
import { configuredEnd, deprecation, sunset } from "./notices.ts";
import type { AnyRule } from "./rule.ts";
import { variantRows } from "./variants.ts";

export const rules: readonly AnyRule[] = [
  failure,
  throttled,
  errorRate,
  breakingDrift,
  partialDrift,
  wrongRecord,
  sunset,
  configuredEnd,
  deprecation,
  anonymousRefused,
  frozen,
  dateJumpedBack,
  equalScores,
  datesAlwaysNow,
  datesWithoutValues,
  partlyFrozen,
  scoresJumped,
  dataShrinking,
  duplicateRecords,
  duplicatePages,
  nullFields,
  sublistEmpty,
  futureDates,
  slow,
  ...variantRows,
  certificate,
  ...notSentRows,
  // Last: it tells which of the others failed.
  ruleFailed,
];
