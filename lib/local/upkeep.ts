// What the monitor does for itself with every tick: it looks for faults of its own, compares its clock, sends the weekly digest
// and deletes old observations.

import { clocksDiffer } from "../assess/alarms/alarm-table.ts";
import type { Settings } from "../assess/assess.ts";
import type { Evidence } from "../assess/text/scheduled-alerts.ts";
import type { Alert } from "../records/alert.ts";
import { teamDayOf } from "../records/maintenance.ts";
import type { Observation } from "../records/observation.ts";
import { dayMs, minuteMs, momentOf } from "../time.ts";
import type { CurrentState } from "./current-state.ts";
import type { OwnAlarms } from "./own-alarms.ts";
import { clockToleranceMs, type SteadyClock } from "./steady-clock.ts";
import type { ClockCheck, Comparison } from "./store/clock.ts";
import type { Store } from "./store/store.ts";
import { type Degraded, notAssessed, notMade, notStored, type WatchInput, type WatchTick } from "./watch.ts";

export type UpkeepInput = {
  store: Store;
  /** What the configuration in force decides. */
  configured(): {
    settings: Pick<Settings, "hour" | "timeZone">;
    retentionMs: number;
    /** The report's summary as an alert: sent on Mondays at the team's hour. */
    composeDigest?: (() => Promise<Alert>) | undefined;
  };
  currentState: CurrentState;
  alarms: OwnAlarms;
  clock: SteadyClock;
  send(alert: Alert): void;
};

export type Upkeep = {
  checkClock(
    observations: readonly Observation[],
    skewSeconds: number | undefined,
  ): ClockCheck & Pick<ReturnType<NonNullable<WatchInput["checkClock"]>>, "movedMs" | "isContradicted">;
  /** After every tick. */
  maintain(tick: WatchTick): void;
};

/** The cause may be the text of any error: only what is a term goes out. */
const causeOf = ({ why }: Degraded) => (/^[a-z -]{1,40}$/.test(why) ? why : "error");
const bad = (...lines: Evidence["lines"]): Evidence => ({ isBad: true, lines });
const good = (...lines: Evidence["lines"]): Evidence => ({ isBad: false, lines });

/** What a tick shows of whether the monitor can do its work. */
function noteTick(alarms: OwnAlarms, { degraded, saved, observations, assessment }: WatchTick): void {
  alarms.note(
    "store-cannot-save",
    degraded?.what === notStored
      ? bad(
          `The store cannot save (${causeOf(degraded)}): no alert about V1 can be sent`,
          "The checks go on, and those of the last ticks are kept in memory. Free space on the disk, or make the store's file writable.",
        )
      : saved > 0
        ? good("The store saves again", "Alerts about V1 can be sent again.")
        : undefined,
  );
  alarms.note(
    "checks-cannot-be-made",
    degraded?.what === notMade
      ? bad(
          `V1 cannot be checked (${causeOf(degraded)}): the store cannot be read`,
          "Without the store v1watch does not know which requests it has made, so it makes none. Look at the disk and at the store's file.",
        )
      : observations.length > 0
        ? good("V1 is checked again")
        : undefined,
  );
  alarms.note(
    "checks-cannot-be-assessed",
    degraded?.what === notAssessed
      ? bad(
          `The checks cannot be assessed (${causeOf(degraded)}): no fault of V1 is noticed`,
          "V1 is checked and the checks are stored. This is a fault of v1watch or of its store, not of V1.",
        )
      : assessment
        ? good("The checks are assessed again")
        : undefined,
  );
}

const agreeAgain = ({ text }: Comparison): Evidence => good("The clocks agree again", text);

const compareWithStore = (comparison: Comparison | undefined): Evidence | undefined =>
  comparison?.isFar
    ? bad(
        "The clock of this machine disagrees with the store",
        comparison.text,
        "Compare it with another clock, set it if it is wrong, and let a time service keep it.",
      )
    : comparison && agreeAgain(comparison);

const jumped = ({ text }: Comparison): Evidence =>
  bad(
    "The clock of this machine has jumped",
    text,
    "The watch goes on by the time that has passed, until V1's clock agrees with the jump, or for two hours.",
    "Compare the clock with another one, set it if it is wrong, and let a time service keep it.",
  );

/** A jump that is shorter has no consequences. */
const toldStepMs = 5 * minuteMs;

/** What the clock of the machine shows and what it should. */
function describeStep(clock: SteadyClock): Comparison {
  const aheadMs = clock.aheadMs();
  const [shown, right] = [clock.nowMs() + aheadMs, clock.nowMs()].map(momentOf);
  return {
    isFar: Math.abs(aheadMs) > toldStepMs,
    text: `It shows ${shown}; by the time since the last checks it is ${right}.`,
  };
}

const compareWithV1 = (comparison: Comparison | undefined, isAgeUnknown: boolean): Evidence | undefined =>
  comparison && (comparison.isFar || isAgeUnknown)
    ? bad(
        `The clocks of V1 and of the watch differ: ${clocksDiffer.consequence}`,
        comparison.text,
        "Stale data is not noticed meanwhile.",
        `${clocksDiffer.action} If that of this machine is wrong, set it, and let a time service keep it.`,
      )
    : comparison && agreeAgain(comparison);

export function createUpkeep(input: UpkeepInput): Upkeep {
  const { store, configured, currentState, alarms, send } = input;
  const { nowMs } = input.clock;
  /** What the checks of this tick show of the clock. */
  let clock: Partial<ClockCheck> & { step?: Comparison } = {};
  /** In the latest tick with an answer of V1: the clocks differ by more than staleness.maxSkew, or by more than a day. */
  let isAgeUnknown = false;
  let isV1Far = false;
  let prunedMs = Number.NEGATIVE_INFINITY;
  let digestDay: number | undefined;

  /** Its id is that of its day, so that a restart does not send it again. A watch of less than a day has nothing to report. */
  function sendWeeklyDigest(): void {
    const { settings, composeDigest } = configured();
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

  function noteClock(): void {
    alarms.note("clock", clock.step?.isFar ? jumped(clock.step) : compareWithStore(clock.store));
    alarms.note("clock-of-v1", compareWithV1(clock.v1, isAgeUnknown));
    clock = {};
    currentState.setClockProblem(clockProblem());
  }

  const clockProblem = () => (alarms.standing("clock") ?? alarms.standing("clock-of-v1"))?.[1];

  function prune(mayDelete: boolean): void {
    if (!mayDelete || Math.abs(nowMs() - prunedMs) <= dayMs / 4) return;
    prunedMs = nowMs();
    store.prune(prunedMs - configured().retentionMs);
  }

  return {
    checkClock(observations, skewSeconds) {
      const dated = observations.flatMap(({ staleness }) =>
        staleness?.skewSeconds === undefined ? [] : { skew: staleness.skewSeconds, muted: staleness.muted },
      );
      const nearest = dated.toSorted((a, b) => Math.abs(a.skew) - Math.abs(b.skew))[0];
      let movedMs = input.clock.settle(skewSeconds);
      const check = () =>
        store.checkClock(nowMs(), skewSeconds === undefined ? undefined : skewSeconds - movedMs / 1_000);
      let checked = check();
      // Time does not run back: a step ahead has set a clock right that was behind what is stored.
      if (checked.isBehind && input.clock.aheadMs() > 0) {
        movedMs += input.clock.believe();
        checked = check();
      }
      if (input.clock.isSure() && !checked.isDoubtful) store.noteWrongDates(nowMs() + clockToleranceMs);
      isAgeUnknown = nearest?.muted ?? isAgeUnknown;
      isV1Far = checked.v1?.isFar ?? isV1Far;
      // A tick has two parts, and one of them may have no response of V1.
      clock = { ...checked, v1: checked.v1 ?? clock.v1, step: describeStep(input.clock) };
      const isV1Other =
        skewSeconds !== undefined && Math.abs(skewSeconds * 1_000 - movedMs) > clockToleranceMs;
      return { ...checked, movedMs, isContradicted: isV1Other && store.hasLater(nowMs() + clockToleranceMs) };
    },
    maintain(tick) {
      const { mayDelete = false } = clock;
      noteTick(alarms, tick);
      noteClock();
      try {
        sendWeeklyDigest();
        prune(mayDelete && !isV1Far && alarms.standing("clock") === undefined);
      } catch {
        // The store reports its fault through its health; a later tick tries again.
      }
    },
  };
}
