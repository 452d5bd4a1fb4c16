// v1watch demo: plays three months of an API's retirement in about two minutes, on the page and in the terminal.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import {
  configForDemo,
  createFastClock,
  createPhaseScheduler,
  demoDurationMs,
  demoPhases,
} from "../local/demo.ts";
import { type Monitor, startMonitor } from "../local/monitor.ts";
import { readVerdict } from "../local/page/verdict.ts";
import { simulatorKey, startSimulation } from "../local/simulation.ts";
import { type Command, exitCodes, integerOption } from "./command.ts";
import { openStoreForWriting } from "./open-watch.ts";
import { defaultPort, explainPort } from "./port.ts";
import { renderAlertLine } from "./up/text.ts";

const dayMs = 86_400_000;

export const demo: Command = {
  name: "demo",
  summary: "play three months of an API's retirement in two minutes",
  help: `v1watch demo [options]

Plays the scenarios github-brownouts, sunset-announced and gone on an accelerated clock. The probe, the simulator
and the assessment are those of v1watch up, and every alert is sent at the simulated time at which it would be sent.

  --port N      port of the page on 127.0.0.1 (default ${defaultPort}; 0 chooses a free port)
  --seconds N   duration of the three months in seconds (default 120)
  --exit        exit at the end; without it the page is served until Ctrl-C

Example: v1watch demo --seconds 60
`,
  options: { port: { type: "string" }, seconds: { type: "string" }, exit: { type: "boolean" } },

  async run(values, _positionals, io) {
    const port = integerOption(values, "port", defaultPort, 0, 65_535);
    const seconds = integerOption(values, "seconds", 120, 1, 86_400);
    const startMs = Math.floor(Date.now() / dayMs) * dayMs;
    const folder = mkdtempSync(join(tmpdir(), "v1watch-demo-"));
    const printLine = (atMs: number, text: string) =>
      io.out(`${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")}     ${text}\n`);

    const end = new AbortController();
    const signal = AbortSignal.any([io.signal, end.signal]);
    let monitor: Monitor | undefined;
    let lastVerdictMs = startMs;
    const clock = createFastClock(startMs, (seconds * 1_000 * dayMs) / demoDurationMs, (nowMs) => {
      direct(nowMs);
      if (nowMs - lastVerdictMs >= 7 * dayMs && monitor) {
        lastVerdictMs = nowMs;
        printLine(
          nowMs,
          readVerdict(monitor.currentState.assessState(), monitor.currentState.outlook()).sentence,
        );
      }
      if (nowMs >= startMs + demoDurationMs) end.abort();
    });
    const simulation = await startSimulation({ scenario: "github-brownouts", startAtMs: 0, clock });
    const direct = createPhaseScheduler(simulation, startMs, ({ text }, atMs) =>
      printLine(atMs, `— ${text} —`),
    );
    try {
      monitor = await startMonitor({
        config: configForDemo(simulation.simulator.url, join(folder, "demo.db")),
        store: openStoreForWriting(join(folder, "demo.db"), io),
        readKey: async () => ({ kind: "key", key: simulatorKey }),
        channels: [{ name: "the console", send: async (alert) => io.out(renderAlertLine(alert)) }],
        allowLoopback: true,
        mode: "demo",
        simulation,
        signal,
        nowMs: clock.now,
        wait: clock.wait,
        // A simulated minute is too short for a timer of its own: alerts are delivered with each tick.
        deliverEveryMs: Infinity,
        page: { port, host: "127.0.0.1", allowHosts: [], version: packageFile.version },
        onTick() {},
      }).catch(async (error: unknown) => {
        throw await explainPort(error, port);
      });
      io.out(
        `Three months of an API's retirement in ${seconds} s. Page: ${monitor.server?.url}/#token=${monitor.token}\n\n`,
      );
      printLine(startMs, `— ${demoPhases[0]?.text} —`);
      await monitor.run();
      if (!io.signal.aborted) {
        const { currentState } = monitor;
        io.out(
          `\n${readVerdict(currentState.assessState(), currentState.outlook()).sentence} The demo is finished.\n`,
        );
        if (!values.exit) {
          io.out("The page is served until Ctrl-C.\n");
          await new Promise<void>((resolve) =>
            io.signal.addEventListener("abort", () => resolve(), { once: true }),
          );
        }
      }
      return exitCodes.success;
    } finally {
      await monitor?.close();
      await simulation.simulator.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
