// The CDK app: builds the stack from the configuration. A configuration error stops it, with path, cause and remedy.
import { dirname } from "node:path";
import { readTeamFiles } from "../lib/commands/ready/files.ts";
import { configFileName, mistakesText, readConfig } from "../lib/config/config.ts";
import { costText, estimateCost } from "../lib/stack/cost.ts";
import { findMistakes } from "../lib/stack/mistakes.ts";
import { createApp } from "../lib/stack/watch.ts";

const loaded = await readConfig(process.env, {});
if (loaded.ok) process.stderr.write(`${costText(loaded.config, estimateCost(loaded.config))}\n`);
// AWS_ENDPOINT_URL points at an AWS emulator, with which V1 may have a loopback address.
const isPlayed = process.env.AWS_ENDPOINT_URL !== undefined;
const mistakes = loaded.ok ? findMistakes(loaded.config, { isPlayed }) : loaded.mistakes;
if (!loaded.ok || mistakes.length > 0) {
  process.stderr.write(mistakesText(mistakes));
  process.exit(2);
}
if (loaded.config.aws.subscriptions.length === 0) {
  process.stderr.write("No alerts will be delivered: aws.subscriptions is empty.\n\n");
}
const folder = dirname(process.env.V1WATCH_CONFIG || configFileName);
const teamFiles = await readTeamFiles({}, folder).catch((error: Error) => {
  process.stderr.write(`v1watch: ${error.message}\n`);
  process.exit(2);
});
const found = Object.entries(teamFiles).flatMap(([name, file]) => (file ? [name] : []));
process.stderr.write(
  found.length > 0
    ? `Files included in the report: ${found.join(", ")}.\n\n`
    : "The report includes no mapping and no inventory: the folder of the configuration contains neither.\n\n",
);
createApp(loaded.config, found.length > 0 ? JSON.stringify(teamFiles) : undefined).synth();
