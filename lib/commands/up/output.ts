// What `up` prints while it runs.
import { frozenHintSeconds } from "../../config/assessment-settings.ts";
import { viewVerdict } from "../../local/dashboard/summary.ts";
import type { Monitor } from "../../local/monitor.ts";
import type { WatchTick } from "../../local/watch.ts";
import type { Alert } from "../../records/alert.ts";
import { type LogLevel, levelOfCheck, levelOfSeverity, summariseCheck } from "../../records/log-line.ts";
import type { Io } from "../command.ts";
import { renderCycle } from "../probe/text.ts";
import { createDecisionLog } from "./decisions.ts";
import type { Log } from "./log.ts";
import type { WatchTarget } from "./target.ts";
import { renderAlert, renderTick, renderVerdict } from "./text.ts";

const secondText = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const listReasons = (deferred: WatchTick["deferred"]) => [...new Set(deferred)].join(", ");

function describePlan({ deferred, nextTickMs }: WatchTick): string {
  const reasons = listReasons(deferred);
  return `${reasons === "" ? "" : `Not checked now: ${reasons}. `}The next check is due at ${secondText(nextTickMs)}.`;
}

type OutputInput = {
  /** With the configuration in force. */
  target(): WatchTarget;
  isOnce: boolean;
  log: Log;
  io: Io;
};

export function createOutput({ target, isOnce, log, io }: OutputInput) {
  let monitor: Monitor | undefined;
  let listDecisions: ReturnType<typeof createDecisionLog> | undefined;
  let isFirst = true;
  const cycleFacts = () => {
    const { config, keyText } = target();
    return {
      nowMs: monitor?.sources.nowMs() ?? Date.now(),
      frozenAfterSeconds: frozenHintSeconds(config),
      baseUrl: config.baseUrl,
      sentKey: keyText !== "no key",
    };
  };

  /** A log keeps what it gets, and others read it: the token is shown on a terminal only. */
  function title(): string {
    const { config, keyText } = target();
    const lines = [`v1watch · V1 at ${config.baseUrl} · ${keyText} · every ${config.cadence.calm}`];
    const token = io.columns === undefined ? "" : `#token=${monitor?.token}`;
    if (monitor?.server) lines.push(`dashboard ${monitor.server.url}/${token}`);
    return lines.join("\n");
  }

  function printVerdict(): void {
    if (!monitor) return;
    const { currentState, sources } = monitor;
    const verdict = viewVerdict(currentState, sources.nowMs());
    log.print("info", renderVerdict(currentState.assessState(), verdict));
    log.record({ level: "info", event: "verdict", text: verdict.sentence });
  }

  /** A tick is logged at the level of the worst that it has. */
  const levelOfTick = ({ observations, degraded }: WatchTick): LogLevel => {
    if (degraded) return "error";
    return observations.map(levelOfCheck).includes("warn") ? "warn" : "info";
  };

  function recordTick({ observations, degraded, assessment }: WatchTick): void {
    for (const observation of observations)
      log.record({
        level: levelOfCheck(observation),
        event: "check",
        ...summariseCheck(observation),
      });
    for (const line of (assessment && listDecisions?.(assessment.state)) ?? []) log.record(line);
    if (degraded)
      log.record({ level: "error", event: "degraded", text: `${degraded.what} (${degraded.why})` });
  }

  function logTick(tick: WatchTick): void {
    recordTick(tick);
    const { observations, deferred, degraded, nextTickMs } = tick;
    const level = levelOfTick(tick);
    if (!isFirst || degraded) log.print(level, renderTick(tick));
    else if (observations.length > 0) log.print(level, `${renderCycle({ observations, ...cycleFacts() })}\n`);
    else {
      if (!isOnce) printVerdict();
      const next = secondText(nextTickMs);
      const why = listReasons(deferred) || "no check is due";
      log.print("info", `V1 was not checked now: ${why}. v1watch looks again at ${next}.\n\n`);
    }
    isFirst = false;
    const plan = describePlan(tick);
    log.print("debug", `${plan}\n`);
    log.record({ level: "debug", event: "message", text: plan });
  }

  return {
    title,
    printVerdict,
    follow(started: Monitor): void {
      monitor = started;
      const { config } = target();
      const page = started.server ? ` The dashboard is at ${started.server.url}.` : "";
      const text = `Checks V1 at ${config.baseUrl} every ${config.cadence.calm}.${page}`;
      log.record({ level: "info", event: "started", text });
      listDecisions = createDecisionLog(started.currentState.assessState());
    },
    onTick: logTick,
    onAlert(alert: Alert): void {
      log.print(levelOfSeverity(alert.severity, alert.event === "resolved"), renderAlert(alert));
    },
  };
}
