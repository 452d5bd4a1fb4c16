// Plays a story through the engine of `v1watch replay`, or as the functions of AWS play it, and keeps the observations,
// so that the auditor can recompute every number of every message.

import { assess, type Memory } from "../../lib/assess/assess.ts";
import { recordTick } from "../../lib/assess/record-tick.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { type Message, replay } from "../../lib/local/replay.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { Ports } from "../../lib/ports.ts";
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

/**
 * One function for each endpoint, at the same time, and an assessment, each of them once a minute. The assessment of a
 * minute does not see the checks of that minute. Minutes in which nothing is due are left out.
 */
export async function playStoryByFunctions(story: Story): Promise<Played> {
  const startMs = Date.parse(story.start);
  let nowMs = startMs;
  const server = await startStoryServer(story, () => nowMs);
  const config = configure({ baseUrl: server.url });
  const messages: Message[] = [];
  const observations: Observation[] = [];
  const { ledger, outbox } = openMemoryStore(() => nowMs, {
    ...emptyProbeState,
    hashKey: `story-${story.seed}`,
  });
  const ports: Ports = {
    nowMs: () => nowMs,
    readKey,
    ledger,
    outbox,
    receivers: [acceptAlerts((alert) => messages.push({ atMs: nowMs, alert }))],
  };
  const memory: Memory = {};
  const checkOne = async (only: Observation["endpoint"]) => {
    const tick = { tickMs: nowMs, config, ledger, readKey, nowMs: () => nowMs, allowLoopback: true, only };
    const result = await runTick(tick);
    observations.push(...result.observations);
    const failed = await recordTick(ports, result.observations);
    if (failed) throw new Error(failed.why);
    return result;
  };
  try {
    while (nowMs < startMs + story.days * DAY) {
      await assess(ports, assessmentSettings(config), memory);
      const results = await Promise.all(endpointIds.map(checkOne));
      const isNew = results.some((one) => one.observations.length > 0);
      const nextMs = Math.min(...results.map(({ nextTickMs }) => nextTickMs));
      nowMs = isNew ? nowMs + MINUTE : Math.max(nowMs + MINUTE, Math.ceil(nextMs / MINUTE) * MINUTE);
    }
    return { messages, observations, spent: (await ledger.readProbeState())?.value.spent ?? {} };
  } finally {
    await server.close();
  }
}
