// v1watch demo: three months of a dying API in about two minutes, on the page and in the console.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { acts, configForDemo, createDirector, createFastClock, storyMs } from "../local/demo.ts";
import { type Monitor, startMonitor } from "../local/monitor.ts";
import { readVerdict } from "../local/page/verdict.ts";
import { simulatorKey, startSimulation } from "../local/simulation.ts";
import { type Command, exitCodes, integerOption } from "./command.ts";
import { openOwnStore } from "./open-watch.ts";
import { defaultPort, explainPort } from "./port.ts";
import { renderToldLine } from "./up/text.ts";

const dayMs = 86_400_000;

const nextSteps = `Next steps
  v1watch up --base-url URL   watch the real V1
  v1watch scan DIR            what of V1 your code uses
  v1watch migrate             where each field is in V2
  v1watch parity              whether V1 and V2 agree
  v1watch ready               whether you can leave V1
  v1watch replay SCENARIO     rehearse your own alert policy

`;

export const demo: Command = {
  name: "demo",
  summary: "three months of a dying API in two minutes",
  help: `v1watch demo [options]

Replays drift, a refused key, stale data, brownouts, a Sunset header that moves, and the end, on one fast clock:
the probe requests the simulator over HTTP, and every alert is sent at the virtual instant at which it would be.

  --port N      the page's port on 127.0.0.1 (default ${defaultPort}; 0 takes a free one)
  --seconds N   how long the three months take (default 120)
  --exit        end with the story; otherwise the page stays until Ctrl-C

Example: v1watch demo --seconds 60
`,
  options: { port: { type: "string" }, seconds: { type: "string" }, exit: { type: "boolean" } },

  async run(values, _positionals, io) {
    const port = integerOption(values, "port", defaultPort, 0, 65_535);
    const seconds = integerOption(values, "seconds", 120, 1, 86_400);
    const startMs = Math.floor(Date.now() / dayMs) * dayMs;
    const folder = mkdtempSync(join(tmpdir(), "v1watch-demo-"));
    const say = (atMs: number, text: string) =>
      io.out(`${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")}     ${text}\n`);

    const over = new AbortController();
    const signal = AbortSignal.any([io.signal, over.signal]);
    let monitor: Monitor | undefined;
    let saidMs = startMs;
    const clock = createFastClock(startMs, (seconds * 1_000 * dayMs) / storyMs, (nowMs) => {
      direct(nowMs);
      if (nowMs - saidMs >= 7 * dayMs && monitor) {
        saidMs = nowMs;
        say(nowMs, readVerdict(monitor.live.state(), monitor.live.outlook()).sentence);
      }
      if (nowMs >= startMs + storyMs) over.abort();
    });
    const simulation = await startSimulation({ scenario: "healthy", startAtMs: 0, clock });
    const direct = createDirector(simulation, startMs, ({ words }, atMs) => say(atMs, `— ${words} —`));
    try {
      monitor = await startMonitor({
        config: configForDemo(simulation.simulator.url, join(folder, "demo.db")),
        store: openOwnStore(join(folder, "demo.db"), io),
        readKey: async () => ({ kind: "key", key: simulatorKey }),
        channels: [{ name: "the console", send: async (alert) => io.out(renderToldLine(alert)) }],
        allowLoopback: true,
        mode: "demo",
        simulation,
        signal,
        nowMs: clock.now,
        wait: clock.wait,
        // A minute of the story is too short to wake up for.
        deliverEveryMs: Infinity,
        page: { port, host: "127.0.0.1", allowHosts: [], version: packageFile.version },
        onTick() {},
      }).catch(async (error: unknown) => {
        throw await explainPort(error, port);
      });
      io.out(
        `Three months of a dying API in ${seconds} s. The page: ${monitor.server?.url}/#token=${monitor.token}\n\n`,
      );
      say(startMs, `— ${acts[0]?.words} —`);
      await monitor.run();
      if (!io.signal.aborted) {
        const { live } = monitor;
        io.out(`\n${readVerdict(live.state(), live.outlook()).sentence}\n\n${nextSteps}`);
        if (!values.exit) {
          io.out("The page stays until Ctrl-C.\n");
          await new Promise<void>((resolve) =>
            io.signal.addEventListener("abort", () => resolve(), { once: true }),
          );
        }
      }
      return exitCodes.fine;
    } finally {
      await monitor?.close();
      await simulation.simulator.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
