// Which endpoint of V1 a text asks for. What the code does not say is a hole: source code has no other addresses.
import { baseSegments, type EndpointId, endpointTable } from "../../contract/endpoints.ts";
import { writtenId } from "../../contract/v1/code-names.ts";

/** Stands for an unknown part of a text. */
export const hole = "\ue000";
/** A hole that takes whole numbers only, such as %d. */
export const integerHole = "\ue001";

export type Asked = {
  endpoint: EndpointId;
  /** False where the base of the address or its version is unknown: V1's only near other signs of V1. */
  isSure: boolean;
  assumesInteger: boolean;
};

/** Addresses at which a team reaches V1 other than by its documented base path: a gateway's host, a path of its own. */
export type Addresses = { hosts: readonly string[]; basePaths: readonly string[] };

type Route = { endpoint: EndpointId; resource: string; takesId: boolean };

/** `/api/v1/passports/{id}` → the base `api`, `v1`, the resource `passports`, and an id. */
const routes: readonly Route[] = endpointTable.map(({ id, path }) => {
  const segments = path.split("/").filter((segment) => segment !== "");
  const takesId = segments.at(-1)!.startsWith("{");
  return { endpoint: id, resource: segments.at(takesId ? -2 : -1)!, takesId };
});

/** The resources' names, longest first, for regular expressions. */
export const resources: readonly string[] = [...new Set(routes.map(({ resource }) => resource))].sort(
  (a, b) => b.length - a.length,
);

const resourcePattern = new RegExp(resources.join("|"));

/** Whether a text can become a part of a V1 address. */
export const mentionsResource = (text: string): boolean => resourcePattern.test(text);

/** A hole or a placeholder. */
const placeholder = /[\ue000\ue001]|^(?::\w+|\{\w*\}|<(?:\w+:)?\w+>|\$\w+|\$\{\w+\}|%[sdvi]|#\{\w+\})$/i;

/** What may stand for an id; a plain word is another resource. */
const isId = (segment: string) => placeholder.test(segment) || writtenId.test(segment);

type Parsed = { before: string[]; route: Route; id: string };

/** The resource at the end of a path, what is before it, and the id after it. */
function parsePath(text: string): Parsed | undefined {
  const path = text.replace(/[?#].*$/s, "");
  const segments = path.split("/").filter((segment) => segment !== "");
  const [last = "", previous = ""] = [segments.at(-1), segments.at(-2)];
  const find = (segment: string, takesId: boolean) => {
    // A query may follow in a hole: `passports${query}`; a base may end without a slash: `${base}passports`.
    const name = takesId ? segment : segment.replace(/\ue000$/, "");
    const bare = name.replace(/^\ue000/, "");
    const route = routes.find((one) => one.resource === bare && one.takesId === takesId);
    return route && { route, start: name === bare ? [] : [hole] };
  };
  const whole = find(last, false);
  if (whole) return { before: [...segments.slice(0, -1), ...whole.start], route: whole.route, id: "" };
  const single = isId(last) ? find(previous, true) : undefined;
  return single && { before: [...segments.slice(0, -2), ...single.start], route: single.route, id: last };
}

/** `https:`, `host`, `${base}api` → what was written before a resource, one segment for each name and hole. */
const splitHoles = (segments: readonly string[]): string[] =>
  segments.flatMap((segment) => segment.split(/(\ue000)/).filter((part) => part !== ""));

const endsWith = (segments: readonly string[], end: readonly string[]): boolean =>
  end.length <= segments.length &&
  end.every((name, index) => segments[segments.length - end.length + index] === name);

/** `api/v1`, also where a hole stands for all but the version. */
function hasDocumentedBase(before: readonly string[]): boolean {
  const version = baseSegments.at(-1)!;
  return endsWith(before, baseSegments) || endsWith(before, [hole, version]);
}

/** Only unknown parts, a host and parts of the base: it may be V1's. */
function mayBeBase(before: readonly string[], text: string): boolean {
  const path = /^https?:\/\//.test(text) ? before.slice(2) : before;
  if (path.length === 0) return path === before;
  const isVersionHole =
    path.at(-1) === `v${hole}` || (path.at(-2) === baseSegments[0] && path.at(-1) === hole);
  const known = new Set([...baseSegments, hole, "v"]);
  return path.every((segment) => known.has(segment)) && (isVersionHole || path.at(-1) !== baseSegments[0]);
}

const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export type AddressMatcher = {
  /** The endpoint that a text asks for; undefined where it asks for nothing of V1. */
  askedEndpoint(text: string): Asked | undefined;
  /** What may stand before a resource in a text, as the source of a regular expression. */
  prefix: string;
  /** Whether a text names a host or a path that the team gave for V1. */
  namesAddress(text: string): boolean;
};

export function createAddressMatcher({ hosts = [], basePaths = [] }: Partial<Addresses>): AddressMatcher {
  const paths = basePaths.map((path) => path.replace(/^\/+|\/+$/g, "")).filter((path) => path !== "");
  const ownHosts = hosts.map((host) => host.toLowerCase());
  const prefixes = [
    baseSegments.join("/"),
    ...paths.map(escapeText),
    ...hosts.map((host) => `${escapeText(host)}(?::\\d+)?(?:/[\\w.-]+)*`),
  ];
  const isOwnHost = (text: string) => {
    const [, host = ""] = /^(?:https?:)?\/\/([^/:]+)/i.exec(text) ?? [];
    return ownHosts.includes(host.toLowerCase());
  };
  return {
    prefix: `(?:${prefixes.join("|")})`,
    askedEndpoint(text) {
      const parsed = parsePath(text);
      if (!parsed) return undefined;
      const before = splitHoles(parsed.before);
      const isSure =
        hasDocumentedBase(before) ||
        paths.some((path) => endsWith(before, path.split("/"))) ||
        isOwnHost(text);
      if (!isSure && !mayBeBase(before, text)) return undefined;
      return { endpoint: parsed.route.endpoint, isSure, assumesInteger: parsed.id.includes(integerHole) };
    },
    namesAddress: (text) =>
      hosts.some((host) => text.includes(host)) || paths.some((path) => text.includes(`${path}/`)),
  };
}

/** One text after another, with one slash between them where they are parts of a path. */
export const joinPath = (left: string, right: string): string =>
  /^[a-z]+:\/\//i.test(right) || left === ""
    ? right
    : `${left.replace(/\/+$/, "")}/${right.replace(/^\/+/, "")}`;
