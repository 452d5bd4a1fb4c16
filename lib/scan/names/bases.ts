// V1's base address without a resource: in configuration, where it is a line to change, and where requests are forwarded.
import { baseSegments } from "../../contract/endpoints.ts";
import { languageOf } from "../code/syntax.ts";
import { resources } from "./addresses.ts";

const base = baseSegments.join("/");
const addressForm = new RegExp(`(https?)://([\\w.-]+)(?::\\d+)?/(?:[\\w.-]+/)*${base}(?![\\w-])`, "gi");
const requestForm = new RegExp(
  `https?://([\\w.-]+)(?::\\d+)?/(?:[\\w.-]+/)*${base}/+(?:${resources.join("|")})\\b`,
  "gi",
);
const mayHave = new RegExp(`${base}|proxy_pass|destination|target`, "i");

const settingFile =
  /\.(env|toml|json|ya?ml|ini|properties|conf|cfg|config|tfvars|xml|plist)$|(^|\/)\.env(\.[\w.-]+)?$/i;
/** What is written by a tool, or describes an API. */
const notSetting =
  /(^|\/)(package(-lock)?|composer|tsconfig[\w.]*|pnpm-lock|openapi|swagger)[\w.-]*\.(json|ya?ml)$|\.lock$/i;

/** `name`: the variable or key that has the address, where one is written. */
export type BaseAddress = { line: number; host: string; name: string; address: string };

/** Lines of a configuration file, whatever its name, with an address that ends in V1's base path. */
export function readBases(file: string, text: string): BaseAddress[] {
  if (!settingFile.test(file) || notSetting.test(file) || !mayHave.test(text)) return [];
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (line.length > maxLineLength || /^\s*(#|;|\/\/|<!--)/.test(line)) return [];
    const [found] = line.matchAll(addressForm);
    if (!found) return [];
    const before = line.slice(0, found.index);
    const [, key = ""] = /([\w.-]+)["']?\s*[:=]\s*["']?$/.exec(before) ?? [];
    // Kubernetes: the name is on the line before the value.
    const [, named] = key === "value" ? (/\bname:\s*["']?([\w.-]+)/.exec(lines[index - 1] ?? "") ?? []) : [];
    return [{ line: index + 1, host: (found[2] ?? "").toLowerCase(), name: named ?? key, address: found[0] }];
  });
}

/** The hosts of requests to V1 that a text writes out. */
export const hostsIn = (text: string): string[] =>
  text.includes(base) ? [...text.matchAll(requestForm)].map(([, host = ""]) => host.toLowerCase()) : [];

const maxLineLength = 2000;

/** Servers and tools that forward: what they forward is nowhere written as a request. */
const forwarder =
  /(^|\/)(next|vite|vue|nuxt|astro|svelte|webpack)\.config\.\w+$|nginx|(^|\/)(Caddyfile|vercel\.json|netlify\.toml|_redirects|setupProxy\.[jt]s|proxy\.conf\.\w+)$|\.conf(\.template)?$/i;

export const isForwarder = (file: string): boolean => forwarder.test(file);

const local =
  /^(localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal)|^[^.]+$|\.(local|internal|localhost|svc|test)$/i;
const toHost = /(https?):\/\/([\w.-]+)/g;
const hasForeignHost = (text: string) =>
  [...text.matchAll(toHost)].some(([, , host = ""]) => !local.test(host));
const path = new RegExp(`/${base}(?![\\w-])`);
/** An address that goes on with a path which the request has: `https://host/api/v1/${path}`, `"https://host/api/v1/" + req.url`. */
const passing = new RegExp(
  `https?://([\\w.-]+)(?::\\d+)?/(?:[\\w.-]+/)*${base}/?(?:\\$\\{|\\{|["'\`]\\s*[+.]\\s*)[^}"'\`]*?(?:path|rest|slug|splat|route|proxy|url|req)`,
  "i",
);

/** Where requests below V1's base path go to another host. It may be another API's: the team knows. */
export function findForward(file: string, text: string): { line: number; names: string[] } | undefined {
  if (!text.includes(base)) return undefined;
  const lines = text.split("\n");
  const isCode = languageOf(file) !== undefined;
  const index = lines.findIndex((line) => {
    if (line.length > maxLineLength || /^\s*(#|\/\/|\*)/.test(line)) return false;
    if (isForwarder(file)) return path.test(line);
    const [, host = ""] = isCode ? (passing.exec(line) ?? []) : [];
    return host !== "" && !local.test(host);
  });
  if (index < 0 || (isForwarder(file) && !hasForeignHost(text))) return undefined;
  return { line: index + 1, names: [`/${base} is forwarded`] };
}
