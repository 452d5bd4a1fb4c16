// The watch goes by the clock of this machine, and by no other. The store remembers until when that clock was right, and
// V1's Date header is a second witness: where they contradict it by more than a day, that is reported, and no observation
// is deleted.
import { endpointIds } from "../../contract/endpoints.ts";
import { dayMs, describeDuration, hourMs } from "../../time.ts";
import { classifySqliteError, type Database } from "./database.ts";

export type ClockCheck = {
  /** Old observations may be deleted by this clock. */
  mayDelete: boolean;
  /** Before what is stored: such a check can be neither stored nor assessed. */
  isBehind: boolean;
  /** It is not known that the time since the last check has passed, so nothing is reported of it. */
  isDoubtful: boolean;
  /** This clock against the store; undefined where there was nothing to compare it with. */
  store: Comparison | undefined;
  /** V1's clock against this one; undefined without a Date header, and where the store contradicts this clock already. */
  v1: Comparison | undefined;
};

/** `isFar`: by more than a day, or before what is stored. */
export type Comparison = { isFar: boolean; text: string };

/** `skewSeconds`: V1's clock minus this one, as the latest responses show it. */
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
    if (isRight && Math.abs(now - rightMs) >= hourMs / 4) saveRight(db, now);
    return {
      mayDelete: isRight && !isV1Far,
      isBehind: isStoreFar && now < rightMs,
      isDoubtful: isStoreFar || isContradicted || isCorrected,
      store: isStoreFar
        ? { isFar: true, text: describeStore(now, rightMs, v1Ms) }
        : isRight
          ? { isFar: false, text: `The clock of this machine shows ${instantText(now)}.` }
          : undefined,
      v1:
        v1Ms === undefined || (isV1Far && isStoreFar)
          ? undefined
          : { isFar: isV1Far, text: describeV1(now, v1Ms, isV1Far) },
    };
  };
}

/** A store that cannot save now gets it with a later tick. */
function save(db: Database, work: () => void): void {
  try {
    db.writeNow(work);
  } catch (error) {
    if (!classifySqliteError(error)) throw error;
  }
}

const saveRight = (db: Database, now: number) =>
  save(db, () => db.run("INSERT OR REPLACE INTO metadata VALUES ('clock_ms', ?)", now));

export const hasLater = (db: Database, afterMs: number): boolean =>
  db.get(
    "SELECT 1 FROM observation WHERE at_ms > ? AND json_valid(body) AND body ->> '$.isDateWrong' IS NULL LIMIT 1",
    afterMs,
  ) !== undefined;

/** They stay in the store, are assessed again, which leaves them out, and are in no chart. */
export function noteWrongDates(db: Database, afterMs: number): void {
  if (!hasLater(db, afterMs)) return;
  save(db, () =>
    db.transact(() => {
      db.run(
        `UPDATE observation SET body = json_set(body, '$.isDateWrong', json('true')), assessed = 0
         WHERE at_ms > ? AND json_valid(body) AND body ->> '$.isDateWrong' IS NULL`,
        afterMs,
      );
      db.run(
        `DELETE FROM observation_summary WHERE endpoint IN (${endpointIds.map((name) => `'${name}'`).join(", ")})
         AND is_primary IN (0, 1) AND at_ms > ?`,
        afterMs,
      );
    }),
  );
}

function describeStore(now: number, rightMs: number, v1Ms: number | undefined): string {
  const consequence =
    now < rightMs
      ? "V1 is checked, but nothing is stored or assessed until the clock is set."
      : "If the machine was not off for so long, its clock is wrong. No observation is deleted until V1's clock agrees.";
  const v1 = v1Ms === undefined ? "" : ` V1's clock shows ${instantText(v1Ms)}.`;
  return `The clock of this machine shows ${instantText(now)}, which is ${differenceText(now, rightMs)} the last check in the store, ${instantText(rightMs)}.${v1} ${consequence}`;
}

const describeV1 = (now: number, v1Ms: number, isFar: boolean): string =>
  isFar
    ? `V1's clock shows ${instantText(v1Ms)}, which is ${differenceText(v1Ms, now)} the clock of this machine. v1watch goes by the clock of this machine. No observation is deleted while they differ.`
    : `V1's clock shows ${instantText(v1Ms)} and the clock of this machine ${instantText(now)}.`;
