// Where a secret is kept, as the configuration and the mapping name it: never the secret itself.
import * as z from "zod";
import { looksLikeKey } from "./secret-forms.ts";

function name(thing: string, pattern: RegExp, example: string) {
  const error = `the name of ${thing} (such as "${example}"; never the key itself)`;
  return z
    .string({ error })
    .regex(pattern, { error, abort: true })
    .refine((text) => !looksLikeKey(text), { error });
}

export const inEnvironment = (what: string, example: string) =>
  z.strictObject({
    env: name("an environment variable", /^[A-Z][A-Z0-9_]{0,99}$/, example).describe(
      `The environment variable that contains ${what}.`,
    ),
  });
export const inFile = (what: string, example: string) =>
  z.strictObject({
    file: name("a file", /^[^\0\r\n]{1,1000}$/, example).describe(
      `The file that contains ${what} and nothing else.`,
    ),
  });

type Examples = Readonly<Record<"env" | "file" | "path", string>>;

/** Where a secret is read from that functions in AWS need, too. */
export const secretPlaces = (what: string, examples: Examples) =>
  [
    inEnvironment(what, examples.env),
    inFile(what, examples.file),
    z.strictObject({
      ssm: name("an SSM parameter", /^[\w./-]{1,1011}$/, `/${examples.path}`).describe(
        `The SSM parameter (SecureString) that contains ${what}.`,
      ),
    }),
    z.strictObject({
      secret: name("a Secrets Manager secret", /^[\w/+=.@:-]{1,600}$/, examples.path).describe(
        `The Secrets Manager secret that contains ${what}.`,
      ),
    }),
  ] as const;

/** The source of an API key; an API may do without one. */
export const keySource = (examples: Examples) =>
  z
    .union([...secretPlaces("the key", examples), z.literal("none")], {
      error: 'a key source ({ "env": … }, { "file": … }, { "ssm": … }, { "secret": … } or "none")',
    })
    .default({ env: examples.env });
