// Classifies SQLite errors and tracks whether the store currently accepts writes.
import type { Failed } from "../../ports.ts";

export type StoreFault = "disk-full" | "disk-error" | "corrupt" | "locked" | "read-only" | "bad-path";
export type Health = { state: "ok" } | { state: "DEGRADED"; why: StoreFault; sinceMs: number };

/** By SQLite's primary result code. */
const faultsByCode: Record<number, StoreFault> = {
  5: "locked",
  6: "locked",
  8: "read-only",
  10: "disk-error",
  11: "corrupt",
  13: "disk-full",
  14: "disk-error",
  26: "corrupt",
};

/** Undefined if the error is not about the database file, which means that it is a bug. */
export function classifySqliteError(error: unknown): StoreFault | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? faultsByCode[code & 0xff] : undefined;
}

export type HealthTracker = {
  health(): Health;
  /** Every write goes through this function, so that the first successful write ends the DEGRADED state. */
  write<T>(work: () => T): T;
  tryWrite<T>(work: () => T): T | Failed;
};

export function trackHealth(nowMs: () => number): HealthTracker {
  let health: Health = { state: "ok" };
  function write<T>(work: () => T): T {
    try {
      const result = work();
      health = { state: "ok" };
      return result;
    } catch (error) {
      const why = classifySqliteError(error);
      const sinceMs = health.state === "DEGRADED" ? health.sinceMs : nowMs();
      if (why) health = { state: "DEGRADED", why, sinceMs };
      throw error;
    }
  }
  return {
    health: () => health,
    write,
    tryWrite(work) {
      try {
        return write(work);
      } catch (error) {
        const why = classifySqliteError(error);
        if (!why) throw error;
        return { kind: "failed", why };
      }
    },
  };
}
