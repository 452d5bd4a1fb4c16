// The value types of settings. An `error` describes the expected value as "a thing (its form)", such as
// "a whole number (from 1 to 10)". mistakes.ts turns it into a sentence.

import * as z from "zod";
import { formatCount } from "../text.ts";

export function duration(min: string, max: string) {
  const error = `a duration (a whole number and s, m, h or d, from "${min}" to "${max}")`;
  return z
    .string({ error })
    .regex(/^[1-9]\d{0,5}[smhd]$/, { error, abort: true })
    .refine((text) => durationMs(text) >= durationMs(min) && durationMs(text) <= durationMs(max), { error });
}

export function wholeNumber(min: number, max: number) {
  const error = `a whole number (from ${formatCount(min)} to ${formatCount(max)})`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

export function name(thing: string, pattern: RegExp, example: string) {
  const error = `the name of ${thing} (such as "${example}"; never the key itself)`;
  return z
    .string({ error })
    .regex(pattern, { error, abort: true })
    .refine((text) => !looksLikeKey(text), { error });
}

export function choice<const Options extends readonly [string, ...string[]]>(options: Options) {
  return z.enum(options, { error: `a choice (${options.map((option) => `"${option}"`).join(" or ")})` });
}

export function toggle() {
  return z.boolean({ error: "a switch (true or false)" });
}

export function section<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  return z
    .strictObject(shape, { error: "a section (settings in braces)" })
    .prefault({} as never)
    .describe(description);
}

// Durations are written as "90s", "15m", "6h" or "30d".
const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function durationMs(text: string): number {
  return Number(text.slice(0, -1)) * unitsMs[text.at(-1) as keyof typeof unitsMs];
}

// The common forms of API keys, to detect a key that was written where it does not belong.
const bare = /^(?=.*\d)(?=.*[a-z])(?!0x)[a-z0-9]{20,200}$/i;
const prefixed = /^[a-z]{1,8}[_-](?:[a-z]{1,8}[_-])?(?=[a-z]*\d)[a-z0-9]{16,200}$/i;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function looksLikeKey(text: string): boolean {
  return bare.test(text) || prefixed.test(text) || uuid.test(text);
}

/**
 * Shows the last four characters, which distinguish two keys. Shows nothing of a key shorter than 12
 * characters.
 */
export function maskKey(key: string): string {
  return key.length >= 12 && /^[\x21-\x7e]{4}$/.test(key.slice(-4)) ? `…${key.slice(-4)}` : "…";
}
