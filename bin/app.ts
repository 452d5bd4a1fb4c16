// The CDK app: configuration → stack. Every mistake stops it, with its path and a remedy.
import { mistakesText, readConfig } from "../lib/config.ts";
import { estimateCost } from "../lib/stack/cost.ts";
import { costText } from "../lib/stack/cost-text.ts";
import { findMistakes } from "../lib/stack/mistakes.ts";
import { createApp } from "../lib/stack/watch.ts";

const loaded = await readConfig(process.env, {}, { apart: true });
const mistakes = loaded.ok ? findMistakes(loaded.config) : loaded.mistakes;
if (!loaded.ok || mistakes.length > 0) {
  process.stderr.write(mistakesText(mistakes));
  process.exit(2);
}
process.stderr.write(`${costText(loaded.config, estimateCost(loaded.config))}\n`);
if (loaded.config.aws.subscriptions.length === 0) {
  process.stderr.write("Nobody is told: aws.subscriptions is empty.\n\n");
}
createApp(loaded.config).synth();
