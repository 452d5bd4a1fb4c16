// The team's own routes: what a handler answers is what its clients in the same tree get.
import type { Expression, FunctionCode } from "../code.ts";
import { calleeName, rootName } from "../hazards.ts";
import type { Cell, Flow, Invocation, Value } from "../values/atoms.ts";
import { dataOf, elementsOf, fill, ofKind, remember, wrap } from "../values/values.ts";

type Route = { segments: readonly string[]; handlers: FunctionCode[] };

/** Routes by their path, and what each function answered while it ran. */
type Routes = { known: Map<string, Route>; answers: Map<FunctionCode, Cell> };

const all = new WeakMap<Flow, Routes>();

const routesOf = (flow: Flow): Routes =>
  remember(all, flow, () => ({ known: new Map(), answers: new Map() }));

/** `/score/:id`, `/score/{id}`, `/score/<int:id>`, `/score/[id]` and a hole: any segment. */
const isParameter = (segment: string) => /^(:|\{|<|\[|\*)|[\ue000\ue001]/.test(segment);

const segmentsOf = (path: string): string[] =>
  path
    .replace(/^(?:https?:\/\/[^/]*|\ue000|GET\s+)/, "")
    .replace(/[?#].*$/s, "")
    .split("/")
    .filter((segment) => segment !== "");

export function addRoute(path: string, functions: Value, flow: Flow): void {
  const handlers = ofKind(functions, "function").map(({ code }) => code);
  const segments = segmentsOf(path);
  // A path of parameters alone is everybody's.
  if (!segments.some((segment) => !isParameter(segment)) || handlers.length === 0) return;
  const { known } = routesOf(flow);
  const route = remember(known, path, () => ({ segments, handlers: [] }));
  for (const code of handlers) if (!route.handlers.includes(code)) route.handlers.push(code);
}

/** `app.get("/score/:id", handler)`, `http.HandleFunc("/score", handler)`. */
export function addCalledRoute(positional: readonly Value[], flow: Flow): void {
  const [first = [], ...rest] = positional;
  for (const { text } of ofKind(first, "text")) if (text.includes("/")) addRoute(text, rest.flat(), flow);
}

/** `@app.route("/score/<id>")`, `@router.get("/score/{id}")`. */
export function addDecoratedRoute(decorator: Expression, functions: Value, flow: Flow): void {
  if (decorator.kind !== "call" || !/^(route|get|api_route)$/.test(calleeName(decorator.callee))) return;
  const [path] = decorator.args[0]?.value.kind === "text" ? decorator.args[0].value.parts : [];
  if (typeof path === "string") addRoute(path, functions, flow);
}

const answering = /^(json|jsonify|send|JSONResponse|JSON|IndentedJSON|Encode|respond|reply|html|success)$/;
const answerers =
  /^(res|response|reply|ctx|c|context|NextResponse|Response|h|w|json|enc|encoder|jsonify|JSONResponse|Encode)$/i;

/** `res.json(value)`: every function that is running answers with it. */
export function noteAnswer(
  { callee, name, args }: Invocation,
  running: Iterable<FunctionCode>,
  flow: Flow,
): void {
  if (!answering.test(name) || !answerers.test(rootName(callee))) return;
  noteReturned(args.positional.flat(), running, flow);
}

export function noteReturned(value: Value, running: Iterable<FunctionCode>, flow: Flow): void {
  const kept = value.filter(({ kind }) => kind === "data" || kind === "object");
  const { answers } = routesOf(flow);
  for (const code of kept.length > 0 ? running : []) {
    fill(
      remember(answers, code, () => ({ value: [] })),
      kept,
    );
  }
}

/** A route is mounted under a prefix that may not be known: its segments are the last of the request's. */
function matches({ segments }: Route, asked: readonly string[]): boolean {
  const last = asked.slice(-segments.length);
  if (last.length < segments.length) return false;
  return segments.every((segment, index) => isParameter(segment) || segment === last[index]);
}

const answersOf = ({ handlers }: Route, { answers }: Routes): Value =>
  handlers.flatMap((code) => answers.get(code)?.value ?? []);

/** What the team's own route answers to a request; undefined where no route is meant. */
export function askRoute(urls: readonly string[], flow: Flow): Value | undefined {
  const routes = routesOf(flow);
  for (const url of urls) {
    const asked = segmentsOf(url);
    const found = [...routes.known.values()].filter((route) => matches(route, asked));
    const value = found.flatMap((route) => answersOf(route, routes));
    if (value.length > 0) return wrap(value);
  }
  return undefined;
}

/** Whether a route of the tree is meant, whatever it answers. */
export const isOwnRoute = (url: string, flow: Flow): boolean =>
  url.startsWith("/") && [...routesOf(flow).known.values()].some((route) => matches(route, segmentsOf(url)));

const holdsV1 = (value: Value): boolean => dataOf(value).length > 0 || dataOf(elementsOf(value)).length > 0;

/** The written parts of the routes that answer with V1's data, to find their clients by. */
export function v1Routes(flow: Flow): string[] {
  const routes = routesOf(flow);
  return [...routes.known.values()].flatMap((route) => {
    const end = route.segments.findIndex(isParameter);
    const written = route.segments.slice(0, end < 0 ? undefined : end).join("/");
    return written.length > 2 && holdsV1(answersOf(route, routes)) ? [`/${written}`] : [];
  });
}
