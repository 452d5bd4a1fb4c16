// Where a whole response of V1, or a whole record of it, goes to code that the scan does not see: nobody knows what is read there.
import { evaluate, functionOf } from "./evaluate.ts";
import { giveName } from "./markup.ts";
import { carriesV1, type Request, type SourceFile, type Value } from "./program.ts";
import { placeOf } from "./reads.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  functionKinds,
  functionName,
  keywordOf,
  memberOf,
  returnsOf,
  type SyntaxNode,
  wordSet,
} from "./syntax.ts";

export type Escape = ReturnType<typeof placeOf> & {
  request: Request;
  /** By the result of a function: whoever calls it may read it, and be seen. */
  isResult: boolean;
};

/** Functions that hand nothing on: they show a value to a developer, ask what it is, or fill it. */
const keepsToItself = wordSet(
  "log info warn warning error debug trace dir table print println Print Printf Println Sprintf Errorf isArray isinstance hasattr len bool type Boolean String Number expect assert describe it test Decode Unmarshal Bind BindJSON ShouldBindJSON NewDecoder NewReader",
);

const adds = wordSet("set add push append extend unshift insert update");

/** `cache.set(id, passport)`, where `cache` is a map of the file's own. */
function isOwnCollection(file: SourceFile, callee: SyntaxNode): boolean {
  const member = memberOf(callee);
  if (!member || !adds.has(member.key ?? "") || !/^[\w.]+$/.test(member.of.text)) return false;
  const name = member.of.text.replaceAll(".", "\\.");
  return new RegExp(
    `\\b${name}\\s*(?::[^=\\n]{1,200})?=\\s*(?:new (?:Map|Set|WeakMap|Array)\\b|\\[|\\{|(?:dict|list|set|defaultdict|OrderedDict)\\()`,
  ).test(file.text);
}

const maxDepth = 3;

/** The requests whose whole response, or a whole record of it, is in a value. What a decoder left of it is known. */
function requestsIn(value: Value | undefined, depth = 0): Request[] {
  if (!value || depth > maxDepth || value.isForeign) return [];
  const inner = [value.list, value.spread, ...(value.items ?? []), ...(value.members?.values() ?? [])];
  const { node, origin, shape } = value;
  const own = node?.isEnvelope && origin?.by === "call" && !shape?.isDecoder ? [origin.request] : [];
  return [...own, ...inner.flatMap((part) => requestsIn(part, depth + 1))];
}

/** The escapes in a statement at the top of a file. */
export function findEscapes(file: SourceFile, statement: SyntaxNode): Escape[] {
  const found: Escape[] = [];
  const add = (value: Value | undefined, at: SyntaxNode, isResult: boolean) => {
    for (const request of new Set(requestsIn(value))) found.push({ ...placeOf(file, at), request, isResult });
  };
  for (const node of statement.walk()) {
    if (callKinds.has(node.kind) && isOutside(file, node))
      for (const argument of argumentsOf(node)) {
        const given = keywordOf(argument)?.value ?? argument;
        if (!functionKinds.has(given.kind)) add(evaluate(file, given), given, false);
      }
    if (functionKinds.has(node.kind) && functionName(node) !== "")
      for (const result of returnsOf(node)) add(evaluate(file, result), result, true);
  }
  return found;
}

/** Whether a call hands its arguments to code that is not in the tree, and gives nothing of them back. */
function isOutside(file: SourceFile, call: SyntaxNode): boolean {
  const callee = calleeOf(call);
  const name = calleeName(call);
  // What components of the tree do with a property is followed.
  if (!callee || file.requests.has(call) || keepsToItself.has(name) || name === giveName) return false;
  if (isOwnCollection(file, callee)) return false;
  for (let scope: SyntaxNode | undefined = call; scope; scope = scope.scope)
    if (file.setters.get(scope)?.has(callee.text)) return false;
  return !functionOf(file, call) && !carriesV1(evaluate(file, call));
}
