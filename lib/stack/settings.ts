import { readFileSync } from "node:fs";
import { type Config, loadConfig, mistakesText } from "../config/config.ts";
import { findSettingMistakes } from "./mistakes.ts";

type Given = {
  config: object | string;
  keyKmsKeyArn?: string | undefined;
  runbookUrl?: string | undefined;
  existingTableName?: string | undefined;
  removal?: string | undefined;
  comparison?: boolean | undefined;
  tags?: Readonly<Record<string, string>> | undefined;
  /** In days. */
  logRetention?: number | undefined;
  enabled?: boolean | undefined;
};

/** A mistake stops the synthesis, with all others, each with its path and remedy. */
export function loadSettings(given: Given): Config {
  const { config, runbookUrl } = given;
  const [filePath, fileText] =
    typeof config === "string" ? [config, readText(config)] : ["config", JSON.stringify(config)];
  const loaded = parse(fileText, filePath);
  const own = {
    keyKmsKeyArn: given.keyKmsKeyArn,
    existingTableName: given.existingTableName,
    removal: given.removal,
    comparison: given.comparison,
    tags: given.tags,
    logRetentionDays: given.logRetention,
    enabled: given.enabled,
  };
  const set = Object.entries(own).filter(([, value]) => value !== undefined);
  if (set.length === 0 && runbookUrl === undefined) return loaded;
  const aws = { ...loaded.aws, ...Object.fromEntries(set) };
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
  if (!loaded.ok) throw new Error(`v1watch: ${mistakesText(loaded.mistakes)}`);
  return loaded.config;
}

export function assertNoMistakes(
  config: Config,
  where: { region: string | undefined; isPlayed: boolean; hasVpc: boolean },
): void {
  const mistakes = findSettingMistakes(config, where);
  if (mistakes.length > 0) throw new Error(`v1watch: ${mistakesText(mistakes)}`);
}
