import { readFileSync } from "node:fs";
import { type Config, loadConfig, mistakesText, type Place } from "../config/config.ts";
import { findSettingMistakes } from "./mistakes.ts";

type Given = {
  config: object | string;
  keyKmsKeyArn?: string;
  runbookUrl?: string;
  existingTableName?: string;
  removal?: string;
  comparison?: boolean;
  tags?: Readonly<Record<string, string>>;
};

/** A mistake stops the synthesis, with all others, each with its path and remedy. */
export function loadSettings(given: Given): Config {
  const { config, keyKmsKeyArn, runbookUrl, existingTableName, removal, comparison, tags } = given;
  const [filePath, fileText] =
    typeof config === "string" ? [config, readText(config)] : ["config", JSON.stringify(config)];
  const loaded = parse(fileText, filePath);
  const own = Object.entries({ keyKmsKeyArn, existingTableName, removal, comparison, tags }).filter(
    ([, value]) => value !== undefined,
  );
  if (own.length === 0 && runbookUrl === undefined) return loaded;
  const aws = { ...loaded.aws, ...Object.fromEntries(own) };
  return parse(JSON.stringify({ ...loaded, aws, runbookUrl: runbookUrl ?? loaded.runbookUrl }), filePath);
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
  if (!loaded.ok) throw new Error(mistakesText(loaded.mistakes).trimEnd());
  return loaded.config;
}

export function assertNoMistakes(config: Config, where: Place & { isPlayed: boolean }): void {
  const mistakes = findSettingMistakes(config, where);
  if (mistakes.length > 0) throw new Error(mistakesText(mistakes).trimEnd());
}
