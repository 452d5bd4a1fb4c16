// Which endpoint a text asks for. Unknown parts are holes; a text with holes is all that source code has.
import type { EndpointId } from "../../contract/endpoints.ts";

export const hole = "\ue000";
/** A hole that takes whole numbers only, such as %d. */
export const integerHole = "\ue001";

export type Asked = {
  endpoint: EndpointId;
  /** False where the version is in a hole: it is V1's only if what is read from it is. */
  isSure: boolean;
  assumesInteger: boolean;
};

/** Addresses at which a team reaches V1 other than by `/api/v1`: a gateway's host, a path of its own. */
export type Addresses = { hosts: readonly string[]; basePaths: readonly string[] };

const resource = "(passports|passport_credentials)(\\ue000?)(?:/+([^/]*))?/?$";
const known = new RegExp(`(?:^|[/\\ue000])(?:api|\\ue000)/+v1/+${resource}`);
/** After `/vessels/${id}` it is another service's resource. */
const afterHole = new RegExp(`^(?:(?:https?://[^/]*/|/*(?:api|\\ue000)/+)*\\ue000/*|/?)${resource}`);
const versionHole = new RegExp(`/api/v?[\\ue000\\ue001]/+${resource}`);

/** A hole, a whole number, a wallet, a name of one, or a placeholder; a plain word is another resource. */
const idForm =
  /[\ue000\ue001]|^(?:\d+|0x[0-9a-f]+|[\w.-]+\.eth|:\w+|\{\w*\}|<\w+>|\$\w+|\$\{\w+\}|%[sdvi]|#\{\w+\})$/i;

const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export type AddressMatcher = {
  /** The endpoint that a text asks for; undefined where it asks for nothing of V1. */
  askedEndpoint(text: string): Asked | undefined;
  /** What may stand before a resource in a text, as the source of a regular expression. */
  prefix: string;
  /** Whether a text names a host or a path that the team gave for V1. */
  namesAddress(text: string): boolean;
};

export function createAddressMatcher({ hosts, basePaths }: Addresses): AddressMatcher {
  const paths = basePaths.map((path) => path.replace(/^\/+|\/+$/g, "")).filter((path) => path !== "");
  const sure = [
    known,
    ...paths.map((path) => new RegExp(`(?:^|[/\\ue000])${escapeText(path)}/+${resource}`)),
    ...hosts.map(
      (host) => new RegExp(`^(?:https?:)?//${escapeText(host)}(?::\\d+)?/(?:[^?#]*/)?${resource}`, "i"),
    ),
  ];
  const prefixes = [
    "api/v1",
    ...paths.map((path) => escapeText(path)),
    ...hosts.map((host) => `${escapeText(host)}(?::\\d+)?(?:/[\\w.-]+)*`),
  ];
  return {
    prefix: `(?:${prefixes.join("|")})`,
    askedEndpoint(text) {
      const path = text.replace(/[?#].*$/s, "");
      const exact = sure.map((form) => form.exec(path)).find((match) => match !== null);
      const match = exact ?? afterHole.exec(path) ?? versionHole.exec(path);
      if (!match) return undefined;
      const [, name, , id = ""] = match;
      const isSure = exact !== undefined;
      if (name === "passport_credentials")
        return id === "" ? { endpoint: "passport-credentials", isSure, assumesInteger: false } : undefined;
      if (id === "") return { endpoint: "passport-list", isSure, assumesInteger: false };
      return idForm.test(id)
        ? { endpoint: "passport", isSure, assumesInteger: id.includes(integerHole) }
        : undefined;
    },
    namesAddress: (text) =>
      hosts.some((host) => text.includes(host)) || paths.some((path) => text.includes(`${path}/`)),
  };
}

export const { askedEndpoint } = createAddressMatcher({ hosts: [], basePaths: [] });

const configFile =
  /(^|\/)((next|vite|nuxt|svelte|webpack|craco)\.config\.\w+|vercel\.json|netlify\.toml|_redirects|setupProxy\.\w+)$/;
const rewrites = [
  // Next.js, Vercel: `source: "/talent/:path*", destination: "https://…/api/v1/:path*"`
  /["']?source["']?\s*:\s*["'`]([^"'`]+?)\/?(?::\w+\*?|\(\.\*\)|\*)["'`]\s*,\s*["']?destination["']?\s*:\s*["'`]([^\n]*?)\/api\/v1\//g,
  // Netlify: `/talent/* https://…/api/v1/:splat 200`
  /^(\/\S+?)\/\*\s+(\S+?)\/api\/v1\/:splat/gm,
  // Vite: `path.replace(/^\/talent/, "/api/v1")`
  /\breplace\(\s*\/\^\\(\/[\w-]+)\S{0,50}\s*,\s*["'`]\/?api\/v1\b/g,
  // Vite: `"/talent": { target: "https://…/api/v1", … }`
  /["'`](\/[\w/-]+)["'`]\s*:\s*\{[^{}]*?\btarget\s*:\s*["'`][^"'`]*\/api\/v1\/?["'`]/g,
  // http-proxy-middleware: `pathRewrite: { "^/talent": "/api/v1" }`
  /["'`]\^(\/[\w/-]+?)\/?["'`]\s*:\s*["'`]\/api\/v1\/?["'`]/g,
];

/** Whether a file is a web framework's configuration, which may rewrite paths. */
export const isRewriting = (file: string): boolean => configFile.test(file);

/** The paths that such a file rewrites to V1's: `/talent/passports` is V1's `/api/v1/passports`. */
export const rewrittenPaths = (text: string): string[] =>
  rewrites.flatMap((form) => [...text.matchAll(form)].map(([, source = ""]) => source));

/** A text that can become a part of a V1 path. */
export const mentionsResource = (text: string): boolean => /passports|passport_credentials/.test(text);

/** One text after another, with one slash between them where they are parts of a path. */
export const joinPath = (left: string, right: string): string =>
  /^[a-z]+:\/\//i.test(right) || left === ""
    ? right
    : `${left.replace(/\/+$/, "")}/${right.replace(/^\/+/, "")}`;
