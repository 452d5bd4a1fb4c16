// Detects requests to V1: finds the URL argument and its base URL, and excludes calls that are not requests.
import { endpointIds } from "../../../contract/endpoints.ts";
import { hole, joinPath, mentionsResource } from "../../names/addresses.ts";
import { bodies } from "../../names/fields.ts";
import { isTest } from "../../tree/files.ts";
import type { Expression } from "../code.ts";
import { pathGuess, siteOf } from "../frame.ts";
import { calleeName, rootName } from "../hazards.ts";
import {
  type Arguments,
  type DataAtom,
  type Flow,
  type Frame,
  type FunctionAtom,
  type Invocation,
  metOf,
  type TextAtom,
  type Value,
} from "../values/atoms.ts";
import { concatenate, findCell, given, newData, newObject, ofKind, plainText } from "../values/values.ts";
import { addCalledRoute, askRoute, isOwnRoute } from "./routes.ts";

/** Where a client keeps its base; no source code can have such a key. */
const baseKey = "<base>";

export const baseNames = ["baseURL", "base_url", "prefixUrl", "baseUrl", "BaseURL", "base", "prefix"];
const urlNames = ["url", "uri", "path", "pathname", "href", "endpoint", "input", "URL"];

const asks =
  /^(\$?fetch\w*|get|get_?json|request|axios|got|ky|ofetch|ajax|urlopen|open|newrequest(withcontext)?|use\w*(swr|fetch|query|axios|request)\w*|head|stream|send|do|needle|superagent|url|uri|load|api|http|client|session|retrieve|call)$/i;
const otherMethod = /^(post|put|patch|delete|options|del)(json|form)?$/i;
const noRequest =
  /^(log|info|warn\w*|error|debug|trace|f?print\w*|fatal\w*|starts_?with|hasprefix|ends_?with|includes|contains|index_?of|match\w*|test|split|has|push|add|append|assert\w*|expect|to(be|equal|have|match)\w*|equal\w*|describe|it|handle\w*|use|route\w*|add_(url_rule|route|api_route|get|view|resource)|blueprint|apirouter|mount|re_?path|path|include|register\w*|mock\w*|nock|intercept|reply|on\w*|emit|set\w*|errorf|new|string|len|\w*error|\w*exception|compile|search|sub|exec|all|any|invalidate\w*|revalidate\w*|mutate|dispatch|\w*table)$/i;
/** Libraries that answer in V1's place. */
const mocks =
  /^(responses|respx|requests_mock|httpretty|httpx_mock|aioresponses|nock|pook|wiremock|mock\w*)$/i;
/** A table may be called as V1's resources are. */
export const databases =
  /^(prisma|db|database|knex|mongoose|supabase|sequelize|orm|drizzle|sql|mongo\w*|kysely)$/i;
const routers = /^(app|router|routes|server|fastify|express|mux|r|e|engine|group|blueprint|bp)$/i;

export type Request = Pick<Invocation, "callee" | "receiver" | "args">;

/** Values by their names: in objects among the arguments, and as named arguments. */
const optionsOf = ({ positional, named }: Arguments, names: readonly string[]): Value[] => {
  const objects = positional.flatMap((arg) => ofKind(arg, "object"));
  const inside = objects.flatMap(({ fields }) => names.flatMap((name) => fields.get(name) ?? []));
  const given = [...named].flatMap(([name, value]) => (names.includes(name) ? [value] : []));
  return [...inside.map(({ value }) => value), ...given];
};

const textsIn = (values: readonly Value[]): TextAtom[] => values.flatMap((value) => ofKind(value, "text"));

/** A client with a base: axios.create({ baseURL }), httpx.Client(base_url=…). */
export function makeClient(request: Request): Value | undefined {
  const makes = /^(create|fetchBaseQuery|extend|defaults|instance|\w*Client|\w*Session|New|new|__init__)$/;
  const bases = makes.test(calleeName(request.callee)) ? optionsOf(request.args, baseNames) : [];
  if (bases.length === 0) return undefined;
  // A base that is not in the code, such as one from the environment, is a hole.
  const known = textsIn(bases);
  return clientWith(known.length > 0 ? known : [plainText(hole)]);
}

export const clientWith = (base: Value): Value => [
  { ...newObject(), fields: new Map([[baseKey, { value: base }]]) },
];

export const isClient = (value: Value): boolean =>
  ofKind(value, "object").some(({ fields }) => fields.has(baseKey));

/** `(req, res) =>`, `(ctx) =>`, `({ params }) =>`, `() =>`: takes a request, where a client's callback takes an answer. */
function answersRequests({ code }: FunctionAtom): boolean {
  const [first] = code.params;
  if (!first) return true;
  if (first.into.kind === "fields")
    return first.into.fields.some(({ key }) => /^(params|request|req|query|cookies)$/.test(key));
  return /^_?(req|request|ctx|c|context|info)$/.test(first.name ?? "");
}

/** A server's own route: app.get("/api/v1/passports", handler). */
function isRoute(callee: Expression, positional: readonly Value[]): boolean {
  if (callee.kind !== "member" || positional.length < 2) return false;
  const handlers = positional.slice(1).flatMap((arg) => ofKind(arg, "function"));
  return (
    (routers.test(rootName(callee)) && handlers.length > 0) ||
    handlers.some(answersRequests) ||
    (/^(GET|HEAD|Any|Handle\w*)$/.test(callee.key) &&
      // `client.GET("/api/v1/passports", { params })` asks.
      !positional.slice(1).some((arg) => ofKind(arg, "object").some(({ type }) => !type)))
  );
}

function asksOtherMethod(request: Request): boolean {
  const words = textsIn(request.args.positional).filter(({ text }) => /^[A-Za-z]{3,7}$/.test(text));
  const methods = [...words, ...textsIn(optionsOf(request.args, ["method", "type"]))].map(({ text }) => text);
  return [calleeName(request.callee), ...methods].some((method) => otherMethod.test(method));
}

function urlsOf(request: Request, own: Value): readonly TextAtom[] {
  const texts = textsIn([...request.args.positional, ...optionsOf(request.args, urlNames)]);
  const client = given([...(request.receiver ?? []), ...own]);
  const bases = textsIn([
    ...optionsOf(client, [baseKey, "baseURL", "baseUrl", "base_url"]),
    ...optionsOf(request.args, baseNames),
  ]);
  const joined = bases.flatMap((base) =>
    texts.flatMap((text) => ofKind(concatenate([[base], [text]], joinPath), "text")),
  );
  // A path that a base is put before asks for nothing by itself.
  return bases.length > 0 ? [...joined, ...texts.filter(({ text }) => !/^\/?passport/.test(text))] : texts;
}

/** Requests inside wrappers, and clients, that V1 was asked through. */
const asking = new WeakSet<object>();

/** A client whose base is not known is known by the name that it was given. */
function placesOf({ callee, receiver = [] }: Request, { scope }: Frame): object[] {
  const clients = ofKind(receiver, "object").filter((atom) => isClient([atom]));
  const named = callee.kind === "member" && callee.of.kind === "name" ? callee.of.name : undefined;
  const cell = named === undefined ? undefined : findCell(scope, named);
  return [callee, ...clients, ...(cell ? [cell] : [])];
}

const sameMachine = /^https?:\/\/(localhost|127\.0\.0\.1)\b/;

/** The answers that a call gives; undefined when it asks for nothing of V1. */
export function ask(request: Request, own: Value, frame: Frame, line: number): Value | undefined {
  const name = calleeName(request.callee);
  const found: DataAtom[] = [];
  const urls = urlsOf(request, own).map((atom) => ({
    atom,
    asked: frame.flow.matcher.askedEndpoint(atom.text),
  }));
  const sure = urls.some(({ asked }) => asked?.isSure);
  const isServed = isRoute(request.callee, request.args.positional);
  if (isServed) addCalledRoute(request.args.positional, frame.flow);
  const isNone =
    isServed ||
    [mocks, databases].some((form) => form.test(rootName(request.callee))) ||
    asksOtherMethod(request) ||
    (noRequest.test(name) && !isClient(request.receiver ?? []));
  // A route's prefix is nobody's call either.
  const said = isNone ? [...request.args.positional, ...request.args.named.values()].flat() : [];
  for (const { literals } of ofKind(said, "text")) for (const literal of literals) literal.isUsed = true;
  for (const { atom, asked } of urls) {
    if (!asked || (sure && !asked.isSure)) continue;
    for (const literal of atom.literals) literal.isUsed = true;
    if (isNone) continue;
    const { endpoint, isSure, assumesInteger } = asked;
    const site = atom.via ?? siteOf(frame, line);
    const basis = asks.test(name) || isClient(own) ? "flow" : "type";
    // Only V1 has credentials of passports.
    const isKnown = isSure || endpoint === "passport-credentials";
    const place = `${site.file}:${site.line}`;
    // The tree's own server, which a page, a test or a client on the same machine asks, has the path, too: only a name
    // that only V1 has shows whose answer it is.
    const isOwn =
      frame.flow.servesPath &&
      (isTest(site.file) || sameMachine.test(atom.text) || (name === "fetch" && atom.text.startsWith("/")));
    const guess = isOwn ? place : isKnown ? undefined : `${pathGuess}${place}`;
    const data = newData(bodies[endpoint], basis, guess);
    if (found.some(({ node }) => node === data.node)) continue;
    found.push(data);
    frame.touched.add(metOf(data));
    for (const place of placesOf(request, frame)) asking.add(place);
    const through = `${frame.module.file}:${line}`;
    frame.flow.tell({ kind: "call", ...site, endpoint, guess, basis, through });
    if (assumesInteger)
      frame.flow.tell({ kind: "hazard", ...site, endpoint, guess, basis, rule: "integer-id" });
  }
  if (found.length > 0) return found;
  const paths = urls.flatMap(({ atom }) => (asks.test(name) ? [atom.text] : []));
  const routed = isNone ? undefined : askRoute(paths, frame.flow);
  if (routed) return routed;
  return isNone ? undefined : guessAnswers(request, own, frame, line);
}

/** Functions that do nothing but request, and clients by the names that people give them. */
const requests = /^(\$?fetch|axios|got|ky|ofetch|urlopen|request|newrequest(withcontext)?|getjson)$/i;
const methods = /^(get|request|getjson|get_json|do|newrequest(withcontext)?|urlopen|json)$/i;
const clients =
  /^(axios|https?|requests|httpx|session|client|api|got|ky|superagent|resty|ofetch|req|fetcher|self|this)$/i;

/**
 * A request to an address that is not in the code, in a file near V1's names: any of the endpoints, until something
 * is read that only one of them has.
 */
function guessAnswers(request: Request, own: Value, frame: Frame, line: number): DataAtom[] | undefined {
  if (!frame.flow.unaddressed.has(frame.module.file)) return undefined;
  const { callee, receiver = [], args } = request;
  const name = calleeName(callee);
  const isRequest =
    callee.kind === "member" ? methods.test(name) && clients.test(rootName(callee)) : requests.test(name);
  const isHeld = [...receiver, ...own].some(({ kind }) => kind === "data" || kind === "foreign");
  if (!isRequest || isHeld || args.positional.length === 0 || isOther(request, frame)) return undefined;
  const urls = urlsOf(request, own);
  // A path that is written out leads to something else, unless it is the team's own relative one.
  if (urls.some(({ text }) => /^https?:/.test(text) && !text.includes(hole))) return undefined;
  const site = urls.find(({ via }) => via)?.via ?? siteOf(frame, line);
  const isOwn = urls.some(({ text }) => isOwnRoute(text, frame.flow));
  return endpointIds.map((endpoint) => {
    const data = newData(bodies[endpoint], "flow", `${site.file}:${site.line} ${endpoint}`);
    frame.touched.add(metOf(data));
    if (!isOwn) frame.flow.tell({ kind: "call", ...site, endpoint, guess: data.guess, basis: "flow" });
    return data;
  });
}

const otherVersion = /\/v[2-9]\d*(\/|$)/;
const plainSegment = /^(?!(?:api|rest|public|v\d+)$)[\w.-]+$/;

const laterResource = /^[^?#]*\/v[2-9]\d*\/+(passports|passport_credentials)\b/;

/** An absolute address whose path is written out and is not V1's, or V1's resource in a later version anywhere. */
function isOtherAddress(text: string, flow: Flow): boolean {
  if (laterResource.test(text)) return true;
  const [, path] = /^https?:\/\/[\w.:-]+(\/[^?#]*)/.exec(text) ?? [];
  if (path === undefined || flow.matcher.askedEndpoint(text)) return false;
  if (mentionsResource(path)) return otherVersion.test(path);
  return otherVersion.test(path) || path.split("/").some((part) => plainSegment.test(part));
}

/** `/profile` after a base that is not known: on V1's own server that is something newer. */
const isOtherPath = (text: string): boolean =>
  !mentionsResource(text) && /^\ue000?\/[a-z]\w*(\/|\?|$)/.test(text) && !/^\ue000?\/(api|v1)\b/.test(text);

/** A request that goes to another service, or to V1's server for something else, whatever the names in its answer. */
export function isOther(request: Request, frame: Frame): boolean {
  const urls = asks.test(calleeName(request.callee)) ? urlsOf(request, []) : [];
  const asksV1 = placesOf(request, frame).some((place) => asking.has(place));
  return (
    urls.length > 0 &&
    urls.every(({ text }) => isOtherAddress(text, frame.flow) || (asksV1 && isOtherPath(text)))
  );
}
