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

/** Stories that the watch does not get right yet, each with what is wrong. A story that becomes right must be removed. */
const knownWrong: Record<string, string> = {
  "calm-list-out-of-order-once":
    "A list that is out of order for one scheduled check and its confirmations is paged as breaking drift.",
  "dates-move-without-values": "The warning does not come within seven days.",
  "equal-scores": "The warning does not come within seven days.",
  "frozen-in-a-service-with-weekends-at-rest": "A second warning (partly frozen) follows the first one.",
  "gone-410-endpoint-by-endpoint": "More than two openings in an hour.",
  "key-refused-where-anonymous-was-never-served":
    "The rule is key-refused in place of maybe-retired; the text says that both are possible.",
  "outage-recovers-in-parts": "The incident is not narrowed to the endpoint that is left.",
  "partly-frozen": "Neither a warning nor a digest mentions it.",
  "quota-then-key-refused": "The change of the cause is not reported.",
  "two-endpoints-with-different-faults": "The withdrawn endpoint is not reported as withdrawn.",
  "withdrawn-everything-404-then-back": "The page comes later than the specification demands.",
};

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
    if (name in knownWrong) expect(problems, `${name} is right now: remove it from the list`).not.toEqual([]);
    else expect(problems).toEqual([]);
  });
});
