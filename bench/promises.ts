// The promises of docs/use/reliability.md, each with the goal and the proof. `node bench/prove.ts NAME` runs one proof, and
// `npm run reliability` all of them. A proof loads what it needs when it runs: some measure their memory.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** `faults`: what is wrong; nothing where the promise is held. */
export type Finding = { figure: string; faults: string[] };

export type Promised = {
  /** In the command. */
  name: string;
  promise: string;
  goal: string;
  /** How much the proof does, if that can be chosen: damages, kills, days. */
  count?: number;
  /** Whether a seed decides what happens. */
  isSeeded?: true;
  /** Options of Node. */
  flags?: readonly string[];
  prove(count: number, seed: number): Promise<Finding>;
};

export const number = (value: number) => Math.round(value).toLocaleString("en-US");

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-proof-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One kill in twenty is of `v1watch up`, which needs a second to start. */
const upShare = 20;
/** On average, so that 2,000 kills have at least 20,000 acknowledged rows. */
const rowsPerKill = 10;

const killUp = (kills: number) =>
  withFolder(async (folder): Promise<{ confirmed: number; faults: string[] }> => {
    const { openStore } = await import("../lib/local/store/store.ts");
    const { startMonitorProcess } = await import("./monitor-process.ts");
    const storePath = join(folder, "watch.db");
    const confirmed = new Set<string>();
    for (let kill = 0; kill < kills; kill += 1) {
      const monitor = await startMonitorProcess(folder, storePath);
      await sleep(500 + ((kill * 37) % 1_000));
      for (const id of await monitor.observationIds(100)) confirmed.add(id);
      await monitor.kill();
    }
    const opened = openStore(storePath, { mode: "read" });
    if (opened.kind !== "open") return { confirmed: confirmed.size, faults: [`the store is ${opened.kind}`] };
    const lost = [...confirmed].filter((id) => !opened.store.history.observation(id));
    opened.store.close();
    return { confirmed: confirmed.size, faults: lost.map((id) => `${id} is lost`) };
  });

/** The functions under faults of every kind. At the default of a check every 36 minutes two months would take hours. */
async function proveFunctions(days: number, seed: number): Promise<Finding> {
  const { storyOf } = await import("../test/faults/watch.ts");
  const { countFaults, countKinds, planFaults } = await import("../test/faults/plan.ts");
  const { startLocalServers } = await import("../test/faults/servers.ts");
  const { runFunctions } = await import("../test/faults/functions.ts");
  const { judgeFunctions } = await import("../test/faults/judge-functions.ts");
  const story = storyOf(seed, days);
  const clock = { nowMs: Date.parse(story.start) };
  const plan = planFaults({ seed, share: 0.05, nowMs: () => clock.nowMs });
  const stops: (() => void | Promise<void>)[] = [];
  try {
    const servers = await startLocalServers(plan, (stop) => stops.push(stop));
    const run = await runFunctions({ story, plan, clock, servers, calm: "3h" });
    const judged = await judgeFunctions(run, servers, plan, clock.nowMs);
    const { faults, observations, incidents, alerts, arrived, revised } = judged;
    const early =
      revised.length > 0 ? `, ${revised.length} of them before late observations replaced its incident` : "";
    return {
      figure: `${days} days, ${number(countFaults(plan))} broken connections (${countKinds(plan).join(", ")}): ${number(observations)} observations, ${incidents} incidents and ${alerts.length} alerts in the table, ${faults.length} lost, repeated or other than without faults; the alerts arrived in ${arrived.length} messages${early}`,
      faults,
    };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** What a body may cost. */
const limits = { memoryMb: 256, slowestMs: 500, recordBytes: 8_192 };

async function observeHostileBodies(bodies: number, seed: number): Promise<Finding> {
  const { corpus, floodBodies } = await import("../test/probe/validate/hostile-corpus.ts");
  const { generateResponses, observeHostile } = await import("../test/probe/validate/hostile-generator.ts");
  const parts = [corpus(), floodBodies(), generateResponses(bodies, seed)].map((part) =>
    observeHostile(part),
  );
  const total = parts.reduce((sum, part) => sum + part.bodies, 0);
  const largest = Math.max(...parts.map(({ largestRecordBytes }) => largestRecordBytes));
  const slowest = parts.reduce((one, other) => (one.slowestMs > other.slowestMs ? one : other));
  const memoryMb = Math.ceil(process.resourceUsage().maxRSS / 1_000);
  const faults = parts.flatMap((part) => part.faults);
  if (memoryMb >= limits.memoryMb) faults.push(`${memoryMb} MB of memory`);
  if (slowest.slowestMs >= limits.slowestMs)
    faults.push(`${Math.round(slowest.slowestMs)} ms for one body: ${slowest.slowest}`);
  if (largest >= limits.recordBytes) faults.push(`a record of ${largest} bytes`);
  return {
    figure: `${number(total)} bodies, ${faults.length} faults, ${memoryMb} MB of memory, slowest body ${number(slowest.slowestMs)} ms, largest record ${number(largest)} bytes`,
    faults,
  };
}

/** Each configuration of the tests runs those of the files that it includes. */
const configs = ["vitest.config.ts", "test/replay/vitest.config.ts"];

/** The proof of a promise that its tests cover as they are. */
const proveByTests = (held: string, ...files: readonly string[]) =>
  withFolder(async (folder): Promise<Finding> => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    let [total, passed] = [0, 0];
    for (const [at, config] of configs.entries()) {
      const output = join(folder, `tests-${at}.json`);
      const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", config, ...files];
      try {
        execFileSync(
          process.execPath,
          [...args, "--passWithNoTests", "--reporter=json", `--outputFile=${output}`],
          { cwd: root, stdio: ["ignore", "ignore", "inherit"] },
        );
      } catch {
        // Failed tests are counted from the output.
      }
      const counted = JSON.parse(readFileSync(output, "utf8"));
      total += counted.numTotalTests;
      passed += counted.numPassedTests;
    }
    const isHeld = total > 0 && passed === total;
    return {
      figure: `${passed} of ${total} tests passed${isHeld ? `: ${held}` : ""}`,
      faults: isHeld ? [] : [`${total - passed} of ${total} tests failed`],
    };
  });

export const promises: readonly Promised[] = [
  {
    name: "damage",
    promise: "damaged stores",
    goal: "1,000 random damages to files and to the text of rows: 0 crashes at start, 0 silent stops, every row kept but those between damaged places of its table",
    count: 1_000,
    isSeeded: true,
    async prove(count, seed) {
      const { damageStores } = await import("../test/local/store/damage.ts");
      const { refused, recovered, setAside, slowestCpuMs, faults } = await damageStores(count, seed);
      return {
        figure: `${number(count)} random damages: ${faults.length} crashes, silent stops or lost readable rows; ${recovered} files recovered, ${setAside} stores with rows set aside, ${refused} refused unchanged; the slowest start and check used ${number(slowestCpuMs)} ms of processor time`,
        faults,
      };
    },
  },
  {
    name: "kills",
    promise: "kill -9",
    goal: "2,000 kills of `v1watch up` and of a writer, at least 20,000 acknowledged rows, 0 lost",
    count: 2_000,
    async prove(count) {
      const { killWriters } = await import("../test/local/store/kills.ts");
      const ofUp = Math.floor(count / upShare);
      const writer = await killWriters(count - ofUp);
      const up = await killUp(ofUp);
      const confirmed = writer.confirmed + up.confirmed;
      const lost = [...writer.faults, ...up.faults];
      const isEnough = confirmed >= count * rowsPerKill;
      return {
        figure: `${number(count)} kills, ${ofUp} of them of \`v1watch up\`: ${number(confirmed)} acknowledged rows, ${lost.length} lost`,
        faults: isEnough ? lost : [...lost, `fewer than ${rowsPerKill} acknowledged rows for each kill`],
      };
    },
  },
  {
    name: "ticks",
    promise: "repeated and reordered ticks",
    goal: "100,000 ticks, 0 extra rows or alert ids",
    count: 100_000,
    isSeeded: true,
    async prove(count, seed) {
      const { repeatTicks } = await import("../test/local/store/repeated-ticks.ts");
      const { ticks, rows, alerts, faults } = await repeatTicks(count, seed);
      return {
        figure: `${number(ticks)} ticks: ${number(rows)} rows and ${alerts} alert ids, ${faults.length} differences from an arrival in order`,
        faults,
      };
    },
  },
  {
    name: "readers",
    promise: "readers of the dashboard",
    goal: "1,000 event streams, 500 slow clients and 100 busy readers at once: every check is made, none more than 1 s late",
    count: 1_000,
    prove: async (count) => (await import("./page-readers.ts")).proveReaders(count),
  },
  {
    name: "soak",
    promise: "random faults of a running watch",
    goal: "10 minutes of `v1watch up` under random scenarios, kills, a corrupt file and (as root) a full disk: 0 acknowledged observations lost, DEGRADED while the disk is full, less than 8 MiB more heap, no key and no person in what it writes",
    // In minutes. Of three, the last one is still the warm-up of a process that was killed before it: its heap grew by 8.0 MiB in a
    // run with the seed 67960, and by none in ten minutes.
    count: 10,
    isSeeded: true,
    prove: async (count, seed) => (await import("./soak.ts")).soak(count, seed),
  },
  {
    name: "chaos",
    promise: "kills, failing channels and a failing V1",
    goal: "half an hour of `v1watch up` beside a V1 and three webhooks of another process that fail at random, with SIGKILL, SIGTERM and (as root) a full disk: no observation and no message lost, none twice but at a kill, nothing open at a webhook after five calm minutes, V1 never gets more requests than are counted",
    // In minutes.
    count: 30,
    isSeeded: true,
    prove: async (count, seed) => (await import("./chaos.ts")).chaos(count, seed),
  },
  {
    name: "ports",
    promise: "faults of every port and channel",
    goal: "2 virtual months in which every port and channel fails at random: every observation, alert and decision once, as without faults",
    count: 60,
    isSeeded: true,
    prove: (count, seed) =>
      withFolder(async (folder) => {
        const { judgeRun, runWatch, storyOf } = await import("../test/faults/watch.ts");
        const { countFaults } = await import("../test/faults/plan.ts");
        const story = storyOf(seed, count);
        const calm = await runWatch({ story, path: join(folder, "calm.db"), seed, share: 0 });
        const path = join(folder, "faults.db");
        const run = await runWatch({ story, path, seed, share: 0.08, outShare: 0.05 });
        const faults = judgeRun(run, calm);
        return {
          figure: `${count} days, ${number(countFaults(run.plan))} faults: ${number(run.stored.observations.size)} observations, ${run.stored.alerts.size} alerts in ${run.accepted.size} channels and ${run.decisions.length} decisions, ${faults.length} differences from the days without faults`,
          faults,
        };
      }),
  },
  {
    name: "functions",
    promise: "broken connections to AWS",
    goal: "2 virtual months of the functions, with a check of each endpoint every 3 h, behind a proxy that refuses, delays, repeats, cuts, reorders and leaves unanswered: every acknowledged observation, incident and alert stored once, and every alert arrives",
    count: 60,
    isSeeded: true,
    prove: proveFunctions,
  },
  {
    name: "outages",
    promise: "store, SNS and CloudWatch out",
    goal: "3 virtual hours each and together, 0 lost, in order",
    prove: () =>
      proveByTests(
        "3 virtual hours each and together, on one machine and over DynamoDB, SNS and CloudWatch behind a proxy: 0 lost, in order",
        "test/replay/outages.test.ts",
      ),
  },
  {
    name: "receivers",
    promise: "slow, refusing and half-accepting receivers",
    goal: "20 virtual days of receivers that hang, refuse, answer after 12, 59 or 61 s, keep a message and cut the connection, are away for days, while the disk is full for hours: every message arrives, in the order of its incident, in at most about 200 tries a day; twice only where the acceptance was lost",
    count: 20,
    isSeeded: true,
    async prove(count, seed) {
      const { deliverForDays } = await import("../test/delivery/receivers-for-days.ts");
      const { tries, messages, duplicates, receivers, faults } = await deliverForDays(count, seed);
      return {
        figure: `${count} days, ${messages} messages to ${receivers} receivers: ${number(tries)} tries, ${number(duplicates)} duplicates, all of them where the acceptance was lost, ${faults.length} lost, out of order or tried too often`,
        faults,
      };
    },
  },
  {
    name: "messages",
    promise: "limits of messages",
    goal: "random histories at every cadence, and histories that once sent hundreds of messages: every difference is told as soon as it may be, no page goes unreported, whatever was announced ends or still is bad",
    prove: () =>
      proveByTests(
        "random histories at four cadences and those of every family of rules, 0 laws broken",
        "test/assess/conversation.test.ts",
        "test/assess/judgement.test.ts",
      ),
  },
  {
    name: "weather",
    promise: "ordinary weather",
    goal: "90 virtual days of restarts, of nights and weekends at rest, and of weekly maintenance, each with 20 seeds: no false page, at most one message a week, every number of every message can be recomputed",
    count: 20,
    async prove(count) {
      const { judgeWeather, weatherDays, weatherKinds, weatherStory } = await import(
        "../test/stories/weather.ts"
      );
      const { playStory } = await import("../test/stories/play.ts");
      const faults: string[] = [];
      let [falsePages, messages] = [0, 0];
      for (let seed = 1; seed <= count; seed += 1)
        for (const kind of weatherKinds) {
          const story = weatherStory(kind, seed);
          const judged = judgeWeather(kind, story, await playStory(story));
          falsePages += judged.falsePages;
          messages += judged.messages;
          faults.push(...judged.problems.map((problem) => `${kind}, seed ${seed}: ${problem}`));
        }
      return {
        figure: `${number(count * weatherKinds.length * weatherDays)} days: ${falsePages} false pages, ${messages} messages besides digests and maintenance`,
        faults,
      };
    },
  },
  {
    name: "clock",
    promise: "clock",
    goal: "24 kinds of jump, starts with a wrong clock and wrong clocks of V1: 0 rows lost, at most 2 messages of each, V1's faults still reported",
    async prove() {
      const { jumps, listJumpAlerts, playJumps } = await import("../test/local/store/clock-jumps.ts");
      const results = await playJumps(jumps);
      const lost = results.reduce((sum, result) => sum + result.lost, 0);
      const most = Math.max(...results.map((result) => listJumpAlerts(result).length));
      const reported = results.filter(({ isFaultReported }) => isFaultReported).length;
      return {
        figure: `${results.length} kinds of jump, starts with a wrong clock and wrong clocks of V1 among them: ${lost} rows lost, at most ${most} messages of each, V1's fault reported in ${reported}`,
        faults: results.flatMap((result) => {
          const { name, lost, isFaultReported } = result;
          const ids = listJumpAlerts(result).map(({ id }) => id);
          return [
            ...(lost > 0 ? [`${name}: ${lost} rows lost`] : []),
            ...(ids.length > 2 ? [`${name}: ${ids.join(", ")}`] : []),
            ...(isFaultReported ? [] : [`${name}: V1's fault is not reported`]),
          ];
        }),
      };
    },
  },
  {
    name: "ends",
    promise: "V1's end",
    goal: "40 virtual days of 100 random scripts of responses (any status, header and body in any order) that end for good at any instant: no exception, no rule that fails, no silence, and the end is reported",
    count: 100,
    isSeeded: true,
    async prove(count, seed) {
      const { createScript, judgeScript, playScript, scriptDays } = await import(
        "../test/replay/random-script.ts"
      );
      const faults: string[] = [];
      const endings = new Set<string>();
      let [checks, messages] = [0, 0];
      for (let own = seed; own < seed + count; own += 1) {
        const script = createScript(own);
        const played = await playScript(script);
        endings.add(script.ending.name);
        checks += played.observations.length;
        messages += played.messages.length;
        for (const problem of judgeScript(script, played)) faults.push(`seed ${own}: ${problem}`);
      }
      return {
        figure: `${count} scripts of ${scriptDays} days with ${endings.size} kinds of end: ${number(checks)} checks, ${number(messages)} messages, ${faults.length} broken laws`,
        faults,
      };
    },
  },
  {
    name: "framings",
    promise: "framing of bodies",
    goal: "200 bodies of up to 2 MiB in chunks of 1 byte and more, plain and compressed, to the whole watch with a heap of 128 MB: under 256 MB of memory, which is that of the prober's function",
    count: 200,
    isSeeded: true,
    async prove(count, seed) {
      const { drawFramings, watchFramings, worstFraming } = await import("../test/probe/http/framings.ts");
      const framings = [worstFraming, ...drawFramings(Math.max(0, count - 1), seed)];
      const { watched, faults } = await watchFramings(framings);
      const outcomes = Object.entries(watched?.outcomes ?? {}).map(([name, times]) => `${times} ${name}`);
      return {
        figure: `${count} bodies (${outcomes.join(", ")}): ${watched?.memoryMb ?? "more than 256"} MB of memory`,
        faults,
      };
    },
  },
  {
    name: "hostile",
    promise: "hostile bodies",
    goal: "1,000,000 bodies: 0 crashes, under 256 MB of memory, the slowest under 500 ms, records under 8 KB",
    count: 1_000_000,
    isSeeded: true,
    flags: ["--max-semi-space-size=1", "--max-old-space-size=128"],
    prove: observeHostileBodies,
  },
  {
    name: "values",
    promise: "odd dates and values",
    goal: "5,000 responses with odd dates (24:00, :60, February 30, the year 10000) and values in every field and header: every observation is read back from SQLite and DynamoDB as it was stored",
    count: 5_000,
    isSeeded: true,
    async prove(count, seed) {
      const { readBackOddBodies } = await import("../test/local/store/odd-bodies.ts");
      const { leftOut, faults } = await readBackOddBodies(count, seed);
      return {
        figure: `${number(count)} responses, each in SQLite and in DynamoDB: ${faults.length} lost, changed or unreadable; ${leftOut} with a value that had to be left out`,
        faults,
      };
    },
  },
  {
    name: "older",
    promise: "older stores",
    goal: "a store and a table of the first release open: every observation, alert and decision is there, checkpoints of another schema are computed again, and nothing is announced twice",
    prove: () =>
      proveByTests(
        "a store and a table of the first release, 0 rows lost, 0 alerts repeated",
        "test/local/store/older-stores.test.ts",
      ),
  },
  {
    name: "strings",
    promise: "strings × fields × sinks",
    goal: "every naughty string in every kept field, read back by the parser of each output: 0 escapes",
    async prove() {
      const { naughtyStrings } = await import("../test/naughty-strings.ts");
      return proveByTests(`${naughtyStrings.length} strings, 0 escapes`, "test/naughty-strings.test.ts");
    },
  },
  {
    name: "addresses",
    promise: "forbidden addresses",
    goal: "250 spellings, DNS answers, rebinding and redirects: 0 connections",
    prove: () =>
      proveByTests(
        "more than 250 spellings, 0 connections",
        "test/probe/http/forbidden-addresses.test.ts",
        "test/probe/http/addresses.test.ts",
      ),
  },
  {
    name: "sentinels",
    promise: "sentinels",
    goal: "0 hits in all artefacts, with the key repeated wherever V1 could",
    prove: () => proveByTests("0 hits", "test/local/sentinels.test.ts", "test/probe/privacy.test.ts"),
  },
];
