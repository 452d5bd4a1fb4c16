// Histories of an API that were written, with their truth, by somebody who had not seen the rules. Each is played
// through `v1watch replay` against the story's own server, and its messages are scored against the truth.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { type Message, scoreStory } from "./score.ts";
import { startStoryServer } from "./server.ts";
import type { Story } from "./types.ts";

const folder = join(import.meta.dirname, "stories");
const program = join(import.meta.dirname, "../../bin/v1watch.ts");
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));

async function play(story: Story): Promise<Message[]> {
  const server = await startStoryServer(story);
  try {
    const args = [
      "replay",
      "--base-url",
      server.url,
      "--days",
      String(story.days),
      "--start",
      story.start,
      "--json",
    ];
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, V1WATCH_API_KEY: "story-key" },
    });
    const [output] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    const lines = output
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: "summary" });
    return lines.filter(({ type }) => type === "message");
  } finally {
    await server.close();
  }
}

describe.concurrent("the messages of the watch are right for the story", () => {
  test.for(names)("%s", async (name) => {
    const story = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Story;
    const { problems } = scoreStory(story, await play(story));
    expect(problems).toEqual([]);
  });
});
