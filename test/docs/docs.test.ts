// The documents are short, every link in them resolves, and the files, scripts, options and names that they mention exist.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Command } from "commander";
import { lexer, type Token, type Tokens, walkTokens } from "marked";
import { expect, test } from "vitest";
import { createProgram } from "../../lib/commands/program.ts";
import manifest from "../../package.json" with { type: "json" };
import { silentIo } from "../commands/terminal.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const exclude = ["**/node_modules/**", "dist/**", "test/scan/corpus/**"];
const files = globSync(
  ["{.ci,.github,bin,functions,lib,web,test,bench,schemas,docs,deploy,examples}/**/*", "*.*", ".*"],
  { cwd: root, exclude },
);
const documents = files.filter((file) => file.endsWith(".md"));

/** What these documents say was true of its time. */
const isHistory = (file: string) => /(?:^|\/)(?:CHANGELOG|decisions)\.md$/.test(file);
const current = documents.filter((file) => !isHistory(file));

function tokensOf(file: string): Token[] {
  const found: Token[] = [];
  walkTokens(lexer(read(file)), (token) => {
    found.push(token);
  });
  return found;
}
const ofType = <Type extends Token["type"]>(file: string, type: Type) =>
  tokensOf(file).filter((token) => token.type === type) as Extract<Tokens.Generic | Token, { type: Type }>[];

/** The anchors that GitHub gives to the headings of a document. */
const anchorsOf = (file: string): string[] =>
  ofType(file, "heading").map(({ text }) =>
    String(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

function findDeadLink(file: string, href: string): string | undefined {
  if (/^(?:https?|mailto):/.test(href)) return undefined;
  const [path = "", anchor] = href.split("#");
  const target = path === "" ? file : relative(root, join(root, dirname(file), path));
  if (!existsSync(join(root, target))) return `${file}: ${href}: there is no ${target}`;
  if (anchor === undefined || statSync(join(root, target)).isDirectory()) return undefined;
  return anchorsOf(target).includes(anchor) ? undefined : `${file}: ${href}: no heading has this anchor`;
}

test("Every link of every document leads to a file of the project and to a heading in it", () => {
  const links = documents.flatMap((file) =>
    [...ofType(file, "link"), ...ofType(file, "image")].map(({ href }) => ({ file, href: String(href) })),
  );
  expect(links.length).toBeGreaterThan(60);
  expect(links.flatMap(({ file, href }) => findDeadLink(file, href) ?? [])).toEqual([]);
});

test("docs/README.md, the index, links to every document of docs", () => {
  const linked = ofType("docs/README.md", "link").map(({ href }) => join("docs", String(href)));
  const inDocs = documents.filter((file) => file.startsWith("docs/") && file !== "docs/README.md");
  expect(inDocs.filter((file) => !linked.includes(file))).toEqual([]);
});

/** The code of a document: spans, and the lines of blocks. */
const codeOf = (file: string): string[] => [
  ...ofType(file, "codespan").map(({ text }) => String(text)),
  ...ofType(file, "code").flatMap(({ text }) => String(text).split("\n")),
];

test("Every file that a document names exists", () => {
  const isThere = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
  const missing = current.flatMap((file) =>
    ofType(file, "codespan")
      .flatMap(
        ({ text }) => /^((?:[\w.-]+\/)*[\w-]+\.(?:ts|js|py|md|service))$/.exec(String(text))?.[1] ?? [],
      )
      .filter((name) => !isThere(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** A script of the reader's own project. */
const theirs = "smoke";

test("Every script that a document runs is in package.json, and every program of the project is a file", () => {
  const mistakes = current.flatMap((file) =>
    codeOf(file).flatMap((line) => [
      ...[...line.matchAll(/\bnpm run (?:-s )?([\w:-]*\w)/g)]
        .map(([, name = ""]) => name)
        .filter((name) => name !== theirs && !Object.hasOwn(manifest.scripts, name))
        .map((name) => `${file}: npm run ${name}`),
      ...[...line.matchAll(/\bnode ((?:bench|bin|test)\/[\w./-]+)/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !existsSync(join(root, name)))
        .map((name) => `${file}: node ${name}`),
    ]),
  );
  expect(mistakes).toEqual([]);
});

/** Of npm and systemctl. */
const ofOthers = ["--omit", "--now"];
/** Of the scripts in bench, by their usage. */
const ofBench = files
  .filter((file) => /^bench\/.*\.ts$/.test(file))
  .flatMap((file) => read(file).match(/(?<=^ *"Usage: .*)--[a-z][\w-]*/gm) ?? []);

test("Every option that a document names by itself is one of v1watch or of the scripts in bench", async () => {
  const optionsOf = (command: Command): string[] => [
    ...command.options.map(({ long }) => long ?? ""),
    ...command.commands.flatMap(optionsOf),
  ];
  const program = await createProgram(silentIo, () => {});
  const known = new Set([...optionsOf(program), "--help", ...ofBench, ...ofOthers]);
  const named = current.flatMap((file) =>
    ofType(file, "codespan").flatMap(({ text }) =>
      /^(?:[a-z]+ )*--[a-z]/.test(String(text)) && !/^(?:npm|npx|node|git|docker|aws|pip) /.test(String(text))
        ? [...String(text).matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([option]) => ({ file, option }))
        : [],
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ option }) => !known.has(option))).toEqual([]);
});

test("The README has at most 800 words", () => {
  expect(read("README.md").match(/\S*\w\S*/g)?.length).toBeLessThanOrEqual(800);
});

test("A decision has at most six lines", () => {
  const decisions = read("docs/develop/decisions.md").split(/^## /m).slice(1);
  expect(decisions.length).toBeGreaterThan(10);
  for (const decision of decisions) {
    const [title, ...lines] = decision
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("Removed: "));
    expect(lines.length, title).toBeLessThanOrEqual(6);
  }
});

test("Every name of the code in docs/develop/architecture.md is in the code", () => {
  const names = [
    ...read("docs/develop/architecture.md").matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)`/g),
  ].map(([, name]) => name!);
  expect(names).toContain("toDataPoints");
  const code = files
    .filter((file) => /^lib\/.*\.ts$/.test(file))
    .map(read)
    .join("\n");
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});
