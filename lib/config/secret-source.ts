// Where a secret is read from, and which addresses messages may be sent to.
import * as z from "zod";
import { isLoopbackHost } from "./loopback.ts";
import { name } from "./values.ts";

/** Why messages cannot be sent to an address. The address is a secret, so no message repeats it. */
export function findAddressProblem(address: string): { problem: string; remedy: string } | undefined {
  const url = URL.parse(address);
  if (!url) return { problem: "is not a web address.", remedy: "Write it in full, with https://." };
  if (url.username || url.password)
    return {
      problem: "holds a user name or a password.",
      remedy: "Use an address with a token in its path.",
    };
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname)))
    return { problem: "has to be https.", remedy: "Use https; http is for this machine only." };
  return undefined;
}

export const address = (example: string) =>
  z.string({ error: `a web address (such as "${example}")` }).superRefine((text, context) => {
    const problem = findAddressProblem(text);
    if (problem) context.addIssue({ code: "custom", message: problem.problem, params: problem });
  });

export type SecretSource = { env: string } | { file: string };

const inEnvironment = (what: string, example: string) =>
  z.strictObject({
    env: name("an environment variable", /^[A-Z][A-Z0-9_]{0,99}$/, example).describe(
      `The environment variable that contains ${what}.`,
    ),
  });
const inFile = (what: string, example: string) =>
  z.strictObject({
    file: name("a file", /^[^\0\r\n]{1,1000}$/, example).describe(
      `The file that contains ${what} and nothing else.`,
    ),
  });

export const secretSource = (what: string, example: string) =>
  z
    .union(
      [
        inEnvironment(what, example),
        inFile(what, `/run/secrets/${example.toLowerCase().replaceAll("_", "-")}`),
      ],
      { error: 'the source of a secret ({ "env": … } or { "file": … })' },
    )
    .meta({ description: `The source of ${what}.`, examples: [{ env: example }] });

/** Where a secret is read from that functions in AWS need, too. */
export const secretPlaces = (what: string, examples: Readonly<Record<"env" | "file" | "path", string>>) =>
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
