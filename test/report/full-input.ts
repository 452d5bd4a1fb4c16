// A report's input with something in every part; each text that a stranger or a team writes is given.

import { observationsUntil } from "../../bench/report-year.ts";
import { readSignals } from "../../lib/assess/evaluate-rules.ts";
import { foldTick, groupTicks } from "../../lib/assess/fold.ts";
import { freshState } from "../../lib/assess/state.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { createHealthDays } from "../../lib/report/health-days.ts";
import type { ReportInput } from "../../lib/report/model.ts";
import { replaySettings } from "../assess/replay.ts";
import {
  aggregateOf,
  consumerOf,
  dayMs,
  decidedMapping,
  mappingOf,
  nowMs,
  parityOf,
} from "../readiness/ready-facts.ts";

const days = 24;
const observations: Observation[] = [...observationsUntil(nowMs, days)];
const state = freshState();
for (const tick of groupTicks(observations)) foldTick(state, tick, replaySettings);
const health = createHealthDays("authenticated");
for (const observation of observations) health.note(observation);
const healthDays = health.read();

export function fullInput(say = "plain words"): ReportInput {
  const decisions = [
    {
      schema: "v1watch/decision/1" as const,
      kind: "ack" as const,
      subject: "passport passport.passport_socials[].follower_count retyped number",
      reason: say,
      at: new Date(nowMs - dayMs).toISOString(),
    },
  ];
  const settings = { ...replaySettings, decisions };
  const mapping = decidedMapping((rows) => {
    rows.fields["passport.score"] = { decision: "undecided", note: say };
    rows.fields["passport.merged"] = { decision: "dropped", owner: say, reason: say, expires: "2026-01-01" };
    rows.behaviours.key = { decision: "transformed", becomes: say, note: say };
  });
  const aggregate = aggregateOf(mapping, { skipped: { [`v2 ${say}`]: 90 }, shape: { [say]: 3 } });
  aggregate.fields["passport.human_checkmark"] = { compared: 400, raw: { value: 40 }, noise: { value: 1 } };
  // Written so, even a field called "__proto__" is one.
  aggregate.fields = { ...aggregate.fields, [say]: { compared: 400, raw: { type: 90 }, noise: {} } };
  const consumers = [
    consumerOf({
      ...{ name: say, owners: [say, "profile team"], status: "v1" },
      exceptions: [{ reason: say, expires: "2020-01-01" }],
      uses: [
        {
          ...{ file: say, line: 7, endpoint: "passport" },
          fields: [
            "passport.score",
            "passport.human_checkmark",
            "passport.passport_socials[].follower_count",
          ],
        },
      ],
      hazards: [{ file: say, line: 9, rule: "catch-default" }],
    }),
    consumerOf({ name: "src/other.ts" }),
  ];
  return {
    facts: {
      ...{ nowMs, consumers, mapping: { ...mappingOf(mapping), file: say }, daysPerConsumer: 2 },
      parity: { ...parityOf(aggregate), file: say },
      proof: "none",
    },
    watch: {
      ...{ state, decisions, days: healthDays },
      outlook: readSignals(state, settings, nowMs).outlook,
    },
    monitor: { isHealthy: false, says: say },
    fromMs: nowMs - days * dayMs,
  };
}
