// The proxy that requests to V1 and to channels go through.
import * as z from "zod";
import { secretPlaces } from "../records/secret-places.ts";

type ProxyAddress = { url: URL; authorization: string | undefined };

/** Undefined where the text is not the address of a proxy, with or without a user and a password. */
export function parseProxyAddress(text: string): ProxyAddress | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return undefined;
  const { username, password } = url;
  if (username === "" && password === "") return { url, authorization: undefined };
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { url, authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  } catch {
    return undefined;
  }
}

/** The address as it may be printed. */
export function describeProxy(text: string): string | undefined {
  const address = parseProxyAddress(text);
  return address && `${address.url.origin}${address.authorization === undefined ? "" : " with credentials"}`;
}

const example = "http://proxy.example.com:3128";

const address = z
  .string({ error: `the address of a proxy (such as "${example}")` })
  .superRefine((text, context) => {
    const refuse = (problem: string, remedy: string) =>
      context.addIssue({ code: "custom", message: problem, params: { problem, remedy } });
    const parsed = parseProxyAddress(text);
    if (!parsed) return refuse("is not the address of a proxy.", `Write it like "${example}".`);
    if (parsed.authorization !== undefined)
      refuse(
        "holds a user name or a password.",
        'Keep the whole address elsewhere and name its source: { "env": "HTTPS_PROXY" }.',
      );
  })
  .describe("The address of a proxy that wants no password.");

const names = { env: "HTTPS_PROXY", file: "/run/secrets/proxy", path: "v1watch/proxy" };

export const proxy = z
  .union([z.strictObject({ url: address }), ...secretPlaces("the proxy's address", names)], {
    error: `a proxy ({ "url": "${example}" }, or the source of its address: { "env": … }, { "file": … }, { "ssm": … } or { "secret": … })`,
  })
  .optional()
  .describe(
    "The HTTP proxy for requests to V1 and V2, for channels over HTTP and for the heartbeat. If the address has a user and a password (http://user:password@proxy.example.com:3128), name its source, as for the key. NO_PROXY lists what v1watch reaches without it.",
  );

export type ProxySetting = NonNullable<z.infer<typeof proxy>>;
