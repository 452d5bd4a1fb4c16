/**
 * Plays one story by the engine of `v1watch replay`: `node play-one.ts FILE`. Prints a line of JSON with the messages and
 * the mistakes that the auditor found in them.
 */
import { readFileSync } from "node:fs";
import { auditAll } from "../assess/auditor.ts";
import { playStory } from "./play.ts";
import type { Story } from "./types.ts";

const { messages, observations } = await playStory(
  JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Story,
);
const alerts = messages.map(({ alert }) => alert);
process.stdout.write(`${JSON.stringify({ alerts, mistakes: auditAll(alerts, observations) })}\n`);
