// The input of the readiness gates, and the result of a gate. An unknown fact is absent, never empty.

import type { EndpointId } from "../contract/endpoints.ts";
import { isMapped } from "../mapping/fields.ts";
import type { PlannedUse } from "../mapping/plan.ts";
import { describeVersions, findOtherVersion } from "../parity/cohort.ts";
import { type ParityVerdict, unnoticedRandomShare } from "../parity/judge.ts";
import { type ScannedFolder, type UnsureFile, type UseStatus, usualScanDays } from "../records/inventory.ts";
import type { CompareMode, Mapping } from "../records/mapping.ts";
import type { Level } from "../records/observation.ts";
import type { ComparedVersions, NumberCounts, ParityAggregate } from "../records/parity.ts";
import type { Rehearsal } from "../records/rehearsal.ts";
import { formatCount, listSome, percent, plural } from "../text.ts";
import { dayMs, daysUntil, minuteMs, momentOf } from "../time.ts";

export type SourceLocation = { file: string; line: number };

/** A field's path is that of the contract; an object's includes everything in it. None if only the call was found. */
export type ConsumerUse = PlannedUse &
  SourceLocation & {
    /** Its language is not parsed: there may be more fields, and hazards were not looked for. */
    isReadAsText: boolean;
    /** Where a whole response goes to code that the scan does not see. */
    passedOn: readonly string[];
  };

/** An app or package that depends on V1, described by its remaining uses. */
export type Consumer = {
  name: string;
  owners: readonly string[];
  status: UseStatus;
  /** Whether every V1-only use has an exception that is still valid. */
  isExcepted: boolean;
  exceptions: readonly { reason: string; expires: string }[];
  /** Calls of V1 that the scan still finds in uses which are marked as migrated. */
  contradictions: readonly SourceLocation[];
  uses: readonly ConsumerUse[];
};

/** Lines where a failing V1 looks like 0, an empty list or a wrong sum. */
export const listHazards = (consumers: readonly Consumer[]): SourceLocation[] =>
  consumers.flatMap(({ uses }) =>
    uses.flatMap(({ file, hazards }) => hazards.map(({ line }) => ({ file, line }))),
  );

/** One difference between V1 and its document, from the drift history. */
export type DriftFact = {
  id: string;
  endpoint: EndpointId;
  path: string;
  level: Level;
  /** Whether the latest response that could contain it does. */
  isCurrent: boolean;
  /** Whether it was acknowledged or muted, with a reason. */
  isReviewed: boolean;
};

/** How many responses of an endpoint were validated against V1's document, and when V1 last served its data there. */
export type JudgedResponses = { endpoint: EndpointId; responses: number; lastMs?: number | undefined };

/** What somebody has to look at: a use that was found by text search alone is one, too. */
export type Doubt = Omit<UnsureFile, "reason"> & { reason: UnsureFile["reason"] | "low-confidence" };

/** `changed` is how many files differ at least from those that were read, where that could be looked at. */
export type Scanned = Pick<ScannedFolder, "name" | "files" | "scannedOn" | "skipped" | "commit"> & {
  changed?: number | undefined;
};

/** What V1 does instead of serving its data, when its end may have come; no endpoints are all of them. */
export type SeenEnd = { text: string; endpoints: readonly EndpointId[] };

export type Facts = {
  nowMs: number;
  consumers?: readonly Consumer[] | undefined;
  /** What was read for the inventory. */
  scanned?: readonly Scanned[] | undefined;
  /** For how many days it is evidence. */
  scanDays?: number | undefined;
  /** Lines of configuration with V1's base address. */
  addresses?: readonly SourceLocation[] | undefined;
  /** Files about which the scan could not be sure. */
  unsure?: readonly Doubt[] | undefined;
  mapping?: { file: string; text: string; parsed: Mapping } | undefined;
  /** V1's address: that of the watch or of the configuration. */
  address?: string | undefined;
  parity?:
    | {
        file: string;
        aggregate: ParityAggregate;
        atMs: number;
        compared: ComparedVersions;
        /** The passports of the cohort, where a random sample of them was compared. */
        sampledFrom?: number | undefined;
      }
    | undefined;
  /** What the team's smoke test did while V1's end was played. */
  rehearsal?: Rehearsal | undefined;
  drift?: { rows: readonly DriftFact[]; judged: readonly JudgedResponses[] } | undefined;
  /** The latest delivered alert or drill; `none` if no delivery is recorded. */
  proof?: { atMs: number; isDrill: boolean; channel?: string } | "none" | undefined;
  /** V1's retirement risk. `date`, with its endpoints where it is not that of all, and `daysLeft` are absent if no retirement date is known. */
  outlook?:
    | {
        level: string;
        date?: string | undefined;
        daysLeft?: number | undefined;
        ends?: readonly SeenEnd[] | undefined;
      }
    | undefined;
};

/** Why the scan is no evidence of what the code uses now; undefined if it is. */
export function findScanProblem({ scanned = [], scanDays, nowMs }: Facts): string | undefined {
  if (scanned.length === 0) return "the inventory does not say which files were read";
  const problems = scanned.flatMap((folder) => {
    const { files, scannedOn, changed = 0 } = folder;
    const name = nameOfFolder(folder);
    if (files === 0) return `no file of ${name} was read`;
    if (changed > 0) return `at least ${plural(changed, "file")} of ${name} changed since the scan`;
    const atMs = Date.parse(scannedOn);
    // A day has no hour: that of the machine that scanned may begin before ours.
    if (atMs > nowMs && atMs <= nowMs + dayMs) return [];
    return findAgeProblem(`the scan of ${name}`, { atMs, nowMs, maxDays: scanDays ?? usualScanDays }) ?? [];
  });
  return problems[0];
}

const nameOfFolder = ({ name }: Scanned) => (name === "" ? "the inventory's folder" : name);

/** "412 files of api and jobs": what a statement about all code rests on. */
export function describeScanned({ scanned = [] }: Pick<Facts, "scanned">): string {
  const outermost = scanned.filter(
    ({ name }) =>
      !scanned.some(
        (other) => other.name !== name && (other.name === "" || name.startsWith(`${other.name}/`)),
      ),
  );
  const files = outermost.reduce((sum, folder) => sum + folder.files, 0);
  const skipped = outermost.flatMap((folder) => folder.skipped ?? []);
  const without = skipped.length === 0 ? "" : ` (skipped by name although tracked: ${listSome(skipped)})`;
  const commits = [...new Set(outermost.flatMap(({ commit }) => commit?.slice(0, 8) ?? []))];
  const at = commits.length === 0 ? "" : ` at ${listSome(commits)}`;
  return `${plural(files, "file")} of ${listSome(outermost.map(nameOfFolder))}${at}${without}`;
}

export type GateState = "pass" | "fail" | "unknown";

export type Judgement = {
  state: GateState;
  /** What is wrong or unknown, in one clause without the details of the evidence; empty for a passed gate. */
  problem: string;
  /** Clauses with counts and paths. */
  evidence: string[];
  /** The next step; empty for a passed gate. */
  next: string;
  owners?: readonly string[];
  places?: readonly SourceLocation[];
};

/** A gate passes on its evidence, and so not without a clause that says what it is. */
export const pass = (evidence: string): Judgement => ({
  state: "pass",
  problem: "",
  evidence: [evidence],
  next: "",
});

/** `details` are what the problem was found in, such as the paths of fields. */
type Found = { details?: string; owners?: readonly string[]; places?: readonly SourceLocation[] };

const open = (
  state: "fail" | "unknown",
  { problem, next, details, owners = [], places = [] }: Found & { problem: string; next: string },
): Judgement => ({
  state,
  problem,
  evidence: [details === undefined ? problem : `${problem}: ${details}`],
  next,
  owners,
  places,
});

export const unknown = (problem: string, next: string, found: Found = {}): Judgement =>
  open("unknown", { problem, next, ...found });

export const fail = (found: Found & { problem: string; next: string }): Judgement => open("fail", found);

/** The end of V1 that is seen on one of these endpoints. */
export const findEnd = ({ outlook }: Facts, used: readonly EndpointId[]): SeenEnd | undefined =>
  outlook?.ends?.find(
    ({ endpoints }) => endpoints.length === 0 || endpoints.some((one) => used.includes(one)),
  );

/** A field that parity compared only by type or presence, and what is known about its values if it is a number. */
export type Shallow = {
  path: string;
  compare: Exclude<CompareMode, "value">;
  numbers?: NumberCounts | undefined;
};

export function findShallow(
  paths: Iterable<string>,
  { fields }: Mapping,
  aggregate: ParityAggregate,
): Shallow[] {
  return [...new Set(paths)].flatMap((path) => {
    const row = fields[path];
    const { compare = "value" } = row && isMapped(row) ? row : {};
    const numbers = compare === "type" ? aggregate.fields[path]?.numbers : undefined;
    return compare === "value" ? [] : [{ path, compare, numbers }];
  });
}

/** Where the order is compared, so many of the numbers may have nothing to do with V1's. */
const unnoticed = (numbers: NumberCounts) =>
  `up to about ${Math.round(100 * unnoticedRandomShare(numbers))} % random numbers would pass`;

function describeNumbers(numbers: NumberCounts): string {
  const { records, zeros, ranked, concordant } = numbers;
  const zeroText = `0 in ${formatCount(zeros.v1)} of ${formatCount(records)} at V1 and in ${formatCount(zeros.v2)} at V2`;
  return ranked === 0
    ? zeroText
    : `${zeroText}, ${percent(concordant.v2 / ranked)} of ${plural(ranked, "record pair")} in V1's order; ${unnoticed(numbers)}`;
}

/** "; 1 compared by type only: passport.score (…)", in a sentence about all fields; empty if there are none. */
export function describeShallow(shallow: readonly Shallow[]): string {
  const describeMode = (mode: Shallow["compare"]) => {
    const ofMode = shallow.filter(({ compare }) => compare === mode);
    const names = ofMode.map(({ path, numbers }) =>
      numbers ? `${path} (${describeNumbers(numbers)})` : path,
    );
    return names.length === 0 ? "" : `; ${names.length} compared by ${mode} only: ${listSome(names)}`;
  };
  return `${describeMode("type")}${describeMode("presence")}`;
}

/**
 * What a comparison shows in which no difference is left: what agreed, and what was seen all the same. `byValue` counts the fields
 * whose values were compared.
 */
export function describeAgreement(
  { pairs, gone, varying }: Pick<ParityVerdict, "pairs" | "gone" | "varying">,
  shallow: readonly Shallow[],
  byValue: number,
): string {
  const paths = (differences: ParityVerdict["gone"]) => [...new Set(differences.map(({ path }) => path))];
  const seen = [...paths(gone), ...paths(varying)].length;
  const agree =
    byValue === 0
      ? "no field was compared by value"
      : seen === 0
        ? `${plural(byValue, "field has", "fields have")} V1's values in ${plural(pairs, "pair")}`
        : `${plural(byValue, "field")} compared in ${plural(pairs, "pair")}`;
  const counted = (differences: ParityVerdict["gone"]) =>
    listSome(
      differences.map(
        ({ path, raw, compared }) => `${path} (${formatCount(raw)} of ${formatCount(compared)})`,
      ),
      3,
    );
  const also = [
    ...(gone.length > 0 ? [`seen once, and equal when read again: ${counted(gone)}`] : []),
    ...(varying.length > 0 ? [`different as often as V1 from itself: ${counted(varying)}`] : []),
  ];
  const inPairs = byValue === 0 ? ` in ${plural(pairs, "pair")}` : "";
  const variance = seen === 0 ? ", excluding V1's own variance" : "";
  return `${agree}${inPairs}${variance}${describeShallow(shallow)}${also.map((one) => `; ${one}`).join("")}`;
}

/** Clocks of two machines differ by less. */
const maxClockSkewMs = 5 * minuteMs;

export const findFutureProblem = (what: string, atMs: number, nowMs: number): string | undefined =>
  atMs <= nowMs + maxClockSkewMs
    ? undefined
    : `${what} is dated ${momentOf(atMs)}, which is in the future: a clock was wrong`;

/** Why a result is no evidence of now, such as "the comparison is 40 days old"; undefined if it is. Days are those of the calendar (UTC). */
export function findAgeProblem(
  what: string,
  { atMs, nowMs, maxDays }: { atMs: number; nowMs: number; maxDays: number },
): string | undefined {
  const future = findFutureProblem(what, atMs, nowMs);
  if (future !== undefined) return future;
  const days = daysUntil(nowMs, atMs);
  return days > maxDays ? `${what} is ${plural(days, "day")} old` : undefined;
}

/** An older comparison is not evidence, because V2 may have changed since. */
const maxAgeDays = 30;

/** Why the comparison is no evidence about this V1 of now; undefined if it is, or if there is none. */
export function findOutdatedReason({ nowMs, parity, mapping, address }: Facts): string | undefined {
  if (!parity) return undefined;
  const { compared, atMs } = parity;
  if (address === undefined)
    return `the comparison was made with the V1 at ${compared.v1}, and V1's address is not configured`;
  const now = mapping && describeVersions(address, mapping.parsed.v2.baseUrl, mapping.parsed);
  const other = now && findOtherVersion(compared, now);
  if (other !== undefined) return other;
  return findAgeProblem("the comparison", { atMs, nowMs, maxDays: maxAgeDays });
}
