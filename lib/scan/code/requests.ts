// Calls of V1: a call with an address of V1 among its arguments is the request, whatever function it calls. A helper that
// others use as well is nobody's.

import { apiKeyHeader, baseSegments, idsOf } from "../../contract/endpoints.ts";
import { tellingNames } from "../../contract/v1/code-names.ts";
import { type Asked, joinPath, mentionsResource } from "../names/addresses.ts";
import { functionOf } from "./evaluate.ts";
import { unwrap } from "./failures.ts";
import type { SourceFile, Text } from "./program.ts";
import { routeFor, routeOf } from "./routes.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  entryOf,
  functionKinds,
  keywordOf,
  listKinds,
  memberOf,
  objectKinds,
  returnsOf,
  type SyntaxNode,
  scopeOf,
  wordSet,
} from "./syntax.ts";
import { argumentTexts, textNamed, textOf } from "./texts.ts";

/** Functions that are given an address for another purpose than to ask for it. */
export const noRequest = wordSet(
  "log info warn warning error debug print println Print Printf Println Errorf Error describe it test join push append includes startsWith endsWith startswith endswith HasPrefix match URL urljoin Sprintf encodeURI replace format revalidatePath HandleFunc Handle route add_url_rule path re_path redirect mock intercept nock reply set add URLSearchParams JoinPath getenv Getenv captureMessage String str trim rstrip split useState Route Link url state NewRoute register include_router APIRouter Blueprint equal toBe toEqual toHaveBeenCalledWith expect invalidateQueries setQueryData responses",
);

/** The arguments that may be an address, also inside an object or a list. */
function candidatesOf(nodes: readonly SyntaxNode[]): SyntaxNode[] {
  return nodes.flatMap((node) => {
    const keyword = keywordOf(node);
    if (keyword) return candidatesOf([keyword.value]);
    if (objectKinds.has(node.kind))
      return node.children.flatMap((pair) => {
        const entry = entryOf(pair);
        if (!entry) return [];
        // `query: (id) => ({ url: `passports/${id}` })`
        if (functionKinds.has(entry.value.kind))
          return /^(query|url)$/.test(entry.key) ? candidatesOf([...returnsOf(entry.value)].map(unwrap)) : [];
        return candidatesOf([entry.value]);
      });
    if (listKinds.has(node.kind)) return [...node.children];
    return functionKinds.has(node.kind) ? [] : [node];
  });
}

/** `options.url`, where `options` is an object that is known. */
function addressIn(file: SourceFile, node: SyntaxNode): Text | undefined {
  const text = textOf(file, node);
  if (text || node.kind !== "identifier") return text;
  const [found] = ["url", "path", "uri"].flatMap((key) => textNamed(file, node, `${node.text}.${key}`) ?? []);
  return found;
}

export const baseName = "#base";

/** The base of a client that the code made before: `axios.create({ baseURL })`. */
function baseOf(file: SourceFile, call: SyntaxNode): Text | undefined {
  const callee = calleeOf(call);
  const of = callee && (memberOf(callee)?.of ?? (callee.kind === "identifier" ? callee : undefined));
  return of && textNamed(file, of, `${of.text.replace(/^self\./, "this.")}.${baseName}`);
}

/** The request that a function of the scanned code makes with this address; "other" if it is a request to another API. */
function askedByHelper(file: SourceFile, call: SyntaxNode): Asked | "other" | undefined {
  const fn = functionOf(file, call);
  if (!fn) return undefined;
  const statement = fn.file.statementOf(fn.node);
  if (statement && !statement.isLive) {
    // What its own variables are is known in the next round.
    statement.isLive = true;
    file.program.isChanged = true;
  }
  const given = argumentTexts(file, { call, fn: fn.node });
  const { matcher } = file.program.facts;
  let isOther = false;
  let unsure: Asked | undefined;
  for (const inner of fn.node.walk()) {
    if (!callKinds.has(inner.kind) || noRequest.has(calleeName(inner))) continue;
    for (const candidate of candidatesOf(argumentsOf(inner))) {
      const text = textOf(fn.file, candidate, { given });
      if (!text || !mentionsResource(text.text)) continue;
      const base = /^https?:/.test(text.text) ? undefined : baseOf(fn.file, inner);
      const address = base ? joinPath(base.text, text.text) : text.text;
      if (routeFor(fn.file, inner, address)) return "other";
      const asked = matcher.askedEndpoint(address);
      if (asked?.isSure) return asked;
      unsure ??= asked;
      isOther ||= !asked && /^(https?:\/|\/|\ue000)\S*$/.test(text.text);
    }
  }
  return isOther && !unsure ? "other" : undefined;
}

/** Whether a call asks another API, or a route of its own file: the address is known well enough, and is not V1's. */
export function asksAnother(file: SourceFile, call: SyntaxNode): boolean {
  const [first] = argumentsOf(call);
  const text = first && !functionKinds.has(first.kind) ? textOf(file, first)?.text : undefined;
  if (text === undefined || file.program.facts.matcher.askedEndpoint(text)) return false;
  if (routeFor(file, call, text)) return true;
  if (!/^(https?:\/\/|\ue000\/)/.test(text)) return false;
  const path = text.replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*$/s, "");
  return /\/[a-z]\w+/i.test(path.replace(new RegExp(`/${baseSegments.join("/")}/?\\ue000?$`), ""));
}

/** Looks at a call; what it asks V1 for is remembered in its file. */
export function findRequest(file: SourceFile, call: SyntaxNode): void {
  if (file.requests.get(call)?.isSure) return;
  const name = calleeName(call);
  if (noRequest.has(name)) return;
  const args = argumentsOf(call);
  for (const candidate of candidatesOf(args)) {
    const text = addressIn(file, candidate);
    if (!text || !mentionsResource(text.text)) continue;
    const asked = judgeAddress(file, call, text);
    if (!asked) continue;
    if (routeOf(file, call)) return;
    // `get(urlFor(id))` is one request.
    for (const inner of candidate.walk()) if (inner !== call && file.requests.has(inner)) return;
    const known = file.requests.get(call);
    if (known && known.endpoint === asked.endpoint && known.isSure === asked.isSure) return;
    const at = scopeOf(text.at) === scopeOf(call) ? text.at : candidate;
    remember(file, call, asked, at);
    for (const literal of text.literals) file.program.usedLiterals.add(literal);
    file.program.asked.add(asked.endpoint);
    file.program.isChanged = true;
    return;
  }
}

/** What is known about a request may grow; the values that came from it refer to it. */
function remember(file: SourceFile, call: SyntaxNode, asked: Asked, at: SyntaxNode): void {
  const known = file.requests.get(call);
  if (known) {
    known.endpoint = asked.endpoint;
    known.isSure = asked.isSure;
    known.assumesInteger = asked.assumesInteger;
    known.at = at;
  } else
    file.requests.set(call, {
      endpoint: asked.endpoint,
      isSure: asked.isSure,
      assumesInteger: asked.assumesInteger,
      file,
      at,
    });
}

function judgeAddress(file: SourceFile, call: SyntaxNode, text: Text): Asked | undefined {
  const { matcher } = file.program.facts;
  const isAbsolute = /^(https?:)?\/\//.test(text.text);
  const base = isAbsolute ? undefined : baseOf(file, call);
  if (base) {
    const asked = matcher.askedEndpoint(joinPath(base.text, text.text));
    // The base of another API.
    if (!asked || asked.isSure) return asked;
  }
  const asked = matcher.askedEndpoint(text.text);
  if (!asked) return undefined;
  if (asked.isSure) return routeFor(file, call, text.text) ? undefined : asked;
  const byHelper = askedByHelper(file, call);
  if (byHelper === "other") return undefined;
  if (byHelper) return byHelper;
  const isPath = base !== undefined || isAddressLike(file, call, text);
  return file.isNear && isPath ? asked : undefined;
}

const clientCalls = wordSet("get request fetch json getJson getJSON call");
const lookups = wordSet("pop Field field Table table from collection exposeString get_or_create select");

/** A bare word is a path only for a client, or for a function of the code's own: not in `body.get("passports")`. */
function isAddressLike(file: SourceFile, call: SyntaxNode, { text }: Text): boolean {
  if (/[/\ue000]/.test(text)) return true;
  const name = calleeName(call);
  if (lookups.has(name)) return false;
  const isClient =
    file.language === "javascript"
      ? clientCalls.has(name)
      : argumentsOf(call).some((argument) => keywordOf(argument) !== undefined);
  return (
    isClient || functionOf(file, call) !== undefined || /^(this|self)\b/.test(calleeOf(call)?.text ?? "")
  );
}

const fetching = wordSet("fetch get request axios ky got Get Do urlopen");
const keyHeader = new RegExp(apiKeyHeader, "i");
const [singleEndpoint] = idsOf("single");

/** Whether a call names headers itself: what a function among its arguments does is no part of its request. */
function hasHeaders(call: SyntaxNode): boolean {
  const functions = argumentsOf(call).filter(({ kind }) => functionKinds.has(kind));
  const own = functions.reduce((text, fn) => text.replace(fn.text, ""), call.text);
  return /headers/i.test(own) || keyHeader.test(own);
}

/** The whole address is outside the code: a request with V1's key in a file that reads names which only V1 has. */
export function guessRequests(file: SourceFile): void {
  const reads = [...tellingNames].some((name) => file.text.includes(name));
  if (
    !file.isUnaddressed ||
    file.requests.size > 0 ||
    !reads ||
    !keyHeader.test(file.text) ||
    !singleEndpoint
  )
    return;
  for (const statement of file.statements) {
    if (!statement.isLive) continue;
    for (const call of statement.node.walk()) {
      if (
        !callKinds.has(call.kind) ||
        !fetching.has(calleeName(call)) ||
        !hasHeaders(call) ||
        routeOf(file, call)
      )
        continue;
      const [first] = argumentsOf(call);
      const address = first && textOf(file, first)?.text;
      if (!first || (address !== undefined && /^https?:\/\/[\w.-]+\.\w+/.test(address))) continue;
      file.requests.set(call, {
        endpoint: singleEndpoint,
        isSure: false,
        assumesInteger: false,
        file,
        at: first,
      });
      file.program.asked.add(singleEndpoint);
      file.program.isChanged = true;
    }
  }
}
