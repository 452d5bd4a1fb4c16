// node framings-watch.ts URL CHECKS: the watch on a virtual clock against a server on this machine, until it has made so
// many checks. Prints what they were and the most memory that the process had.
import { existsSync, readFileSync } from "node:fs";
import { replay } from "../../../lib/local/replay.ts";
import { configure } from "../../config/configure.ts";
import type { Watched } from "./framings.ts";

const [baseUrl = "", count = ""] = process.argv.slice(2);
// The longest deadline: a busy machine is slow, and not wrong.
const config = configure({ baseUrl, timeouts: { deadlineMs: 60_000 } });
const stop = new AbortController();
const outcomes: Record<string, number> = {};
let checks = 0;
const startMs = Date.UTC(2026, 10, 1);
await replay({
  config,
  readKey: async () => ({ kind: "key", key: "framing-key" }),
  clock: { nowMs: startMs },
  untilMs: startMs + 365 * 86_400_000,
  seed: 1,
  signal: stop.signal,
  onObservation({ outcome: { kind, detail } }) {
    // Without a sample nothing is sent.
    if (kind === "refused") return;
    const name = [kind, detail].filter(Boolean).join(" ");
    outcomes[name] = (outcomes[name] ?? 0) + 1;
    checks += 1;
    if (checks >= Number(count)) stop.abort();
  },
});
// Linux counts in maxRSS what the parent had when it started this process; VmHWM is this program's own.
const status = "/proc/self/status";
const own = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8"))?.[1] : undefined;
const memoryMb = Math.ceil(Number(own ?? process.resourceUsage().maxRSS) / 1_024);
console.log(JSON.stringify({ checks, outcomes, memoryMb } satisfies Watched));
