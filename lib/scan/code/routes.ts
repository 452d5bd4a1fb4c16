// Routes: paths that the code serves itself. A route is recognized at its own place, by its handler, and says nothing about
// other paths or other files.

import { hole } from "../names/addresses.ts";
import { evaluate } from "./evaluate.ts";
import type { SourceFile } from "./program.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  classKinds,
  entryOf,
  functionKinds,
  keywordOf,
  listKinds,
  memberOf,
  objectKinds,
  parameterName,
  parametersOf,
  type SyntaxNode,
  wordSet,
} from "./syntax.ts";
import { textOf } from "./texts.ts";

export type Route = {
  /** What registers the route: a call, or the call in a decorator. */
  call: SyntaxNode;
  /** The parts of the path that is served; undefined where it is not known. */
  path: readonly string[] | undefined;
  /** The function that serves it, where it is in the same file. */
  handler: SyntaxNode | undefined;
};

/** Functions that only register routes. */
const registering = wordSet(
  "HandleFunc Handle handle handleFunc route Route use all add_url_rule add_api_route add_route add_get path re_path",
);
/** Functions that register a route in one library and send a request in another one. */
const ambiguous = wordSet("get Get GET");
/** The same, where what is asked for is changed: nobody is served by such a route who reads V1's data. */
const writing = wordSet(
  "post put patch delete del head options Post Put Patch Delete Head Options POST PUT PATCH DELETE HEAD OPTIONS",
);
/** What makes an object that serves, in the words of its library. */
const server =
  /^(?:new\s+)?(?:require\(["'](?:express|fastify|koa-router|@koa\/router)["']\)|(?:express|fastify|Fastify|(?:Koa)?Router|(?:OpenAPI)?Hono|Elysia|polka)\b|express\.Router\b|restify\.createServer\b)/;
/** Clients whose `get` takes a callback. */
const clients = wordSet("http https request superagent axios $ jQuery requests httpx");

/** `GET /api/v1/passports/:id` → `api`, `v1`, `passports`, and a star for what is not fixed. */
const toSegments = (path: string): string[] =>
  path
    .replace(/^[A-Z]+ /, "")
    .replace(/[?#].*$/s, "")
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => (/^[:{<*(]|[\ue000\ue001]/.test(segment) ? "*" : segment));

type Guess = "yes" | "maybe" | "no";

const best = (guesses: readonly Guess[]): Guess =>
  guesses.includes("yes") ? "yes" : guesses.includes("maybe") ? "maybe" : "no";

const incoming = /^_*(req|request|ctx|context|c|event)$/i;
const outgoing = /^_*(res|response|reply|rep|next|h|w)$/i;
/** The first parameter of a callback that is given the response of a request. */
const received = /^(e|err\w*|error|exc|ex|data|body|json|res|resp|response|result\w*|payload|xhr|answer)$/i;
const serverTypes = /\b(\w*Request|\w*Req|ResponseWriter|\w*Context|Ctx)\b/;

/** Whether a function is given requests, rather than the response of one. */
function servesRequests(fn: SyntaxNode): Guess {
  const [first, second] = parametersOf(fn);
  const written = fn.field("parameters")?.text ?? "";
  if (serverTypes.test(written)) return "yes";
  if (!first) return "maybe";
  const name = parameterName(first);
  if (incoming.test(name)) return "yes";
  if (received.test(name)) return "no";
  return second && outgoing.test(parameterName(second)) ? "yes" : "maybe";
}

type Handler = { guess: Guess; fn: SyntaxNode | undefined };

/** Whether an argument is the handler of a route, also inside `asyncHandler(…)` and `[auth, list]`. */
function judgeHandler(file: SourceFile, written: SyntaxNode): Handler {
  const node = keywordOf(written)?.value ?? written;
  if (functionKinds.has(node.kind)) return { guess: servesRequests(node), fn: node };
  if (objectKinds.has(node.kind)) {
    // `{ schema, handler: list }` of Fastify
    const handler = node.children.flatMap((pair) => entryOf(pair) ?? []).find(({ key }) => key === "handler");
    return handler ? judgeHandler(file, handler.value) : { guess: "no", fn: undefined };
  }
  if (callKinds.has(node.kind) || listKinds.has(node.kind)) {
    const parts = callKinds.has(node.kind) ? argumentsOf(node) : node.children;
    const inside = parts.map((part) => judgeHandler(file, part));
    const fn = inside.find((one) => one.fn)?.fn;
    const found = best(inside.map(({ guess }) => guess));
    // `views.List.as_view()`: what a call gives may be a function.
    return { guess: found === "no" && !fn && callKinds.has(node.kind) ? "maybe" : found, fn };
  }
  if (node.kind !== "identifier" && !memberOf(node)) return { guess: "no", fn: undefined };
  const value = evaluate(file, node);
  if (value?.fn) {
    const fn = value.fn.file === file ? value.fn.node : undefined;
    return { guess: servesRequests(value.fn.node), fn };
  }
  return { guess: value === undefined ? "maybe" : "no", fn: undefined };
}

/** `app.get(…).post(…)`: the last call of a chain. */
function chainOf(call: SyntaxNode): SyntaxNode[] {
  const chain = [call];
  for (let last = call; ; ) {
    const member = last.parent && memberOf(last.parent)?.of === last ? last.parent : undefined;
    const next = member?.parent;
    if (!next || !callKinds.has(next.kind) || calleeOf(next) !== member) return chain;
    chain.push(next);
    last = next;
  }
}

/** Whether a call is one of an object that the same file makes with a library of servers: `const app = express(); app.get(…)`. */
function isOfServer(file: SourceFile, call: SyntaxNode): boolean {
  let receiver = memberOf(calleeOf(call) ?? call)?.of;
  while (receiver && callKinds.has(receiver.kind) && !server.test(receiver.text))
    receiver = memberOf(calleeOf(receiver) ?? receiver)?.of;
  if (receiver?.kind !== "identifier") return receiver !== undefined && server.test(receiver.text);
  const declared = file.declarations.get(receiver.text) ?? [];
  return declared.some(
    (node) => callKinds.has(node.field("value")?.kind ?? "") && server.test(node.field("value")!.text),
  );
}

/** Whether nobody waits for the result of a call: a request without a result is of no use. */
const isRegistration = (call: SyntaxNode): boolean =>
  chainOf(call).at(-1)!.parent?.kind === "expression_statement";

/** A function with nothing in it is the declaration of a client: `@get("/passports/{id}")  def one(self, id): ...`. */
function hasBody(definition: SyntaxNode): boolean {
  const statements = definition.field("body")?.children ?? [];
  return statements.some(
    (statement) =>
      statement.kind !== "pass_statement" &&
      !(
        statement.kind === "expression_statement" &&
        /^(string|ellipsis)$/.test(statement.children[0]?.kind ?? "")
      ),
  );
}

/** What a decorator is written before. */
function decorated(decorator: SyntaxNode): SyntaxNode | undefined {
  const { parent } = decorator;
  const definition = parent?.field("definition") ?? parent;
  if (definition && (functionKinds.has(definition.kind) || classKinds.has(definition.kind)))
    return definition;
  // In a class of TypeScript the method comes after it.
  const siblings = parent?.children ?? [];
  return siblings.slice(siblings.indexOf(decorator) + 1).find(({ kind }) => kind !== "decorator");
}

const pathKeys = /^(path|url)$/;

/** `{ method: "GET", path: "/api/v1/passports", handler: list }`. */
function routeInObject(file: SourceFile, call: SyntaxNode, object: SyntaxNode): Route | undefined {
  const entries = object.children.flatMap((pair) => entryOf(pair) ?? []);
  const handler = entries.find(({ key }) => key === "handler")?.value;
  const path = entries.find(({ key }) => pathKeys.test(key))?.value;
  if (!handler || !path) return undefined;
  return { call, path: pathIn(file, path), handler: judgeHandler(file, handler).fn };
}

function pathIn(file: SourceFile, node: SyntaxNode): string[] | undefined {
  const text = textOf(file, node)?.text;
  return text === undefined ? undefined : toSegments(text);
}

/** The route that a call registers; undefined for every other call. */
export function routeOf(file: SourceFile, call: SyntaxNode): Route | undefined {
  const [first, ...rest] = argumentsOf(call);
  if (!first) return undefined;
  const name = calleeName(call);
  if (call.parent?.kind === "decorator") {
    const definition = decorated(call.parent);
    if (!definition || !(classKinds.has(definition.kind) || hasBody(definition))) return undefined;
    return { call, path: pathIn(file, first), handler: definition };
  }
  if (!registering.has(name) && !ambiguous.has(name) && !writing.has(name)) return undefined;
  if (objectKinds.has(first.kind)) return name === "route" ? routeInObject(file, call, first) : undefined;
  // `router.route("/api/v1/passports").get(list)`
  const chained = name === "route" ? chainOf(call).slice(1).flatMap(argumentsOf) : [];
  const handlers = [...rest, ...chained].map((argument) => judgeHandler(file, argument));
  const guess = best(handlers.map((handler) => handler.guess));
  const callee = calleeOf(call);
  const isClient = callee !== undefined && clients.has(memberOf(callee)?.of.text ?? "");
  // A request that changes something may have no reader, so that only `/:id` tells a route from it.
  const isRegistered = () =>
    isRegistration(call) && (ambiguous.has(name) || /\/:\w/.test(textOf(file, first)?.text ?? ""));
  const isRoute = registering.has(name)
    ? guess !== "no"
    : !isClient && (guess === "yes" || (guess === "maybe" && (isOfServer(file, call) || isRegistered())));
  if (!isRoute) return undefined;
  return { call, path: pathIn(file, first), handler: handlers.findLast(({ fn }) => fn)?.fn };
}

const known = new WeakMap<SourceFile, readonly Route[]>();
const mayRegister = new RegExp(`\\b(?:${[...registering, ...ambiguous].join("|")})\\b|@`);

/** The routes of a file whose answers are read. */
function routesOf(file: SourceFile): readonly Route[] {
  const before = known.get(file);
  if (before) return before;
  const routes: Route[] = [];
  // What is being found out has no routes yet.
  known.set(file, routes);
  for (const { node: statement, text } of file.statements)
    for (const node of mayRegister.test(text) ? statement.walk() : []) {
      const isCall = callKinds.has(node.kind) && !writing.has(calleeName(node));
      const route = isCall ? routeOf(file, node) : undefined;
      if (route?.path) routes.push(route);
    }
  return routes;
}

/**
 * The route of the same file that serves a path without a host. The handler of a route that asks for the path it serves
 * hands it on to another server.
 */
export function routeFor(file: SourceFile, at: SyntaxNode, address: string): Route | undefined {
  if (!/^\/(?!\/)/.test(address)) return undefined;
  const path = toSegments(address);
  return routesOf(file).find(
    ({ path: served, handler }) =>
      served?.length === path.length &&
      served.every((segment, index) => segment === "*" || segment === path[index]) &&
      !(handler && at.isInside(handler)),
  );
}

/** The functions that serve V1's own paths: what they answer is the file's, whatever its fields are called. */
export function handlersOfV1(file: SourceFile): SyntaxNode[] {
  const { matcher } = file.program.facts;
  return routesOf(file).flatMap(({ path = [], handler }) => {
    const address = `/${path.map((segment) => (segment === "*" ? hole : segment)).join("/")}`;
    return handler && matcher.askedEndpoint(address)?.isSure ? [handler] : [];
  });
}
