// Field reads: a key of V1's contract that is read from a part of V1's response.
import { distinctiveNames, numbersAsText, tellingNames } from "../../contract/v1/code-names.ts";
import { type FieldNode, fieldPath, matchShape, nodeNamed } from "../names/fields.ts";
import type { Mark } from "../uses.ts";
import { decoderOf } from "./calls.ts";
import { evaluate } from "./evaluate.ts";
import { access, elementOf, type Origin, type SourceFile, type Value } from "./program.ts";
import { patternValue } from "./rules.ts";
import {
  argumentsOf,
  callKinds,
  insideOf,
  literalOf,
  memberOf,
  patternEntryOf,
  type SyntaxNode,
  wordSet,
} from "./syntax.ts";

/** Names that objects of libraries and of the language have: to read one of them says nothing about V1. */
const builtIn = wordSet(
  "length map filter find forEach reduce some every slice sort then catch finally json text ok status statusText headers data error errors value get keys values items toString toFixed includes push join at success body current isLoading loading refetch mutate raise_for_status status_code Body StatusCode concat flatMap toLocaleString trim toLowerCase toUpperCase parse append extend copy pop update setdefault entries has set size url content result results payload response state message cause stack name code config request Close Error clone model_dump dict id type pages hasNextPage fetchNextPage isError isPending props children key className style indexOf replace split constructor hasOwnProperty",
);

/** Objects that hold what the user sent or what a database has. */
const foreignHolders = wordSet(
  "props args params req request query searchParams process db row user formData body form input",
);

/** Where a finding is. */
export const placeOf = ({ path }: SourceFile, at: SyntaxNode) => ({
  file: path,
  line: at.line,
  inside: insideOf(at),
});

/** What a finding rests on, and how sure it is. */
export function basisOf(origin: Origin | undefined): Pick<Mark, "confidence" | "evidence"> {
  if (!origin) return { confidence: "medium", evidence: { by: "text" } };
  if (origin.by !== "call") return { confidence: "medium", evidence: origin };
  const { file, at, isSure } = origin.request;
  return {
    confidence: isSure ? "high" : "medium",
    evidence: { by: "call", file: file.path, line: at.line },
  };
}

export class FieldReader {
  readonly marks: Mark[] = [];
  private readonly file: SourceFile;

  constructor(file: SourceFile) {
    this.file = file;
  }

  /** The reads in a statement at the top of a file. */
  read(statement: SyntaxNode): void {
    for (const node of statement.walk()) {
      this.member(node);
      if (node.kind === "object_pattern") this.pattern(node);
      if (callKinds.has(node.kind)) {
        this.path(node);
        this.decoder(node);
      }
    }
  }

  private add(node: FieldNode, at: SyntaxNode, origin: Origin | undefined): void {
    if (node.isEnvelope) return;
    this.marks.push({
      kind: "read",
      field: fieldPath(node),
      ...placeOf(this.file, at),
      endpoint: node.endpoint,
      ...basisOf(origin),
    });
  }

  private value(node: SyntaxNode): Value | undefined {
    return evaluate(this.file, node);
  }

  private member(node: SyntaxNode): void {
    const member = memberOf(node);
    if (!member || member.key === undefined || isAssigned(node)) return;
    const { of, key, at } = member;
    const holder = this.value(of);
    const found = access(holder, key);
    const isOwn = holder?.members?.has(key) ?? false;
    if (
      found?.node &&
      found.node !== holder?.node &&
      !isOwn &&
      (holder?.node || holder?.spread || holder?.shape)
    ) {
      this.add(found.node, at, found.origin ?? holder?.origin);
      return;
    }
    if (found || isOwn) return;
    if (holder?.node) this.undocumented(node, key, at, holder);
    else if (!holder && this.file.isNear && distinctiveNames.has(key)) this.byName(key, at, of.text);
  }

  private undocumented(
    node: SyntaxNode,
    key: string,
    at: SyntaxNode,
    { node: of, origin, shape }: Value,
  ): void {
    const isCalled = callKinds.has(node.parent?.kind ?? "") && node.parent?.field("function") === node;
    if (of?.type !== "object" || of.path === "" || of.element || shape) return;
    const basis = basisOf(origin);
    if (basis.confidence !== "high" || builtIn.has(key) || isCalled || !/^[a-z][a-z0-9_]*$/.test(key)) return;
    this.marks.push({
      kind: "undocumented",
      field: `${of.path}.${key}`,
      ...placeOf(this.file, at),
      endpoint: of.endpoint,
      ...basis,
    });
  }

  private byName(name: string, at: SyntaxNode, holder: string): void {
    if ((foreignHolders.has(holder) || numbersAsText.has(name)) && !tellingNames.has(name)) return;
    const node = nodeNamed(name, this.file.program.asked);
    if (node) this.add(node, at, { by: "name", name });
  }

  private pattern(pattern: SyntaxNode): void {
    const entries = pattern.children.flatMap((part) => patternEntryOf(part) ?? []);
    const keys = entries.map(({ key }) => key);
    const telling = this.file.isNear ? keys.find((key) => tellingNames.has(key)) : undefined;
    const guessed = telling === undefined ? undefined : matchShape(keys, this.file.program.asked);
    const known = patternValue(this.file, pattern);
    const holder: Value | undefined =
      known ?? (guessed && { node: guessed, origin: { by: "name", name: telling! } });
    for (const { key, pattern: part } of entries) {
      const found = access(holder, key);
      const isOwn = holder?.members?.has(key) ?? false;
      if (found?.node && found.node !== holder?.node && !isOwn) this.add(found.node, part, found.origin);
      else if (
        !holder &&
        telling !== undefined &&
        tellingNames.has(key) &&
        pattern.parent?.kind !== "required_parameter"
      )
        this.byName(key, part, "");
    }
  }

  /** `get(body, "passport.score")`, `jmespath.search("passport.score", body)`. */
  private path(call: SyntaxNode): void {
    const args = argumentsOf(call);
    if (args.length < 2) return;
    const literals = args.flatMap((argument) => {
      const text = literalOf(argument);
      return text !== undefined && /^\w+([.[\]]+\w+)*\]?$/.test(text) ? [{ argument, text }] : [];
    });
    if (literals.length === 0) return;
    const holder = args.map((argument) => this.value(argument)).find((value) => value?.node);
    for (const { argument, text } of holder ? literals : []) {
      let value: Value | undefined = holder;
      for (const key of text.split(/[.[\]]+/).filter(Boolean))
        value = /^\d+$/.test(key) ? elementOf(value) : (access(value, key) ?? access(elementOf(value), key));
      if (value?.node && value.node !== holder?.node) this.add(value.node, argument, value.origin);
    }
  }

  /** Fields of a type that a response is decoded into: decoding fails when V1 changes them. */
  private decoder(call: SyntaxNode): void {
    const declared = decoderOf(this.file, call);
    if (declared) this.required(declared, this.value(call)?.origin);
    if (this.file.language !== "go") return;
    for (const argument of argumentsOf(call)) {
      const target =
        argument.kind === "unary_expression" && argument.text.startsWith("&")
          ? argument.children[0]
          : undefined;
      const value = target && this.value(target);
      if (value?.shape) this.required(value, value.origin);
    }
    this.required(this.value(call), this.value(call)?.origin);
  }

  private required(value: Value | undefined, origin: Origin | undefined, depth = 0): void {
    const { shape } = value ?? {};
    if (!value || depth > 4) return;
    if (value.list) this.required(value.list, origin, depth + 1);
    if (!shape?.isDecoder || (!value.node && shape.members.size === 0)) return;
    for (const [own, member] of shape.members) {
      const part = access(value, own);
      const node = part?.node;
      if (part && (part.shape || part.list?.shape)) this.required(part, origin, depth + 1);
      else if (node && !node.isEnvelope && node !== value.node)
        this.marks.push({
          kind: "decode",
          field: fieldPath(node),
          file: shape.file.path,
          line: member.line,
          inside: "",
          endpoint: node.endpoint,
          ...basisOf(part.origin),
        });
    }
  }
}

/** Whether a member is given a value rather than read. */
function isAssigned(node: SyntaxNode): boolean {
  const { parent } = node;
  if (!parent) return false;
  if (/^(assignment_expression|assignment|assignment_statement)$/.test(parent.kind))
    return parent.field("left") === node;
  return (
    parent.kind === "expression_list" &&
    parent.parent?.kind === "assignment_statement" &&
    parent.parent.field("left") === parent
  );
}
