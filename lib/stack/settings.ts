import { readFileSync } from "node:fs";
import { type Config, loadConfig, mistakesText } from "../config/config.ts";
import { findSettingMistakes, type Where } from "./mistakes.ts";

/** A mistake stops the synthesis, with all others, each with its path and remedy. */
export function loadSettings(config: object | string): Config {
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
