/**
 * Plays one story by the engine of `v1watch replay`: `node play-one.ts FILE`. Prints a line of JSON with the messages and
 * the mistakes that the auditor found in them.
 */
import { auditAllFacts } from "../assess/fact-auditor.ts";
import { playStory } from "./play.ts";
import { readStory } from "./types.ts";

const { messages, observations } = await playStory(readStory(process.argv[2] ?? ""));
const alerts = messages.map(({ alert }) => alert);
process.stdout.write(`${JSON.stringify({ alerts, mistakes: auditAllFacts(alerts, observations) })}\n`);
