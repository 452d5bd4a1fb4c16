// What the disk does to the store, in words that can be said, and whether writes are taken right now.
import type { Failed } from "../../ports.ts";

export type Trouble = "disk-full" | "disk-error" | "corrupt" | "locked" | "read-only" | "bad-path";
export type Health = { state: "ok" } | { state: "DEGRADED"; why: Trouble; sinceMs: number };

/** SQLite's primary result codes. */
const troubles: Record<number, Trouble> = {
  5: "locked",
  6: "locked",
  8: "read-only",
  10: "disk-error",
  11: "corrupt",
  13: "disk-full",
  14: "disk-error",
  26: "corrupt",
};

/** Undefined for what is no trouble of the file: a bug. */
export function nameTrouble(error: unknown): Trouble | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? troubles[code & 0xff] : undefined;
}

export type HealthWatch = {
  health(): Health;
  /** Every write goes through here: the first that succeeds again ends the trouble. */
  write<T>(work: () => T): T;
  tryWrite<T>(work: () => T): T | Failed;
};

export function watchHealth(nowMs: () => number): HealthWatch {
  let health: Health = { state: "ok" };
  function write<T>(work: () => T): T {
    try {
      const result = work();
      health = { state: "ok" };
      return result;
    } catch (error) {
      const why = nameTrouble(error);
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
        const why = nameTrouble(error);
        if (!why) throw error;
        return { kind: "failed", why };
      }
    },
  };
}
