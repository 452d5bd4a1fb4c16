import { readFileSync } from "node:fs";
import { Token } from "aws-cdk-lib";
import { type Config, loadConfig, mistakesText } from "../config/config.ts";
import { findSettingMistakes, type Where } from "./mistakes.ts";

/** A mistake stops the synthesis, with all others, each with its path and remedy. */
export function loadSettings(config: object | string): Config {
  if (typeof config === "object") assertNoTokens(config);
  return typeof config === "string"
    ? parse(readText(config), config)
    : parse(JSON.stringify(config), "config");
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`v1watch: the configuration file "${path}" cannot be read (${code}). Name another.`);
  }
}

function parse(fileText: string, filePath: string): Config {
  // Without the environment of this machine: the same app gives the same template everywhere.
  const input = { fileText, filePath, env: {}, flags: {} };
  const loaded = loadConfig({ ...input, ignoreBudget: true });
  if (!loaded.ok) throw new Error(`v1watch: ${mistakesText(loaded.mistakes)}`);
  return loaded.config;
}

export function assertNoMistakes(config: Config, where: Where): void {
  const mistakes = findSettingMistakes(config, where);
  if (mistakes.length > 0) throw new Error(`v1watch: ${mistakesText(mistakes)}`);
}

/** Where a configuration has a value that only the deployment knows, such as the name of a resource of the app. */
function listTokens(value: unknown, path: string): string[] {
  if (Token.isUnresolved(value)) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isIndex = Array.isArray(value);
    return listTokens(inner, isIndex ? `${path}[${name}]` : [path, name].filter(Boolean).join("."));
  });
}

function assertNoTokens(config: object): void {
  const mistakes = listTokens(config, "").map((path) => ({
    path,
    problem: "is known only at the deployment; v1watch checks its configuration before.",
    remedy: path.startsWith("aws.subscriptions")
      ? "Subscribe it to watch.topic and watch.watchTopic, such as with new SqsSubscription(queue)."
      : path.startsWith("aws.selfAlarmActions")
        ? "Give it as a construct: alarmActions or addAlarmAction()."
        : "Write the value itself, or look it up at the synthesis, such as with StringParameter.valueFromLookup().",
  }));
  if (mistakes.length > 0) throw new Error(`v1watch: ${mistakesText(mistakes)}`);
}
