// Reads the configuration again on SIGHUP. A valid one is taken over as a whole; of an invalid one nothing is.
import { isDeepStrictEqual } from "node:util";
import { listChanges } from "../../config/changes.ts";
import type { Configured } from "../../local/monitor.ts";
import { plural } from "../../text.ts";
import { momentText } from "../../time.ts";
import { UsageError } from "../command.ts";
import { ConfigurationError } from "../load-config.ts";
import type { Log } from "./log.ts";
import { rereadTarget, type UpValues, type WatchTarget } from "./target.ts";

/** A monitor that is running. */
type Follower = {
  /** Opens what the configuration names, such as the secrets of channels, and rejects where it cannot. */
  configure(target: WatchTarget): Promise<Configured>;
  reload(configured: Configured): Promise<void>;
  /** Called after a configuration was taken over or refused. */
  onRead(): void;
};

export type Reloader = {
  /** With the configuration in force. */
  target(): WatchTarget;
  /** The monitor that gets the next configuration; undefined between two of them, when none is read. */
  follow(follower: Follower | undefined): void;
  /** When and why the latest configuration was refused; undefined while it is in force. */
  problem(): string | undefined;
  /** One configuration is read at a time, however often it is called; the last one is read after the last call. */
  request(): void;
};

export function createReloader(first: WatchTarget, values: UpValues, log: Log): Reloader {
  let target = first;
  let follower: Follower | undefined;
  let refused: { atMs: number; reasons: readonly string[] } | undefined;
  let isReading = false;
  let isRequested = false;

  async function reload(): Promise<void> {
    const to = follower;
    if (!to) return;
    const next = await rereadTarget(target, values, log.io);
    const configured = await to.configure(next);
    if (to !== follower) {
      // The monitor was replaced meanwhile: what was opened belongs to the one before.
      isRequested = true;
      return;
    }
    const changed = listChanges(target.config, next.config);
    if (!isDeepStrictEqual(target.uses, next.uses) && !changed.includes("inventory"))
      changed.push("inventory");
    target = next;
    refused = undefined;
    await to.reload(configured);
    const names =
      changed.length > 0 ? `Changed: ${changed.toSorted().join(", ")}.` : "No setting has changed.";
    log.print("info", `Configuration reloaded. ${names}\n`);
    log.record({ level: "info", event: "reloaded", changed });
  }

  function refuse(error: unknown): void {
    const reasons = listReasons(error);
    refused = { atMs: Date.now(), reasons };
    const lines = reasons.map((reason) => `  ${reason}\n`).join("");
    log.print("error", `Configuration not reloaded: the one before it stays in force.\n${lines}`);
    for (const text of reasons) log.record({ level: "error", event: "not-reloaded", text });
  }

  async function readRequested(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (isRequested && follower) {
      isRequested = false;
      await reload().catch(refuse);
      follower?.onRead();
    }
    isReading = false;
  }

  return {
    target: () => target,
    follow(next) {
      follower = next;
      void readRequested();
    },
    problem() {
      if (!refused) return undefined;
      const [reason, ...others] = refused.reasons;
      const more = others.length > 0 ? ` The log has ${plural(others.length, "more mistake")}.` : "";
      return `The configuration read at ${momentText(new Date(refused.atMs).toISOString())} was refused, and the one before it stays in force. ${reason}${more}`;
    },
    request() {
      isRequested = true;
      void readRequested();
    },
  };
}

/** Only our own messages are known to hold no secret. */
function listReasons(error: unknown): string[] {
  if (error instanceof ConfigurationError)
    return error.mistakes.map(({ path, problem, remedy }) => `${path}: ${problem} ${remedy}`);
  return [error instanceof UsageError ? error.message : "It cannot be read."];
}
