// Calls that ask V1: which text is the URL, which base it gets, and what is no request at all.
import { bodies } from "./consumer-fields.ts";
import { askedEndpoint, joinPath } from "./consumer-paths.ts";
import type { Expression } from "./scan-code.ts";
import { type Flow, type Frame, siteOf, tellHazard } from "./scan-frame.ts";
import { calleeName, rootName } from "./scan-hazards.ts";
import { concatenate, type DataAtom, newObject, ofKind, type TextAtom, type Value } from "./scan-values.ts";

/** Where a client keeps its base; no source code can have such a key. */
const baseKey = "<base>";

const baseNames = ["baseURL", "base_url", "prefixUrl", "baseUrl", "BaseURL", "base", "prefix"];
const urlNames = ["url", "uri", "path", "pathname", "href", "endpoint", "input", "URL"];

const asks =
  /^(\$?fetch\w*|get|get_?json|request|axios|got|ky|ofetch|ajax|urlopen|open|newrequest(withcontext)?|use(swr|fetch|query|axios|lazyfetch)|head|stream|send|do|needle|superagent|url|uri|load|api|http|client|session|retrieve|call)$/i;
const otherMethod = /^(post|put|patch|delete|options|del)(json|form)?$/i;
const noRequest =
  /^(log|info|warn\w*|error|debug|trace|print\w*|fatal\w*|starts_?with|hasprefix|ends_?with|includes|contains|index_?of|match\w*|test|split|has|push|add|append|assert\w*|expect|to(be|equal|have|match)\w*|equal\w*|describe|it|handle\w*|use|route\w*|re_?path|path|include|register\w*|mock\w*|nock|intercept|reply|on\w*|emit|set\w*|errorf|new|string|len|\w*error|\w*exception|compile|search|sub|exec|all|any|invalidate\w*|revalidate\w*|mutate|dispatch)$/i;
const routers = /^(app|router|routes|server|fastify|express|mux|r|e|engine|group|blueprint|bp)$/i;

export type Request = {
  callee: Expression;
  receiver: Value | undefined;
  positional: readonly Value[];
  named: ReadonlyMap<string, Value>;
};

const fieldText = (value: Value, names: readonly string[]): Value =>
  ofKind(value, "object").flatMap((atom) =>
    names.flatMap((name) => ofKind(atom.fields.get(name)?.value ?? [], "text")),
  );

const namedText = (named: ReadonlyMap<string, Value>, names: readonly string[]): Value =>
  names.flatMap((name) => ofKind(named.get(name) ?? [], "text"));

/** A client with a base: axios.create({ baseURL }), httpx.Client(base_url=…), SetBaseURL(…). */
export function makeClient({ callee, positional, named }: Request): Value | undefined {
  const name = calleeName(callee);
  const isBuilt = callee.kind === "member" && callee.of.kind === "call";
  const isSetter =
    /^(SetBaseURL|SetHostURL|setBaseURL)$/.test(name) || (isBuilt && /^(Base|BaseURL)$/.test(name));
  const base = isSetter
    ? ofKind(positional[0] ?? [], "text")
    : [...positional.flatMap((arg) => fieldText(arg, baseNames)), ...namedText(named, baseNames)];
  const makes =
    isSetter ||
    /^(create|extend|defaults|instance|Client|AsyncClient|ClientSession|Session|New|new|ApiClient)$/.test(
      name,
    );
  if (!makes || base.length === 0) return undefined;
  const client = newObject();
  client.fields.set(baseKey, { value: base });
  return [client];
}

export const isClient = (value: Value): boolean =>
  ofKind(value, "object").some(({ fields }) => fields.has(baseKey));

/** A server's own route: app.get("/api/v1/passports", handler). */
function isRoute(callee: Expression, positional: readonly Value[]): boolean {
  if (callee.kind !== "member" || positional.length < 2) return false;
  const hasHandler = positional.slice(1).some((arg) => ofKind(arg, "function").length > 0);
  return (routers.test(rootName(callee)) && hasHandler) || /^(GET|HEAD|Any|Handle\w*)$/.test(callee.key);
}

function asksOtherMethod({ callee, positional, named }: Request): boolean {
  const methods = [
    ...positional.flatMap((arg) => fieldText(arg, ["method", "type"])),
    ...namedText(named, ["method"]),
  ];
  const words = positional
    .flatMap((arg) => ofKind(arg, "text"))
    .filter(({ text }) => /^[A-Za-z]{3,7}$/.test(text));
  return (
    otherMethod.test(calleeName(callee)) ||
    [...methods, ...words].some((atom) => atom.kind === "text" && otherMethod.test(atom.text))
  );
}

function urlsOf({ receiver, positional, named }: Request, own: Value): readonly TextAtom[] {
  const texts = [
    ...positional.flatMap((arg) => ofKind(arg, "text")),
    ...positional.flatMap((arg) => ofKind(fieldText(arg, urlNames), "text")),
    ...ofKind(namedText(named, urlNames), "text"),
  ];
  const bases = [
    ...ofKind(fieldText([...(receiver ?? []), ...own], [baseKey]), "text"),
    ...positional.flatMap((arg) => ofKind(fieldText(arg, baseNames), "text")),
    ...ofKind(namedText(named, baseNames), "text"),
  ];
  const joined = bases.flatMap((base) =>
    texts.flatMap((text) => ofKind(concatenate([[base], [text]], joinPath), "text")),
  );
  return [...joined, ...texts];
}

/** The answers that a call gives; undefined when it asks for nothing of V1. */
export function ask(
  request: Request,
  own: Value,
  frame: Frame,
  line: number,
  flow: Flow,
): DataAtom[] | undefined {
  const name = calleeName(request.callee);
  const found: DataAtom[] = [];
  const urls = urlsOf(request, own).map((atom) => ({ atom, asked: askedEndpoint(atom.text) }));
  const sure = urls.some(({ asked }) => asked?.isSure);
  const isNone =
    isRoute(request.callee, request.positional) ||
    asksOtherMethod(request) ||
    (noRequest.test(name) && !isClient(request.receiver ?? []));
  for (const { atom, asked } of urls) {
    if (!asked || (sure && !asked.isSure)) continue;
    for (const literal of atom.literals) literal.isUsed = true;
    if (isNone) continue;
    const { endpoint, isSure, assumesInteger } = asked;
    const basis = asks.test(name) || isClient(own) ? "flow" : "type";
    const data: DataAtom = { kind: "data", node: bodies[endpoint], isSure, basis };
    if (found.some(({ node }) => node === data.node)) continue;
    found.push(data);
    frame.touched.add(endpoint);
    flow.tell({ kind: "call", ...(atom.via ?? siteOf(frame, line)), endpoint, isSure, basis });
    if (assumesInteger) tellHazard(flow, frame, line, "integer-id", [data]);
  }
  return found.length > 0 ? found : undefined;
}
