// Where a secret is read from, and which addresses messages may be sent to.
import * as z from "zod";
import { inEnvironment, inFile } from "../records/secret-places.ts";
import { isLoopbackHost } from "./loopback.ts";

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
