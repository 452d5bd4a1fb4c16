// The CDK app: builds the stack from the configuration. A configuration error stops it, with path, cause and remedy.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { readTeamFiles } from "../lib/commands/ready/files.ts";
import { configFileName, mistakesText, readConfig } from "../lib/config/config.ts";
import { estimateCost } from "../lib/stack/cost.ts";
import { costText } from "../lib/stack/cost-text.ts";
import { firstMessagesText } from "../lib/stack/first-messages.ts";
import { createApp } from "../lib/stack/v1-watch.ts";

const { env } = process;
const example = fileURLToPath(new URL("../docs/aws/deploy.example.json", import.meta.url));
const isExample = !env.V1WATCH_CONFIG && !env.V1WATCH_BASE_URL && !existsSync(configFileName);
// The construct reports a budget that is too small, so that the stack can still be destroyed.
const loaded = await readConfig(env, isExample ? { config: example } : {}, { ignoreBudget: true });

function refuse(text: string): never {
  process.stderr.write(text);
  process.exit(2);
}

if (!loaded.ok) refuse(`v1watch: ${mistakesText(loaded.mistakes)}\n`);
const { config, origins } = loaded;
if (isExample) {
  // Under a name of its own: it must not take the place of a watch that is deployed.
  config.aws.stackName = "v1watch-example";
  process.stderr.write(
    `There is no ${configFileName} here: this is the example, docs/aws/deploy.example.json. Copy it to ${configFileName}, set baseUrl, key, samples and aws.subscriptions, and do not deploy it as it is.\n\n`,
  );
}
process.stderr.write(`${costText(config, estimateCost(config))}\n`);
process.stderr.write(`${firstMessagesText(config)}\n`);
if (config.aws.subscriptions.length === 0) {
  process.stderr.write("No alerts will be delivered: aws.subscriptions is empty.\n\n");
}
const folder = dirname(env.V1WATCH_CONFIG || configFileName);
const named = origins.inventory === "default" ? {} : { inventory: config.inventory };
const teamFiles = await readTeamFiles(named, folder).catch((error: Error) =>
  refuse(`v1watch: ${error.message}\n`),
);
const found = Object.entries(teamFiles).flatMap(([name, file]) => (file ? [name] : []));
process.stderr.write(
  found.length > 0
    ? `Files included in the report: ${found.join(", ")}.${teamFiles.inventory ? " Alerts name the code of the inventory." : ""}\n\n`
    : "The report includes no mapping and no inventory: the folder of the configuration contains neither.\n\n",
);
try {
  createApp(config, found.length > 0 ? JSON.stringify(teamFiles) : undefined).synth();
} catch (error) {
  const { message } = error as Error;
  if (!message.startsWith("v1watch: ")) throw error;
  refuse(`${message}\n`);
}
