// A report input with data in every section. `anyText` is used for every text that comes from outside v1watch.

import { observationsUntil } from "../../bench/report-year.ts";
import { foldTick, groupTicks, showIncidents } from "../../lib/assess/fold.ts";
import { readOutlook } from "../../lib/assess/outlook.ts";
import { freshState } from "../../lib/assess/state.ts";
import { readSchedule } from "../../lib/assess/verdict.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { readHealthDays } from "../../lib/report/health-days.ts";
import type { ReportInput } from "../../lib/report/model.ts";
import { shippedSettings } from "../config/shipped.ts";
import {
  aggregateOf,
  consumerOf,
  dayMs,
  decidedMapping,
  mappingOf,
  nowMs,
  parityOf,
  rehearsalOf,
  useOf,
} from "../readiness/ready-facts.ts";

const days = 24;
const observations: Observation[] = [...observationsUntil(nowMs, days)];
const state = freshState();
for (const tick of groupTicks(observations)) foldTick(state, tick, shippedSettings);
showIncidents(state, shippedSettings);
const healthDays = await readHealthDays(observations);

export function fullInput(anyText = "plain words"): ReportInput {
  const decisions = [
    {
      schema: "v1watch/decision/1" as const,
      kind: "ack" as const,
      subject: "passport passport.passport_socials[].follower_count retyped number",
      reason: anyText,
      at: new Date(nowMs - dayMs).toISOString(),
    },
  ];
  const mapping = decidedMapping((rows) => {
    rows.fields["passport.score"] = { decision: "undecided", note: anyText };
    rows.fields["passport.merged"] = {
      decision: "dropped",
      owner: anyText,
      reason: anyText,
      expires: "2026-01-01",
    };
    rows.behaviours.key = { decision: "transformed", becomes: anyText, note: anyText };
  });
  const aggregate = aggregateOf(mapping, { skipped: { [`v2 ${anyText}`]: 90 }, shape: { [anyText]: 3 } });
  aggregate.fields["passport.human_checkmark"] = { compared: 400, raw: { value: 40 }, noise: { value: 1 } };
  // A spread with a computed key also creates a field that is called "__proto__".
  aggregate.fields = { ...aggregate.fields, [anyText]: { compared: 400, raw: { type: 90 }, noise: {} } };
  const consumers = [
    consumerOf({
      name: anyText,
      owners: [anyText, "profile team"],
      status: "v1",
      exceptions: [{ reason: anyText, expires: "2020-01-01" }],
      uses: [
        {
          ...useOf(anyText, 7, "passport", [
            "passport.score",
            "passport.human_checkmark",
            "passport.passport_socials[].follower_count",
          ]),
          owner: anyText,
          hazards: [{ rule: "catch-default", line: 9 }],
        },
      ],
    }),
    consumerOf({ name: "src/other.ts" }),
  ];
  return {
    facts: {
      nowMs,
      consumers,
      scanned: [{ name: "web", files: 212, scannedOn: "2026-11-15" }],
      mapping: { ...mappingOf(mapping), file: anyText },
      parity: { ...parityOf(aggregate, mapping), file: anyText },
      rehearsal: rehearsalOf("silent"),
      proof: "none",
    },
    watch: {
      state,
      decisions,
      days: healthDays,
      outlook: readOutlook(state, {}, nowMs),
      schedule: readSchedule({ silentAfterMs: 3 * 3_600_000 }, undefined),
    },
    monitor: { isHealthy: false, says: anyText },
    address: "https://api.example.com",
    fromMs: nowMs - days * dayMs,
  };
}
