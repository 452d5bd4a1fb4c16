// The kinds of values that settings have. An `error` is what the value should have been:
// "a thing (its form)"; mistakes.ts makes the sentence.
import * as z from "zod";
import { durationMs } from "./duration.ts";
import { looksLikeKey } from "./key.ts";

export function duration(min: string, max: string) {
  const error = `a duration (a whole number and s, m, h or d, from "${min}" to "${max}")`;
  return z
    .string({ error })
    .regex(/^[1-9]\d{0,5}[smhd]$/, { error, abort: true })
    .refine((text) => durationMs(text) >= durationMs(min) && durationMs(text) <= durationMs(max), { error });
}

export function whole(min: number, max: number) {
  const error = `a whole number (from ${min.toLocaleString("en")} to ${max.toLocaleString("en")})`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

export function name(of: string, form: RegExp, example: string) {
  const error = `the name of ${of} (such as "${example}"; never the key itself)`;
  return z
    .string({ error })
    .regex(form, { error, abort: true })
    .refine((text) => !looksLikeKey(text), { error });
}

/** One of a few words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `a choice (${words.map((word) => `"${word}"`).join(" or ")})` });
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
