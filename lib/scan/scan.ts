// Scans source trees and returns the code that uses V1: calls, field reads and hazards.
import { join, posix } from "node:path";
import type { EndpointId } from "../contract/endpoints.ts";
import type { ScanOutput } from "../records/outputs.ts";
import { type Followed, followUses } from "./code/follow.ts";
import { languageOf, loadParser } from "./code/syntax.ts";
import { type Addresses, type AddressMatcher, createAddressMatcher } from "./names/addresses.ts";
import { isForwarder } from "./names/bases.ts";
import { type FileNames, isOtherSource, namesAsMarks, tellingIn, templateMarks } from "./names/names.ts";
import { findNeighbours, type Neighbours } from "./names/neighbours.ts";
import { findSuccessors, type SuccessorNames } from "./names/successor.ts";
import { isTemplate } from "./names/templates.ts";
import { countDifferences, Digest } from "./tree/digest.ts";
import { isFolderAt, isTest, listTree, packageOf, readOwners, readTreeFile } from "./tree/files.ts";
import { findImporters, type Guard, isEnvironmentFile, readTree, type SourceFiles } from "./tree/imports.ts";
import { readCommit } from "./tree/tracked.ts";
import { dropCoveredObjects, groupIntoUses, type Mark, type Mention } from "./uses.ts";

export type Scan = Pick<
  ScanOutput,
  | "files"
  | "lines"
  | "folders"
  | "links"
  | "missing"
  | "uses"
  | "tests"
  | "questions"
  | "addresses"
  | "notCounted"
  | "unfollowed"
>;
/** A file that reads V1's fields although no call of V1 was found near it: its address is outside the code. */
export type Question = Scan["questions"][number];
export type ScanProgress = { done: number; total: number; lines: number };
export type Folder = { root: string; as: string };
export type ScanOptions = {
  onProgress?: (progress: ScanProgress) => void;
  signal?: AbortSignal;
  /** Addresses of V1 other than `/api/v1`. */
  addresses?: Partial<Addresses>;
  /** What the team's mapping says of V2: code that asks V2 is no use of V1. */
  successor?: SuccessorNames | undefined;
  /** Its files are absolute. Nothing can stop the parser: who is told of a file and of no other for long has to end the process. */
  guard?: Guard;
};

/** The normalized path relative to the working directory, so that one file has one name. */
const toDisplayPath = (as: string, file: string): string => posix.relative("", posix.join(as, file));

const fileType = (file: string): string =>
  languageOf(file) ?? (isTemplate(file) ? "template" : posix.extname(file).slice(1) || "text");

type Asked = ReadonlySet<EndpointId>;

/** Findings by names alone: files of languages that are not parsed, and files that could not be looked into. */
function judgeNames({ names }: SourceFiles, { near }: Neighbours, followed: Followed, asked: Asked): Mark[] {
  const hasCalls = followed.marks.some(({ kind }) => kind === "call");
  return [...names].flatMap(([file, inFile]): Mark[] => {
    const inTemplate = near.has(file) ? templateMarks(file, inFile, asked) : [];
    if (isTemplate(file)) {
      const calls = followed.lookedInto.has(file) ? [] : inFile.calls;
      return [...inTemplate, ...namesAsMarks(file, { calls, names: [] }, "low")];
    }
    if (languageOf(file)) {
      const searched = followed.onlySearched.has(file) && inFile.calls.length > 0;
      return [...inTemplate, ...(searched ? namesAsMarks(file, inFile, "low") : [])];
    }
    if (isOtherSource(file))
      return near.has(file) || isTest(file) ? namesAsMarks(file, inFile, "medium", asked) : [];
    const isSetting = isEnvironmentFile(file) && hasCalls;
    return inFile.calls.length > 0 && !isSetting ? namesAsMarks(file, inFile, "low") : [];
  });
}

const isSource = (file: string) => languageOf(file) !== undefined || isOtherSource(file);

const questionOf = (file: string, inFile: FileNames): Question => ({
  file,
  line: inFile.names[0]?.line ?? 1,
  names: tellingIn(inFile),
});

/** The parts of a request in a file, or in a file near it, of which the scan made no use. */
function findLooseParts(
  { names }: SourceFiles,
  { around }: Neighbours,
  calling: ReadonlySet<string>,
  mentions: readonly Mention[],
): Question[] {
  const mentioning = new Set(mentions.map(({ file }) => file));
  return [...names].flatMap(([file, { parts }]): Question[] => {
    if (
      parts.names.length === 0 ||
      !(isSource(file) || isForwarder(file)) ||
      isTest(file) ||
      mentioning.has(file)
    )
      return [];
    return [...around(file)].some((other) => calling.has(other)) ? [] : [{ file, ...parts }];
  });
}

/** Never silent about V1's names: where no call is near them, or nothing was found at all, the team is asked. */
function findQuestions(
  sources: SourceFiles,
  neighbours: Neighbours,
  marks: readonly Mark[],
  mentions: readonly Mention[],
): Question[] {
  const calling = new Set(marks.flatMap(({ kind, file }) => (kind === "call" ? file : [])));
  const byNames = findUncalledNames(sources, neighbours, marks, calling);
  const asked = new Set(byNames.map(({ file }) => file));
  return [
    ...byNames,
    ...findLooseParts(sources, neighbours, calling, mentions).filter(({ file }) => !asked.has(file)),
  ];
}

function findUncalledNames(
  { names }: SourceFiles,
  { own, around }: Neighbours,
  marks: readonly Mark[],
  calling: ReadonlySet<string>,
): Question[] {
  const sources = [...names].filter(
    ([file, inFile]) => isSource(file) && !isTest(file) && tellingIn(inFile).length > 0,
  );
  const unasked = sources.filter(
    ([file]) => own.has(file) && ![...around(file)].some((other) => calling.has(other)),
  );
  if (unasked.length > 0 || marks.some(({ file }) => !isTest(file)))
    return unasked.map(([file, inFile]) => questionOf(file, inFile));
  const total = new Set(sources.flatMap(([, inFile]) => tellingIn(inFile)));
  return total.size > 1 ? sources.map(([file, inFile]) => questionOf(file, inFile)) : [];
}

const byPlace = (a: { file: string; line: number }, b: { file: string; line: number }) =>
  a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;

/** How often the scan yields to the event loop for progress updates and for Ctrl-C. */
const yieldIntervalMs = 50;

/** The optional packages of the parser are not installed. */
export class MissingParser extends Error {}

/** Returns undefined if the scan was aborted. File names in the result start with the folder's `as`. */
export async function scanConsumers(
  folders: readonly Folder[],
  { onProgress, signal, addresses, successor, guard }: ScanOptions = {},
): Promise<Scan | undefined> {
  if (!(await loadParser())) throw new MissingParser();
  const roots = folders.map(({ root }) => root);
  const lists = folders.map(({ root, as }) => ({ root, as, ...listTree(root, roots) }));
  const progress: ScanProgress = {
    done: 0,
    total: lists.reduce((sum, { paths }) => sum + paths.length, 0),
    lines: 0,
  };
  let lastYieldMs = performance.now();
  const yieldToEventLoop = async () => {
    if (performance.now() - lastYieldMs < yieldIntervalMs) return;
    onProgress?.(progress);
    await new Promise((resolve) => setImmediate(resolve));
    lastYieldMs = performance.now();
    signal?.throwIfAborted();
  };
  const matcher = createAddressMatcher(addresses ?? {});
  const all: (Findings & Scan["folders"][number])[] = [];
  try {
    for (const folder of lists) {
      const ofFolder: Guard = {
        begin: (path) => guard?.begin(join(folder.root, path)),
        isGivenUp: (path) => guard?.isGivenUp(join(folder.root, path)) ?? false,
      };
      const step = async (lines: number) => {
        progress.done += 1;
        progress.lines += lines;
        await yieldToEventLoop();
      };
      const sources = await readTree(folder.root, folder.paths, matcher, { ...ofFolder, step });
      const found = await scanTree(sources, { matcher, successor }, yieldToEventLoop, ofFolder);
      const findings = describe(folder, sources, found);
      all.push({
        ...findings,
        name: folder.as,
        files: sources.read,
        commit: readCommit(folder.root),
        digest: sources.digest,
        skipped: folder.skipped.map((path) => toDisplayPath(folder.as, path)),
      });
    }
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
  return {
    files: all.reduce((sum, { files }) => sum + files, 0),
    lines: progress.lines,
    folders: all.map(({ name, files, commit, digest, skipped }) => ({
      name,
      files,
      commit,
      digest,
      skipped,
    })),
    missing: lists.flatMap(({ as, missing }) => missing.map((path) => toDisplayPath(as, path))),
    links: lists.flatMap(({ as, links }) =>
      links.map(({ path, to }) => ({ file: toDisplayPath(as, path), to })),
    ),
    uses: all.flatMap(({ uses }) => uses).sort(byPlace),
    tests: all.flatMap(({ tests }) => tests).sort(byPlace),
    questions: all.flatMap(({ questions }) => questions).sort(byPlace),
    addresses: all.flatMap(({ addresses }) => addresses).sort(byPlace),
    notCounted: all.flatMap(({ notCounted }) => notCounted).sort(byPlace),
    unfollowed: all.flatMap(({ unfollowed }) => unfollowed).sort(),
  };
}

/** How many files of a folder differ at least from those of a scan with this digest; undefined where there is no such folder. */
export async function countChanged(root: string, digest: string): Promise<number | undefined> {
  if (!isFolderAt(root)) return undefined;
  const now = new Digest();
  let lastYieldMs = performance.now();
  for (const path of listTree(root).paths) {
    const text = readTreeFile(join(root, path));
    if (text !== undefined) now.add(path, text);
    if (performance.now() - lastYieldMs < yieldIntervalMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    lastYieldMs = performance.now();
  }
  return countDifferences(digest, String(now));
}

type Findings = Pick<Scan, "uses" | "tests" | "questions" | "addresses" | "notCounted" | "unfollowed">;
type TreeFindings = Pick<Findings, "questions" | "addresses" | "unfollowed"> & {
  marks: Mark[];
  notCounted: Mention[];
};

/** The findings of a tree as uses, with packages and owners, and under the names by which its files are reported. */
function describe(
  { root, as }: Folder,
  { packages }: SourceFiles,
  { marks, questions, addresses, notCounted, unfollowed }: TreeFindings,
): Findings {
  const ownersOf = readOwners(root);
  const name = (file: string) => toDisplayPath(as, file);
  const group = (inTests: boolean) =>
    groupIntoUses(
      marks.filter(({ file }) => isTest(file) === inTests),
      (file) => ({
        language: fileType(file),
        package: packageOf(file, packages) ?? (as || "."),
        codeOwners: ownersOf(file),
      }),
      name,
    );
  return {
    uses: group(false),
    tests: group(true),
    questions: questions.map((question) => ({ ...question, file: name(question.file) })),
    addresses: addresses.map((address) => ({ ...address, file: name(address.file) })),
    notCounted: notCounted.map((mention) => ({ ...mention, file: name(mention.file) })),
    unfollowed: unfollowed.map(name),
  };
}

/**
 * A base address is V1's at a host that is known, or in a variable of code that names V1. It is a line to change beside uses of V1;
 * without any, what reads it is elsewhere, and the team is asked.
 */
function sortBases(
  { bases, hosts, names, tree }: SourceFiles,
  matcher: AddressMatcher,
  marks: readonly Mark[],
): Pick<Findings, "addresses" | "questions"> {
  const code = new Set([...names.keys(), ...marks.map(({ file }) => file)].filter(isSource));
  const isRead = (name: string) => name !== "" && [...code].some((file) => tree.read(file).includes(name));
  const places = [...bases].flatMap(([file, found]) =>
    isTest(file)
      ? []
      : found
          .filter(({ host, name }) => hosts.has(host) || matcher.namesAddress(host) || isRead(name))
          .map(({ line }) => ({ file, line })),
  );
  if (marks.some(({ kind, file }) => kind === "call" && !isTest(file)))
    return { addresses: places, questions: [] };
  return { addresses: [], questions: places.map((place) => ({ ...place, names: ["V1's base address"] })) };
}

async function scanTree(
  sources: SourceFiles,
  { matcher, successor }: { matcher: AddressMatcher; successor: SuccessorNames | undefined },
  step: () => Promise<void>,
  { begin }: Guard,
): Promise<TreeFindings> {
  const notRead = sources.unread.filter((file) => !isTest(file));
  if (sources.names.size + sources.seeds.length === 0)
    return { ...sortBases(sources, matcher, []), marks: [], notCounted: [], unfollowed: notRead };
  const importers = findImporters(sources);
  let neighbours = findNeighbours(sources, importers);
  const ofV2 = successor ? findSuccessors(sources, neighbours, successor) : new Set<string>();
  if (ofV2.size > 0) {
    for (const file of ofV2) sources.names.delete(file);
    neighbours = findNeighbours(sources, importers);
  }
  const followed = await followUses({ sources, importers, neighbours, matcher, step, begin });
  const asked: Asked = new Set([
    ...[...sources.names.values()].flatMap(({ calls }) => calls.map(({ endpoint }) => endpoint)),
    ...followed.marks.flatMap(({ kind, endpoint }) => (kind === "call" ? endpoint : [])),
  ]);
  const marks = dropCoveredObjects([...followed.marks, ...judgeNames(sources, neighbours, followed, asked)]);
  const unfollowed = [...notRead, ...[...followed.onlySearched].filter((file) => !isTest(file))];
  const bases = sortBases(sources, matcher, marks);
  return {
    marks,
    questions: [...findQuestions(sources, neighbours, marks, followed.mentions), ...bases.questions],
    addresses: bases.addresses,
    notCounted: followed.mentions,
    unfollowed,
  };
}
