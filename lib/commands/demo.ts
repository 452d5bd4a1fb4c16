// v1watch demo: a replay for people. Three months of an API's retirement in two minutes, with every alert at its time.

import { setTimeout as sleep } from "node:timers/promises";
import { readVerdict } from "../assess/verdict.ts";
import { loadConfig } from "../config/config.ts";
import { detect, type Message, replayScenario } from "../local/replay.ts";
import { type Alert, textOf } from "../records/alert.ts";
import { scenarioNamed } from "../simulator/scenarios.ts";
import { plural } from "../text.ts";
import { dayMs } from "../time.ts";
import {
  type Command,
  exitCodes,
  type Format,
  fitLines,
  type Io,
  integerOption,
  styleFor,
} from "./command.ts";
import { readCodeUses } from "./ready/files.ts";
import { detectionText, summaryText, usualStart } from "./replay.ts";

const name = "retirement";
const { steps, lengthMs, truth } = scenarioNamed(name);
const days = lengthMs / dayMs;
const startMs = Date.parse(usualStart);

const nextSteps = `What to do next
  v1watch up                  the watch with a simulated V1 and its page, where you inject faults yourself
  v1watch up --base-url URL   watch the real V1
  v1watch scan DIR --inventory v1watch.inventory.json
                              find the code that uses V1; alerts then name it
  v1watch migrate init        write down where each field is in V2
  v1watch parity              compare the responses of V1 and V2
  v1watch ready               check whether you can stop using V1
  v1watch replay --all        measure how soon each kind of fault is reported
`;

/** What V1 does from an instant on. */
type Chapter = { fromMs: number; text: string };

const isBetweenSteps = (ms: number) =>
  steps.every(({ fromMs, untilMs = lengthMs }) => ms < fromMs || ms >= untilMs);

const chapters: readonly Chapter[] = [
  { fromMs: 0, text: "V1 is served as documented. Each endpoint is checked every 36 minutes." },
  ...steps.map(({ fromMs, text = "" }) => ({ fromMs, text })),
  ...steps
    .flatMap(({ untilMs }) => (untilMs !== undefined && isBetweenSteps(untilMs) ? [untilMs] : []))
    .map((fromMs) => ({ fromMs, text: "V1 is served as documented again." })),
].sort((a, b) => a.fromMs - b.fromMs);

const instantText = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const dayOf = (ms: number) => `Day ${Math.min(days, Math.floor((ms - startMs) / dayMs) + 1)} of ${days}`;

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

function createPrinter(io: Io) {
  const style = styleFor(io);
  const reported = new Set<string>();
  const clearProgress = () => io.isTerminal && io.err("\r\u001b[K");
  const print = (text: string) => {
    clearProgress();
    io.out(text);
  };
  return {
    print,
    clearProgress,
    chapter(atMs: number, text: string) {
      print(`\n${style(["bold", "cyan"], `── ${dayOf(atMs)} · ${instantText(atMs)} · ${text}`)}\n`);
    },
    alert({ atMs, alert }: Message) {
      const { event, rule, severity, subject } = alert;
      const [, word = "", title = ""] = /^\[v1watch\] ([^:]+): (.*)$/.exec(subject) ?? [];
      const body = bodyOf(alert, !reported.has(rule));
      if (event !== "resolved") reported.add(rule);
      const format: Format = event === "resolved" ? ["bold", "green"] : severityStyles[severity];
      const heading = `${instantText(atMs)}  ${style(format, `${word}:`)} ${title}\n`;
      const indented = body === "" ? "" : `${body.replace(/^(?=.)/gm, "    ")}\n`;
      const labels = /^( {4})(Impact|Next steps|Reproduce|Runbook|Page)(?= )/gm;
      print(
        `\n${heading}${fitLines(indented, io).replace(labels, (_, indent, label) => `${indent}${style("bold", label)}`)}`,
      );
    },
    progress(nowMs: number, messages: number) {
      if (!io.isTerminal) return;
      const share = (nowMs - startMs) / lengthMs;
      const filled = Math.round(share * 24);
      io.err(
        `\r\u001b[K${"█".repeat(filled)}${"░".repeat(24 - filled)} ${dayOf(nowMs)} · ${instantText(nowMs)} · ${plural(messages, "message")}`,
      );
    },
  };
}

/** The default settings. */
function configForDemo() {
  const fileText = JSON.stringify({ baseUrl: "http://127.0.0.1" });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(loaded.mistakes.map(({ problem }) => problem).join(" "));
  return loaded;
}

export const demo: Command = {
  name: "demo",
  summary: "show three months of an API's retirement in two minutes, with every alert",
  help: `v1watch demo [--seconds N]

Replays three months of a simulated V1 on a virtual clock and prints every alert at its virtual time: drift, a refused
key, stale data, brownouts, a Sunset date that moves, and the retirement. Requests, validation, assessment and alerts
are those of v1watch up, with its default settings; nothing is stored and no message is sent. A slow machine takes longer.
If the current folder has a v1watch.inventory.json (v1watch scan), the alerts name the code in it that is affected.

  --seconds N   how long the three months take (default 120; 0 is as fast as possible)

Example: v1watch demo --seconds 60
`,
  options: { seconds: { type: "string" } },

  async run(values, _positionals, io) {
    const seconds = integerOption(values, "seconds", { fallback: 120, min: 0, max: 86_400 });
    const printer = createPrinter(io);
    const startedMs = performance.now();
    let [next, messages] = [0, 0];
    printer.print(`Three months of an API's retirement in ${seconds > 0 ? `about ${seconds} s` : "seconds"}: \
the watch is real, V1 and the clock are simulated.\n`);

    const onClock = async (nowMs: number) => {
      for (let one = chapters[next]; one && startMs + one.fromMs <= nowMs; one = chapters[++next])
        printer.chapter(startMs + one.fromMs, one.text);
      printer.progress(nowMs, messages);
      const dueMs = startedMs + ((nowMs - startMs) / lengthMs) * seconds * 1_000;
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal: io.signal }).catch(() => {});
    };
    const { config, origins } = configForDemo();
    const uses = await readCodeUses(config, origins);
    const result = await replayScenario(name, {
      config,
      uses,
      startMs,
      lengthMs,
      seed: 1,
      signal: io.signal,
      onClock,
      onMessage(message) {
        messages++;
        printer.alert(message);
      },
    });
    printer.clearProgress();
    if (io.signal.aborted) return exitCodes.success;

    const { assessment } = result;
    if (!assessment?.outlook) throw new Error("the replay made no assessment");
    const endMs = startMs + lengthMs;
    const detections = detect({ truth }, result.messages, { startMs, lengthMs });
    const elapsed = (performance.now() - startedMs) / 1_000;
    printer.chapter(endMs, "The three months are over.");
    io.out(
      fitLines(
        [
          `${readVerdict(assessment.state, assessment.outlook, endMs).headline}.`,
          summaryText({ ...result, days, detections }, elapsed),
          "",
          "How soon each fault was reported",
          ...detections.map(detectionText),
          "",
          nextSteps,
        ].join("\n"),
        io,
      ),
    );
    return exitCodes.success;
  },
};
