// What was deployed beside a function's code.
import { readFileSync } from "node:fs";

/** Undefined where nothing was. */
export function readBeside(name: string): unknown {
  let text: string;
  try {
    text = readFileSync(new URL(name, import.meta.url), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return JSON.parse(text);
}
