// Plays a story through the engine of `v1watch replay`, or as the functions of AWS play it, and keeps the observations,
// so that the auditor can recompute every number of every message.

import { assess, type Memory } from "../../lib/assess/assess.ts";
import { recordTick } from "../../lib/assess/record-tick.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { createVirtualTransport, type Message, replay } from "../../lib/local/replay.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { KeyResult, Ports } from "../../lib/ports.ts";
import { runTick } from "../../lib/probe/tick.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { configure } from "../config/configure.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { startStoryServer } from "./server.ts";
import { DAY, MINUTE, parseInstant, STORY_KEY, type Story } from "./types.ts";

export type Played = {
  messages: Message[];
  observations: Observation[];
  /** Requests by month. */
  spent: Record<string, number>;
};

const readKey = async () => ({ kind: "key", key: STORY_KEY }) as const;

/** `cut` is the part of the story in which the watch runs, in offsets from its start. */
export async function playStory(
  story: Story,
  cut: { from: string; to: string } = { from: "0m", to: `${story.days * 1_440}m` },
): Promise<Played> {
  const server = await startStoryServer(story);
  const [nowMs, untilMs] = [parseInstant(story, cut.from), parseInstant(story, cut.to)];
  const observations: Observation[] = [];
  try {
    const { messages, spent } = await replay({
      config: configure({ baseUrl: server.url }),
      readKey,
      seed: story.seed,
      sockets: endpointIds.length,
      signal: new AbortController().signal,
      clock: { nowMs },
      untilMs,
      onObservation: (one) => void observations.push(one),
    });
    return { messages, observations, spent };
  } finally {
    await server.close();
  }
}

export type Prober = Observation["endpoint"];

/** What starts the functions of AWS and answers them. Where it is left out, all is well. */
export type Surroundings = {
  assessEveryMinutes?: number;
  isStarted?(prober: Prober, atMs: number): boolean;
  /** So long after its tick a prober starts, up to 90 s; an assessment then starts 31 s after its minute, when all of the last one have. */
  lateMs?: ((prober: Prober, atMs: number) => number) | undefined;
  readKey?(atMs: number): Promise<KeyResult>;
  wrapPorts?(ports: Ports): Ports;
  /** A run fails where this is given, and the play otherwise. Runs of a prober without anything due are left out. */
  onRun?(run: { name: "assess" | Prober; atMs: number; isFailed: boolean }): void | Promise<void>;
};

/**
 * One function for each endpoint, at the same time, and an assessment, each of them once a minute unless told otherwise. The
 * assessment of a minute does not see the checks of that minute.
 */
export async function playStoryByFunctions(story: Story, around: Surroundings = {}): Promise<Played> {
  const { assessEveryMinutes = 1, isStarted = () => true, wrapPorts = (one) => one, onRun } = around;
  let nowMs = Date.parse(story.start);
  const endMs = nowMs + story.days * DAY;
  const assessLateMs = around.lateMs ? 31_000 : 0;
  const server = await startStoryServer(story);
  const config = configure({ baseUrl: server.url });
  const messages: Message[] = [];
  const observations: Observation[] = [];
  const { ledger, outbox } = openMemoryStore(() => nowMs, {
    ...emptyProbeState,
    hashKey: `story-${story.seed}`,
  });
  const ports = wrapPorts({
    nowMs: () => nowMs,
    readKey: () => around.readKey?.(nowMs) ?? readKey(),
    ledger,
    outbox,
    receivers: [acceptAlerts((alert) => messages.push({ atMs: nowMs, alert }))],
  });
  const transports = new Map(endpointIds.map((only) => [only, createVirtualTransport()]));
  const memory: Memory = {};
  /** Forgotten with every new observation: it may be a reason to check the other endpoints, too. */
  const nextMs = new Map<Prober, number>();

  /** Whether there is anything new. */
  async function check(only: Prober): Promise<boolean> {
    const { transport } = transports.get(only) ?? {};
    const { readKey } = ports;
    const lateMs = around.lateMs?.(only, nowMs) ?? 0;
    const tick = {
      tickMs: nowMs,
      config,
      ledger: ports.ledger,
      readKey,
      nowMs: () => ports.nowMs() + lateMs,
      only,
      transport,
    };
    const result = await runTick({ ...tick, allowLoopback: true });
    observations.push(...result.observations);
    const failed = await recordTick(ports, result.observations);
    if (failed) throw new Error(failed.why);
    nextMs.set(only, result.nextTickMs);
    return result.observations.length > 0;
  }
  async function run(name: "assess" | Prober, work: () => Promise<unknown>): Promise<unknown> {
    let [isFailed, result]: [boolean, unknown] = [false, undefined];
    try {
      result = await work();
    } catch (error) {
      if (!onRun) throw error;
      isFailed = true;
    }
    await onRun?.({ name, atMs: nowMs, isFailed });
    return result;
  }
  try {
    for (let minute = 0; nowMs < endMs; minute += 1, nowMs += MINUTE) {
      if (minute % assessEveryMinutes === 0) {
        nowMs += assessLateMs;
        await run("assess", () => assess(ports, assessmentSettings(config), memory));
        nowMs -= assessLateMs;
      }
      const due = endpointIds.filter((one) => isStarted(one, nowMs) && (nextMs.get(one) ?? 0) <= nowMs);
      const areNew = await Promise.all(due.map((one) => run(one, () => check(one))));
      if (areNew.includes(true)) nextMs.clear();
    }
    return { messages, observations, spent: (await ledger.readProbeState())?.value.spent ?? {} };
  } finally {
    for (const { close } of transports.values()) close();
    await server.close();
  }
}
