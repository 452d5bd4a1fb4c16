// Histories of an API that were written, with their truth, by somebody who had not seen the rules. Each is played by the
// engine of `v1watch replay` against the story's own server. Its messages are scored against the truth, and every number
// of them is recomputed from the observations.
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Alert } from "../../lib/records/alert.ts";
import { type Message, scoreStory } from "./score.ts";
import { readStory } from "./types.ts";

const folder = join(import.meta.dirname, "stories");
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));

/** In a process of its own, so that several stories are played at a time. */
async function play(name: string): Promise<{ alerts: Alert[]; mistakes: string[] }> {
  const args = [join(import.meta.dirname, "play-one.ts"), join(folder, `${name}.json`)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}

describe.concurrent("the stories", () => {
  test.for(names)("The messages of the story %s are right, and every number of them holds", async (name) => {
    const story = readStory(join(folder, `${name}.json`));
    const { alerts, mistakes } = await play(name);
    const { problems } = scoreStory(story, alerts as unknown as Message[]);
    expect(problems).toEqual([]);
    expect(mistakes).toEqual([]);
  });
});
