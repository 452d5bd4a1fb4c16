// The value types of settings. An `error` describes the expected value as "a thing (its form)", such as
// "a whole number (from 1 to 10)". mistakes.ts turns it into a sentence.

import * as z from "zod";
import { formatCount } from "../text.ts";
import { durationMs } from "./durations.ts";

export function duration(min: string, max: string) {
  const error = `a duration (a whole number and s, m, h or d, from "${min}" to "${max}")`;
  return z
    .string({ error })
    .regex(/^[1-9]\d{0,5}[smhd]$/, { error, abort: true })
    .refine((text) => durationMs(text) >= durationMs(min) && durationMs(text) <= durationMs(max), { error })
    .meta({ $comment: `duration from ${min} to ${max}` });
}

export function wholeNumber(min: number, max: number) {
  const error = `a whole number (from ${formatCount(min)} to ${formatCount(max)})`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

export function choice<const Options extends readonly [string, ...string[]]>(options: Options) {
  return z.enum(options, { error: `a choice (${options.map((option) => `"${option}"`).join(" or ")})` });
}

export function toggle() {
  return z.boolean({ error: "a switch (true or false)" });
}

export function section<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  const object = z.strictObject(shape, { error: "a section (settings in braces)" });
  return object.prefault({} as z.input<typeof object>).describe(description);
}
