// Follows V1's values through a tree: from the files that name V1 through what they import and through their importers, until
// nothing changes.
import { posix } from "node:path";
import { apiKeyHeader, type EndpointId } from "../../contract/endpoints.ts";
import { distinctiveNames } from "../../contract/v1/code-names.ts";
import { mentionsResource, resources } from "../names/addresses.ts";
import type { Neighbours } from "../names/neighbours.ts";
import { isTest } from "../tree/files.ts";
import type { SourceFiles } from "../tree/imports.ts";
import type { Mark, Mention } from "../uses.ts";
import { callResult } from "./calls.ts";
import { type Escape, findEscapes } from "./escapes.ts";
import { findWrappers, HazardFinder } from "./hazards.ts";
import { giveName } from "./markup.ts";
import { Program, type ProgramFacts, type SourceFile, type Statement } from "./program.ts";
import { FieldReader, placeOf } from "./reads.ts";
import { guessRequests, noRequest } from "./requests.ts";
import { handlersOfV1, routeFor, routeOf } from "./routes.ts";
import { applyRules, declareAtTop, recognizeRecords } from "./rules.ts";
import {
  calleeName,
  callKinds,
  collectTrees,
  functionKinds,
  functionName,
  type SyntaxNode,
  wordSet,
} from "./syntax.ts";
import { textOf } from "./texts.ts";

export type Followed = {
  marks: Mark[];
  /** V1's paths in the code that are not counted as calls. */
  mentions: Mention[];
  /** Files that were not looked into: nested too deeply to parse, or past the limits. */
  onlySearched: ReadonlySet<string>;
  /** Files whose code was looked into. */
  lookedInto: ReadonlySet<string>;
};

const maxRounds = 12;
/** Tests call a substitute for V1, and break nobody. */
const maxTestRounds = 3;
const escapeWord = (word: string) => word.replace(/[$]/g, "\\$&");
const wordPattern = (words: Iterable<string>) =>
  `(?<![\\w$])(?:${[...words].map(escapeWord).join("|")})(?![\\w$])`;

/** Words that make a statement worth looking at, in every file. */
const v1Words = [...resources, ...distinctiveNames];
/** Also as `humanCheckmark`, where a library renamed the keys. */
const camelWords = v1Words.map((word) => word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
const staticWords = `${v1Words.join("|")}|${camelWords.join("|")}|${giveName.replace(/\$/g, "\\$")}`;

class Follower {
  readonly program: Program;
  private readonly importers: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly sources: SourceFiles;
  /** Variables of the environment that have an address of V1. */
  private readonly variables: readonly string[];
  /** The words with which a file's statements were chosen last. */
  private readonly chosenBy = new Map<SourceFile, string>();

  constructor(
    sources: SourceFiles,
    importers: ReadonlyMap<string, ReadonlySet<string>>,
    facts: ProgramFacts,
  ) {
    this.sources = sources;
    this.importers = importers;
    this.program = new Program(facts, { declare: declareAtTop, callResult });
    this.variables = [...facts.environment].flatMap(([name, value]) => (mentionsResource(value) ? name : []));
  }

  /** Work on one file; code that is nested too deeply ends it. */
  private within(file: SourceFile, work: () => void): void {
    this.program.facts.begin(file.path);
    try {
      work();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.program.tangled.add(file.path);
      this.program.running.clear();
      this.program.returning.clear();
    }
  }

  /** Names of other files that have to do with V1, as this file calls them. */
  private importedWords(file: SourceFile): string[] {
    const found: string[] = [];
    for (const [local, { name, specifiers }] of file.imports) {
      // Only files that are open already have such names.
      for (const other of this.openedBy(file, specifiers)) {
        const hot = this.hotNamesOf(other);
        found.push(...hot);
        if (hot.size > 0 && (hot.has(name) || name === "default" || name === "*")) found.push(local);
      }
    }
    const { packages } = this.program.facts.tree;
    const ofPackage = file.language === "go" ? (packages.get(posix.dirname(file.path)) ?? []) : [];
    const beside = ofPackage.flatMap((path) => this.program.files.get(path) ?? []);
    for (const other of [...this.openedBy(file, file.passedOn), ...beside])
      found.push(...this.hotNamesOf(other));
    return found;
  }

  private openedBy(file: SourceFile, specifiers: readonly string[]): SourceFile[] {
    const { tree } = this.program.facts;
    return specifiers.flatMap((specifier) => {
      const path = file.pathOf(specifier);
      const paths =
        path === undefined
          ? []
          : file.language === "go"
            ? (tree.packages.get(posix.dirname(path)) ?? [])
            : [path];
      return paths.flatMap((one) => this.program.files.get(one) ?? []);
    });
  }

  /** The names of a file, and of those that it passes on, that have to do with V1. */
  private hotNamesOf(file: SourceFile, depth = 0): ReadonlySet<string> {
    const passed = [
      ...file.passedOn,
      ...[...file.exports.values()].flatMap(({ specifier }) => specifier ?? []),
      ...(file.language === "python"
        ? [...file.imports.values()].flatMap(({ specifiers }) => specifiers)
        : []),
    ];
    const inner = depth > 2 ? [] : this.openedBy(file, passed);
    return new Set([...file.hotNames, ...inner.flatMap((other) => [...this.hotNamesOf(other, depth + 1)])]);
  }

  private chooseStatements(file: SourceFile): boolean {
    const own = [...file.hotNames, ...this.importedWords(file), ...this.variables];
    const words = [...new Set(own)].sort();
    const chosen = words.join(" ");
    if (this.chosenBy.get(file) === chosen) return false;
    this.chosenBy.set(file, chosen);
    const dynamic = words.length > 0 ? `|${wordPattern(words)}` : "";
    // Where the address is outside the code, the key tells which request may be V1's.
    const key = file.isUnaddressed ? `|${apiKeyHeader}` : "";
    return file.enliven(new RegExp(staticWords + dynamic + key, "i"));
  }

  /** Importers that mention a name which has to do with V1. */
  private openImporters(areTests: boolean): boolean {
    let isOpened = false;
    for (const file of [...this.program.files.values()]) {
      const hot = this.hotNamesOf(file);
      if (hot.size === 0) continue;
      const words = new RegExp(wordPattern(hot));
      const isUnnamed =
        hot.has("default") || /\.(vue|svelte|astro)$/.test(file.path) || file.declarations.has("default");
      for (const path of this.importersOf(file)) {
        if (this.program.files.has(path) || this.program.tangled.has(path) || isTest(path) !== areTests)
          continue;
        if (
          !isUnnamed &&
          !words.test(this.program.facts.tree.read(path)) &&
          !isBarrel(this.program.facts.tree.read(path))
        )
          continue;
        isOpened = this.program.open(path) !== undefined || isOpened;
      }
    }
    return isOpened;
  }

  private importersOf(file: SourceFile): ReadonlySet<string> {
    const { packages } = this.program.facts.tree;
    const folder = file.language === "go" ? (packages.get(posix.dirname(file.path)) ?? []) : [];
    const found = new Set(this.importers.get(file.path));
    for (const path of folder) {
      found.add(path);
      for (const importer of this.importers.get(path) ?? []) found.add(importer);
    }
    return found;
  }

  /** Applies the rules once. What other code says is known when the tests' turn comes. */
  private async round(
    step: () => Promise<void>,
    areTests: boolean,
    also: (file: SourceFile, statement: SyntaxNode) => void,
  ): Promise<void> {
    this.program.startRound();
    for (const file of [...this.program.files.values()]) {
      if (isTest(file.path) !== areTests) continue;
      this.within(file, () => {
        if (this.chooseStatements(file)) this.program.isChanged = true;
        for (const { node, isLive } of file.statements)
          if (isLive) {
            applyRules(file, node);
            also(file, node);
          }
      });
      collectTrees();
      await step();
    }
  }

  private async settle(
    step: () => Promise<void>,
    areTests: boolean,
    also: (file: SourceFile, statement: SyntaxNode) => void = () => {},
  ): Promise<void> {
    for (let round = 0; round < (areTests ? maxTestRounds : maxRounds); round++) {
      await this.round(step, areTests, also);
      const isOpened = this.openImporters(areTests);
      if (!isOpened && !this.program.isChanged) return;
    }
  }

  async follow(step: () => Promise<void>): Promise<void> {
    for (const areTests of [false, true]) {
      for (const path of this.sources.seeds)
        if (isTest(path) === areTests) {
          this.program.open(path, !areTests);
          collectTrees();
          await step();
        }
      await this.settle(step, areTests);
      if (areTests) return;
      for (const file of this.program.files.values()) this.within(file, () => guessRequests(file));
      await this.settle(step, areTests, (file, statement) => {
        if (file.isNear) recognizeRecords(file, statement);
      });
    }
  }

  /** Whether a function's name is in code that was not looked at. */
  private isUsedElsewhere(file: SourceFile, fn: SyntaxNode): boolean {
    const name = functionName(fn);
    if (name === "") return false;
    const word = new RegExp(`${wordPattern([name])}\\s*\\(`);
    const own = file.statementOf(fn);
    const isOther = (statement: Statement) =>
      !statement.isLive && statement !== own && word.test(statement.text);
    if (file.statements.some(isOther)) return true;
    const { tree } = this.program.facts;
    return [...this.importersOf(file)].some((path) => {
      const opened = this.program.files.get(path);
      if (!opened) return word.test(tree.read(path));
      return opened.statements.some(isOther);
    });
  }

  private callMarks(file: SourceFile): Mark[] {
    return [...file.requests.values()].map(({ endpoint, isSure, at }) => ({
      kind: "call",
      ...placeOf(file, at),
      endpoint,
      confidence: isSure ? "high" : "medium",
      evidence: { by: "address", isSure },
    }));
  }

  /** V1's paths in texts that no request has: calls at low confidence, or mentions with the reason why they are none. */
  private unusedAddresses(file: SourceFile): { marks: Mark[]; mentions: Mention[] } {
    const { matcher } = this.program.facts;
    const marks: Mark[] = [];
    const mentions: Mention[] = [];
    for (const { node: statement, isLive, text } of file.statements) {
      if (!isLive || !mentionsResource(text)) continue;
      for (const node of statement.walk()) {
        if (!textKinds.has(node.kind) || isComment(node) || this.program.usedLiterals.has(node)) continue;
        const read = mentionsResource(node.text) ? textOf(file, wholeText(node)) : undefined;
        const asked = read && matcher.askedEndpoint(read.text);
        if (!read || !asked?.isSure) continue;
        const { endpoint } = asked;
        const why = whyNotCounted(file, node, read.text);
        if (why !== undefined) mentions.push({ file: file.path, line: node.line, endpoint, why });
        else
          marks.push({
            kind: "call",
            ...placeOf(file, node),
            endpoint,
            confidence: "low",
            evidence: { by: "text" },
          });
      }
    }
    return { marks, mentions };
  }

  /** V1's paths in the text of a file that the syntax tree does not account for: in markup, or inside a longer text. */
  private remainingMentions(file: SourceFile, known: readonly { line: number }[]): Mention[] {
    const lines = new Set(known.map(({ line }) => line));
    for (const { node: statement, text } of file.statements)
      for (const node of mentionsResource(text) ? statement.walk() : [])
        if (textKinds.has(node.kind) && (isComment(node) || this.program.usedLiterals.has(node)))
          for (let at = node.text.split("\n").length; at > 0; at--) lines.add(node.line + at - 1);
    return (this.sources.names.get(file.path)?.calls ?? []).flatMap(({ endpoint, line }) =>
      lines.has(line)
        ? []
        : [{ file: file.path, line, endpoint, why: "the path is in markup or inside a longer text" }],
    );
  }

  findings(): { marks: Mark[]; mentions: Mention[] } {
    const { program } = this;
    program.startRound();
    const wrappers = findWrappers(program, (file, fn) => this.isUsedElsewhere(file, fn));
    for (const [fn, { file }] of wrappers) {
      const statement = file.statementOf(fn);
      if (statement) statement.isLive = true;
    }
    const asking = new Map();
    const marks: Mark[] = [];
    const escapes: Escape[] = [];
    const mentions: Mention[] = [];
    for (const file of program.files.values())
      this.within(file, () => {
        const unused = this.unusedAddresses(file);
        const calls = [...this.callMarks(file), ...unused.marks];
        marks.push(...calls);
        if (!isTest(file.path))
          mentions.push(...unused.mentions, ...this.remainingMentions(file, [...calls, ...unused.mentions]));
        const reader = new FieldReader(file);
        const finder = new HazardFinder(file, wrappers, asking);
        for (const { node, isLive } of file.statements)
          if (isLive) {
            reader.read(node);
            finder.find(node);
            if (!isTest(file.path)) escapes.push(...findEscapes(file, node));
          }
        marks.push(...withoutOwnAnswers(file, [...reader.marks, ...finder.marks]));
      });
    return { marks: [...marks, ...escapes.flatMap((found) => markEscape(found, marks))], mentions };
  }
}

/** A result is seen where somebody else reads a part of it. The mark belongs to the call. */
function markEscape({ request, isResult, file, line, inside }: Escape, marks: readonly Mark[]): Mark[] {
  const place = placeOf(request.file, request.at);
  const isSeen = marks.some(
    (mark) =>
      "field" in mark &&
      mark.evidence.by === "call" &&
      mark.evidence.file === place.file &&
      mark.evidence.line === place.line &&
      (mark.file !== file || mark.inside !== inside),
  );
  if (isResult && isSeen) return [];
  const { endpoint, isSure } = request;
  return [
    {
      kind: "passed-on",
      to: { file, line },
      ...place,
      endpoint,
      confidence: isSure ? "high" : "medium",
      evidence: { by: "address", isSure },
    },
  ];
}

/** Hands on everything that it imports. */
const isBarrel = (text: string): boolean =>
  /\bexport\s*\*|\bexport\s*\{[^}]*\}\s*from|^from\s+\S+\s+import\s+\*/m.test(text);

/** The sum that a text is a part of: `"/api/v1/passports/" + id`. */
function wholeText(node: SyntaxNode): SyntaxNode {
  let whole = node;
  while (whole.parent && /^binary_/.test(whole.parent.kind) && whole.parent.operator === "+")
    whole = whole.parent;
  return whole;
}

const textKinds = wordSet("string template_string interpreted_string_literal raw_string_literal");

/** A text by itself, such as a docstring, is a comment. */
const isComment = (node: SyntaxNode): boolean => node.parent?.kind === "expression_statement";

/** The call that a text is given to. */
function receiverOf(text: SyntaxNode): SyntaxNode | undefined {
  for (let at = text.parent; at && !functionKinds.has(at.kind); at = at.parent)
    if (callKinds.has(at.kind)) return at;
  return undefined;
}

const errors = wordSet("throw_statement raise_statement");

/** In a file that serves V1's paths and asks nobody for them, a name alone does not tell V1's data from its own. */
function withoutOwnAnswers(file: SourceFile, marks: readonly Mark[]): readonly Mark[] {
  if (file.requests.size > 0 || !marks.some(({ evidence }) => evidence.by === "name")) return marks;
  const handlers = handlersOfV1(file).map(({ line, text }) => ({
    line,
    end: line + text.split("\n").length - 1,
  }));
  return marks.filter(
    ({ evidence, line }) =>
      evidence.by !== "name" || !handlers.some((handler) => line >= handler.line && line <= handler.end),
  );
}

/** Why an address of V1 is not asked for where it is written; undefined where nobody knows. */
function whyNotCounted(file: SourceFile, node: SyntaxNode, address: string): string | undefined {
  if (node.above(errors)) return "it is in the text of an error";
  const call = receiverOf(node);
  const name = call && calleeName(call);
  if (call && routeOf(file, call)) return `the code serves this path itself: ${name}() gives it a handler`;
  if (name !== undefined && noRequest.has(name)) return `${name}() sends no request`;
  return routeFor(file, node, address) && "the same file serves this path";
}

export async function followUses(input: {
  sources: SourceFiles;
  importers: ReadonlyMap<string, ReadonlySet<string>>;
  neighbours: Neighbours;
  matcher: ProgramFacts["matcher"];
  step: () => Promise<void>;
  begin: ProgramFacts["begin"];
}): Promise<Followed> {
  const { sources, importers, matcher, step, begin } = input;
  const { near, unaddressed } = input.neighbours;
  const { tree, environment } = sources;
  const follower = new Follower(sources, importers, {
    tree,
    matcher,
    environment,
    near,
    unaddressed,
    begin,
  });
  await follower.follow(step);
  const { program } = follower;
  const { marks, mentions } = follower.findings();
  return {
    marks: judgeMarks(marks, near, program.asked),
    mentions,
    onlySearched: new Set([...program.tangled, ...program.unopened]),
    lookedInto: new Set(program.files.keys()),
  };
}

/** What was found by a type or a name needs a call in the tree, or a file that is near V1's names. */
function judgeMarks(
  marks: readonly Mark[],
  near: ReadonlySet<string>,
  asked: ReadonlySet<EndpointId>,
): Mark[] {
  return marks.filter(
    ({ evidence, file }) =>
      evidence.by === "call" ||
      evidence.by === "address" ||
      evidence.by === "text" ||
      asked.size > 0 ||
      near.has(file),
  );
}
