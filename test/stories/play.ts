// Plays a story through the engine of `v1watch replay`, and keeps the observations, so that the auditor can recompute
// every number of every message.
import { loadConfig } from "../../lib/config/config.ts";
import { type Replay, replay } from "../../lib/local/replay.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { startStoryServer } from "./server.ts";
import { DAY, STORY_KEY, type Story } from "./types.ts";

export type Played = Replay & { observations: Observation[] };

export async function playStory(story: Story): Promise<Played> {
  const server = await startStoryServer(story);
  const loaded = loadConfig({ fileText: JSON.stringify({ baseUrl: server.url }), env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  const startMs = Date.parse(story.start);
  const observations: Observation[] = [];
  try {
    const result = await replay({
      ...{ config: loaded.config, clock: { nowMs: startMs }, untilMs: startMs + story.days * DAY },
      ...{ seed: story.seed, signal: new AbortController().signal },
      readKey: async () => ({ kind: "key", key: STORY_KEY }),
      onObservation: (one) => void observations.push(one),
    });
    return { ...result, observations };
  } finally {
    await server.close();
  }
}
