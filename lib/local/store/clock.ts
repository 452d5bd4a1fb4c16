// The watch goes by the clock of this machine, and by no other. The store remembers until when that clock was right, and
// V1's Date header is a second witness: where they contradict it by more than a day, that is reported, and no observation
// is deleted.
import { dayMs, describeDuration, hourMs } from "../../time.ts";
import type { Database } from "./database.ts";

export type ClockCheck = {
  /** Old observations may be deleted by this clock. */
  mayDelete: boolean;
  /** Before what is stored: such a check can be neither stored nor assessed. */
  isBehind: boolean;
  /** It is not known that the time since the last check has passed, so nothing is reported of it. */
  isDoubtful: boolean;
  /** With whom the clock disagrees, and one id for as long as that lasts. */
  problem: { id: string; text: string } | undefined;
};

/** Called once a tick. `skewSeconds`: V1's clock minus this one, as the latest responses show it. */
export type CheckClock = (nowMs: number, skewSeconds: number | undefined) => ClockCheck;

const isNear = (one: number, other: number) => Math.abs(one - other) <= dayMs;
const instantText = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`;
const differenceText = (one: number, other: number) =>
  `${describeDuration(Math.abs(one - other) / 1_000)} ${one > other ? "ahead of" : "behind"}`;

export function createClockCheck(db: Database): CheckClock {
  /** The last tick of this process. */
  let previous: { atMs: number; isRight: boolean } | undefined;

  return (now, skewSeconds) => {
    const v1Ms = skewSeconds === undefined ? undefined : now + skewSeconds * 1_000;
    /** When V1's clock last agreed with this one, or later without a jump since; 0 where it never did. */
    const rightMs =
      db.get<{ value: number }>("SELECT value FROM metadata WHERE name = 'clock_ms'")?.value ?? 0;
    const isV1Near = v1Ms !== undefined && isNear(v1Ms, now);
    const isV1Far = v1Ms !== undefined && !isV1Near;
    // Time that has passed may have been that of a machine which was off; time does not run back.
    const isStoreNear = rightMs > 0 && now > rightMs - hourMs && now < rightMs + dayMs;
    const isRight = isV1Near || isStoreNear;
    const isStoreFar = rightMs > 0 && !isRight;

    const beforeMs = previous?.atMs ?? rightMs;
    const isContradicted =
      v1Ms !== undefined &&
      beforeMs > 0 &&
      Math.abs(now - beforeMs) > hourMs &&
      Math.abs(v1Ms - beforeMs) < Math.abs(v1Ms - now);
    const isCorrected = previous?.isRight === false && !isNear(previous.atMs, now);
    previous = { atMs: now, isRight };
    if (isRight && Math.abs(now - rightMs) >= hourMs / 4)
      db.run("INSERT OR REPLACE INTO metadata VALUES ('clock_ms', ?)", now);
    return {
      mayDelete: isRight && !isV1Far,
      isBehind: isStoreFar && now < rightMs,
      isDoubtful: isStoreFar || isContradicted || isCorrected,
      problem: isStoreFar
        ? describeStore(now, rightMs, v1Ms)
        : isV1Far
          ? describeV1(now, v1Ms ?? now)
          : undefined,
    };
  };
}

function describeStore(now: number, rightMs: number, v1Ms: number | undefined): ClockCheck["problem"] {
  const consequence =
    now < rightMs
      ? "V1 is checked, but nothing is stored or assessed until the clock is set."
      : "If the machine was not off for so long, its clock is wrong. No observation is deleted until V1's clock agrees.";
  const v1 = v1Ms === undefined ? "" : ` V1's clock shows ${instantText(v1Ms)}.`;
  return {
    id: `clock-${instantText(rightMs).replace(/[-:]/g, "")}`,
    text: `The clock of this machine shows ${instantText(now)}, which is ${differenceText(now, rightMs)} the last check in the store, ${instantText(rightMs)}.${v1} ${consequence}`,
  };
}

const describeV1 = (now: number, v1Ms: number): ClockCheck["problem"] => ({
  id: "clock-of-v1",
  text: `V1's clock shows ${instantText(v1Ms)}, which is ${differenceText(v1Ms, now)} the clock of this machine. v1watch goes by the clock of this machine. No observation is deleted while they differ.`,
});
