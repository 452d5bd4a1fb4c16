// What has been seen of each thing that V1's document does not say: answers with counts and dates.

import { type EvidenceKind, type GapId, gaps } from "../contract/gaps.ts";
import type { Observation } from "../records/observation.ts";
import { magnitudes, precisions } from "../records/observation.ts";
import { formatCount, percent } from "../text.ts";

type Answer = { count: number; first: string; last: string };
type Subject = { of: number; answers: Record<string, Answer> };
/** By gap, then by subject. */
export type GapEvidence = Partial<Record<GapId, Record<string, Subject>>>;

const maxSubjects = 60;
const maxAnswers = 120;
const folded = "<other>";

export function noteEvidence(board: GapEvidence, { evidence, at }: Observation): void {
  for (const { gap, subject, of, answers } of evidence) {
    board[gap] ??= {};
    const subjects = board[gap];
    if (!(subject in subjects) && Object.keys(subjects).length >= maxSubjects) continue;
    subjects[subject] ??= { of: 0, answers: {} };
    const known = subjects[subject];
    known.of += of;
    for (const [word, count] of Object.entries(answers)) {
      if (count === 0) continue;
      const isFull = !(word in known.answers) && Object.keys(known.answers).length >= maxAnswers;
      addAnswer(known.answers, isFull ? folded : word, { count, first: at, last: at });
    }
  }
}

function addAnswer(answers: Record<string, Answer>, word: string, { count, first, last }: Answer): void {
  const known = answers[word];
  answers[word] = known
    ? {
        count: known.count + count,
        first: known.first < first ? known.first : first,
        last: known.last > last ? known.last : last,
      }
    : { count, first, last };
}

type GapStatus = "open" | "observed" | "CHANGED";
export type GapRow = { id: GapId; section: string; question: string; status: GapStatus; summary: string };

const day = (instant: string) => instant.slice(0, 10);
const shortName = (path: string) => path.slice(path.lastIndexOf(".") + 1).replace("[]", "");
const byCount = (a: [string, Answer], b: [string, Answer]) =>
  b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1);

/** Two answers whose times do not overlap: the service changed its mind. */
function findChange(subjects: Record<string, Subject>): string | undefined {
  for (const [subject, { answers }] of Object.entries(subjects)) {
    const inTime = Object.entries(answers).sort((a, b) => (a[1].first < b[1].first ? -1 : 1));
    const [before, now] = inTime.slice(-2);
    if (before && now && before[1].last < now[1].first && now[1].count >= 2) {
      return `${subject}: ${before[0]} until ${day(before[1].last)}, ${now[0]} since ${day(now[1].first)}`;
    }
  }
  return undefined;
}

function summariseNulls(subjects: Record<string, Subject>): string {
  const nulls = Object.entries(subjects).filter(([, { answers }]) => answers.null);
  if (nulls.length === 0) {
    const records = Math.max(0, ...Object.values(subjects).map(({ of }) => of));
    return `never in ${formatCount(records)} records`;
  }
  const shown = nulls
    .slice(0, 5)
    .map(([path, { of, answers }]) => `${shortName(path)} ${percent(answers.null!.count / Math.max(1, of))}`);
  return shown.join(", ") + (nulls.length > 5 ? ` and ${nulls.length - 5} more` : "");
}

function mergeAnswers(subjects: Record<string, Subject>): [string, Answer][] {
  const merged: Record<string, Answer> = {};
  for (const { answers } of Object.values(subjects))
    for (const [word, answer] of Object.entries(answers)) addAnswer(merged, word, answer);
  return Object.entries(merged).sort(byCount);
}

function summariseValues(subjects: Record<string, Subject>): string {
  const answers = mergeAnswers(subjects);
  const newest = answers.reduce((a, b) => (b[1].first > a[1].first ? b : a));
  const values = `${answers.length} ${answers.length === 1 ? "value" : "values"}`;
  return answers.length === 1
    ? `${values}: "${newest[0]}"`
    : `${values}; newest "${newest[0]}", first seen ${day(newest[1].first)}`;
}

/** Subjects that end in the same field are one to a reader: `passports[].score` and `passport.score`. */
function groupByName(subjects: Record<string, Subject>): [string, [string, Answer][]][] {
  const groups = new Map<string, Record<string, Subject>>();
  for (const [path, subject] of Object.entries(subjects)) {
    const name = shortName(path);
    groups.set(name, { ...groups.get(name), [path]: subject });
  }
  return [...groups].map(([name, group]) => [name, mergeAnswers(group)]);
}

function summariseShares(subjects: Record<string, Subject>): string {
  const rows = groupByName(subjects).map(([name, answers]) => {
    const total = answers.reduce((sum, [, { count }]) => sum + count, 0);
    const shown = answers
      .slice(0, 3)
      .map(([word, answer]) => `${word} ${formatCount(answer.count)} of ${formatCount(total)}`);
    return `${name}: ${shown.join(", ")}`;
  });
  return rows.slice(0, 4).join("; ") + (rows.length > 4 ? "; …" : "");
}

/** From the smallest magnitude seen to the largest, and how precise. */
function summariseNumbers(subjects: Record<string, Subject>): string {
  const rows = groupByName(subjects).map(([name, answers]) => {
    const words = answers.map(([word]) => word);
    const sizes = magnitudes.filter((word) => words.includes(word));
    const precision = precisions.findLast((word) => words.includes(word)) ?? "";
    const [least, most] = [sizes[0], sizes.at(-1)];
    return `${name} ${precision}, ${least === most ? least : `${least} up to ${most}`}`;
  });
  return rows.join("; ");
}

const summaries: Partial<Record<EvidenceKind, (subjects: Record<string, Subject>) => string>> = {
  nulls: summariseNulls,
  values: summariseValues,
  numbers: summariseNumbers,
};

export function readGapEvidence(board: GapEvidence): GapRow[] {
  return gaps.map(({ id, section, question, evidence }) => {
    const all = board[id] ?? {};
    const subjects = Object.fromEntries(
      Object.entries(all).filter(
        ([, { answers }]) => evidence === "nulls" || Object.keys(answers).length > 0,
      ),
    );
    const row = { id, section, question };
    if (evidence === "none") return { ...row, status: "open", summary: "not observable" };
    if (Object.keys(subjects).length === 0) return { ...row, status: "open", summary: "not observed" };
    const canChange =
      evidence === "access" || evidence === "order" || evidence === "id-form" || evidence === "notices";
    const change = canChange ? findChange(subjects) : undefined;
    if (change) return { ...row, status: "CHANGED", summary: change };
    const summary = (summaries[evidence] ?? summariseShares)(subjects);
    return { ...row, status: "observed", summary };
  });
}

export function describeGaps(rows: readonly GapRow[]): string {
  const count = (status: GapStatus) => rows.filter((row) => row.status === status).length;
  const changed = count("CHANGED");
  const changes = changed > 0 ? `, ${changed} of them CHANGED since` : "";
  const observed = rows.length - count("open");
  return `${observed} of ${rows.length} questions that V1's document leaves open ${observed === 1 ? "was" : "were"} observed${changes}.`;
}
