// What the monitor does for itself with every tick: it compares its clock, reports rows that cannot be read, sends the weekly
// digest and deletes old observations.

import { monitorAlert, unreadableAlerts } from "../assess/alerts/scheduled-alerts.ts";
import type { Settings } from "../assess/assess.ts";
import { type Alert, incidentOf } from "../records/alert.ts";
import { teamDayOf } from "../records/maintenance.ts";
import type { Observation } from "../records/observation.ts";
import { dayMs, dayText } from "../time.ts";
import type { CurrentState } from "./current-state.ts";
import type { ClockCheck } from "./store/clock.ts";
import type { Store } from "./store/store.ts";

export type UpkeepInput = {
  store: Store;
  settings: Settings;
  currentState: CurrentState;
  retentionMs: number;
  nowMs(): number;
  send(alert: Alert): void;
  /** The report's first page as an alert: sent on Mondays at the team's hour. */
  composeDigest: (() => Promise<Alert>) | undefined;
};

export type Upkeep = {
  checkClock(observations: readonly Observation[]): ClockCheck;
  /** The incident ids of the warnings that hold now. */
  readWarnings(): string[];
  /** After every tick. */
  maintain(): void;
};

export function createUpkeep(input: UpkeepInput): Upkeep {
  const { store, settings, currentState, nowMs, send, composeDigest } = input;
  /** The id of the warning about the clock; a problem that comes back later is another one. */
  let clockWarning: string | undefined;
  let mayDelete = false;
  let prunedMs = Number.NEGATIVE_INFINITY;
  let digestDay: number | undefined;
  const listUnreadable = () => unreadableAlerts(store.unreadable(), settings, nowMs());

  /** Its id is that of its day, so that a restart does not send it again. A watch of less than a day has nothing to report. */
  function sendWeeklyDigest(): void {
    const day = teamDayOf(nowMs(), settings.hour, settings.timeZone);
    const isMonday = (day + 3) % 7 === 0;
    const firstMs = Date.parse(currentState.assessState().firstAt ?? "");
    if (!composeDigest || !isMonday || day === digestDay || !(nowMs() - firstMs >= dayMs)) return;
    digestDay = day;
    composeDigest().then(send, () => {
      // A later tick tries again.
      digestDay = undefined;
    });
  }

  return {
    checkClock(observations) {
      const skews = observations.flatMap(({ staleness }) => staleness?.skewSeconds ?? []);
      const nearest = skews.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0];
      const checked = store.checkClock(nowMs(), nearest);
      mayDelete = checked.mayDelete;
      currentState.setClockProblem(checked.problem?.text);
      const day = dayText(nowMs()).replaceAll("-", "");
      clockWarning = checked.problem && (clockWarning ?? `${checked.problem.id}-${day}`);
      if (checked.problem && clockWarning) {
        const lines = [
          "The clock of this machine is not that of V1 or of the store",
          checked.problem.text,
          "Compare it with another clock, set it if it is wrong, and let a time service keep it.",
        ] as const;
        send(monitorAlert(clockWarning, lines, settings, nowMs()));
      }
      return checked;
    },
    readWarnings: () => [...(clockWarning ? [clockWarning] : []), ...listUnreadable().map(incidentOf)],
    maintain() {
      try {
        for (const alert of listUnreadable()) send(alert);
        sendWeeklyDigest();
        if (!mayDelete || Math.abs(nowMs() - prunedMs) <= dayMs / 4) return;
        prunedMs = nowMs();
        store.prune(prunedMs - input.retentionMs);
      } catch {
        // The store reports its fault through its health; a later tick tries again.
      }
    },
  };
}
