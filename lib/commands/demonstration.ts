// v1watch replay --seconds: a replay for people. What V1 does and every alert in full, at its time.
import { setTimeout as sleep } from "node:timers/promises";
import { readVerdict } from "../assess/verdict.ts";
import type { Config } from "../config/config.ts";
import type { Message, Replay } from "../local/replay.ts";
import { type Alert, textOf } from "../records/alert.ts";
import { type ScenarioName, scenarioNamed } from "../simulator/scenarios.ts";
import { plural } from "../text.ts";
import { dayMs, describeDuration, momentOf } from "../time.ts";
import type { Io } from "./command.ts";
import { bar, createProgress, type Format, layOut, outputWidth, print, styleFor } from "./layout.ts";

const nextSteps = `What to do next
  v1watch up\tthe watch with a simulated V1 and the dashboard, where you inject faults yourself
  v1watch up --base-url URL\twatch the real V1
  v1watch scan DIR --inventory FILE\tfind the code that uses V1; alerts then name it
  v1watch migrate init\twrite down where each field is in V2
  v1watch parity\tcompare the responses of V1 and V2
  v1watch ready\tcheck whether you can stop using V1
  v1watch replay --all\tmeasure how soon each kind of fault is reported
`;

/** What V1 does from an instant on. */
type Chapter = { fromMs: number; text: string };

function listChapters(name: ScenarioName, { cadence }: Config, lengthMs: number): Chapter[] {
  const { steps, summary } = scenarioNamed(name);
  const isBetweenSteps = (ms: number) =>
    steps.every(({ fromMs, untilMs = lengthMs }) => ms < fromMs || ms >= untilMs);
  return [
    { fromMs: 0, text: `V1 responds as documented. Each endpoint is checked every ${cadence.calm}.` },
    ...steps.map(({ fromMs, text = summary }) => ({ fromMs, text })),
    ...steps
      .flatMap(({ untilMs }) => (untilMs !== undefined && isBetweenSteps(untilMs) ? [untilMs] : []))
      .map((fromMs) => ({ fromMs, text: "V1 responds as documented again." })),
  ].sort((a, b) => a.fromMs - b.fromMs);
}

/** The whole text the first time that a rule is reported; after that what is new in it. */
function bodyOf(alert: Alert, isFirst: boolean): string {
  const { event, sections } = alert;
  const sentences = (sections[0]?.lines ?? []).join("\n");
  if (event === "digest") return "";
  if (isFirst && event !== "resolved") return textOf(alert).trimEnd();
  return event === "changed" || event === "resolved" ? sentences : "";
}

const severityStyles: Record<Alert["severity"], Format> = {
  page: ["bold", "red"],
  warning: ["bold", "yellow"],
  info: "bold",
};

type Show = {
  scenario: ScenarioName;
  config: Config;
  startMs: number;
  days: number;
  /** How long the whole of it takes. */
  seconds: number;
};

export function createDemonstration({ scenario, config, startMs, days, seconds }: Show, io: Io) {
  const style = styleFor(io);
  const lengthMs = days * dayMs;
  const startedMs = performance.now();
  const chapters = listChapters(scenario, config, lengthMs);
  const reported = new Set<string>();
  let [next, messages] = [0, 0];

  const dayOf = (ms: number) => `Day ${Math.min(days, Math.floor((ms - startMs) / dayMs) + 1)} of ${days}`;
  const wrap = (text: string) => layOut(text, outputWidth(io));
  const progress = createProgress(io);
  const show = (text: string) => {
    progress.clear();
    io.out(text);
  };
  const showChapter = (atMs: number, text: string) =>
    show(`\n${style(["bold", "cyan"], wrap(`── ${dayOf(atMs)} · ${momentOf(atMs)} · ${text}`))}\n`);

  show(
    wrap(
      `${days} days of a simulated V1 in ${seconds > 0 ? `about ${describeDuration(seconds)}` : "seconds"}: the watch is real, V1 and the clock are simulated.\n`,
    ),
  );
  return {
    async onClock(nowMs: number): Promise<void> {
      for (let one = chapters[next]; one && startMs + one.fromMs <= nowMs; one = chapters[++next])
        showChapter(startMs + one.fromMs, one.text);
      const share = (nowMs - startMs) / lengthMs;
      progress.draw(`${bar(share)} ${dayOf(nowMs)} · ${momentOf(nowMs)} · ${plural(messages, "message")}`);
      const dueMs = startedMs + share * seconds * 1_000;
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal: io.signal }).catch(() => {});
    },
    onMessage({ atMs, alert }: Message): void {
      messages++;
      const { event, rule, severity, subject } = alert;
      const [, word = "", title = ""] = /^\[v1watch\] ([^:]+): (.*)$/.exec(subject) ?? [];
      const body = bodyOf(alert, !reported.has(rule));
      if (event !== "resolved") reported.add(rule);
      const format: Format = event === "resolved" ? ["bold", "green"] : severityStyles[severity];
      const heading = wrap(`${momentOf(atMs)}  ${word}: ${title}`).replace(
        `${word}:`,
        style(format, `${word}:`),
      );
      const indented = body === "" ? "" : wrap(`${body.replace(/^(?=.)/gm, "    ")}\n`);
      const labels = /^( {4})(Impact|Next steps|Reproduce|Runbook|Dashboard)(?= )/gm;
      const bold = indented.replace(labels, (_, indent, label) => `${indent}${style("bold", label)}`);
      show(`\n${heading}\n${bold}`);
    },
    clearProgress: progress.clear,
    /** `outcome`: how soon each fault was reported. */
    end({ assessment }: Replay, outcome: string): void {
      if (!assessment?.outlook) throw new Error("the replay made no assessment");
      const endMs = startMs + lengthMs;
      showChapter(endMs, `The ${days} days are over.`);
      const { headline } = readVerdict({ ...assessment, nowMs: endMs });
      print(io, `${headline}.\n\nHow soon each fault was reported\n${outcome}\n${nextSteps}`);
    },
  };
}
