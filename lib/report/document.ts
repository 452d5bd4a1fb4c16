// What a report consists of, whatever it is rendered as: sections with sentences, lists, tables and charts. A section is
// written once, as data; html.ts, markdown.ts and text.ts are its renderers. Every text is plain: escaping is theirs.

import type { Series } from "./charts.ts";

export type Tone = "good" | "warning" | "bad" | "neutral";

/** A part of a sentence. */
export type Inline =
  | string
  | { kind: "code"; text: string }
  | { kind: "soft"; text: string }
  | { kind: "badge"; tone: Tone; text: string };

export type Text = Inline | readonly Inline[];

export type Column = { title: string; width?: "number" | "wide" | "tight" | undefined };

export type Table = {
  kind: "table";
  columns: readonly Column[];
  rows: readonly (readonly Text[])[];
  /** A long table may have a shorter one in its place on paper. */
  only?: "screen" | "paper" | undefined;
};

export type Chart = { name: string; summary: string; series: Series | undefined };

export type Block =
  | { kind: "sentence"; text: Text; isNote?: boolean | undefined }
  | { kind: "heading"; title: string }
  | { kind: "list"; items: readonly Text[] }
  | { kind: "callout"; text: Text }
  /** Numbered entries, each with a title and facts such as its owner. */
  | { kind: "entries"; entries: readonly { title: string; facts: readonly (readonly [string, Text])[] }[] }
  /** One figure in large type, and what is known about it. */
  | { kind: "figure"; value: string; caption: string; blocks: readonly Block[] }
  | Table
  | { kind: "charts"; title: string; charts: readonly Chart[] };

export type Section = {
  title: string;
  /** In a notification, whose labels have 20 characters at the most. */
  shortTitle?: string | undefined;
  blocks: readonly Block[];
};

export type FirstPage = {
  /** What the report is about: the API, its address and the period. */
  title: string;
  /** The verdict, in one sentence. */
  headline: string;
  blocks: readonly Block[];
  sections: readonly Section[];
};

export type Document = { firstPage: FirstPage; sections: readonly Section[]; footer: string };

export const code = (text: string): Inline => ({ kind: "code", text });
export const soft = (text: string): Inline => ({ kind: "soft", text });
export const badge = (tone: Tone, text: string): Inline => ({ kind: "badge", tone, text });

export const sentence = (text: Text): Block => ({ kind: "sentence", text });
export const note = (text: Text): Block => ({ kind: "sentence", text, isNote: true });
export const heading = (title: string): Block => ({ kind: "heading", title });

/** A sentence in which commands are between backticks. */
export const prose = (text: string): Inline[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? code(part) : part));

/** Replaces control characters and bidirectional codes by U+FFFD. */
export const withoutControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, "\uFFFD");

export const inlines = (text: Text): readonly Inline[] =>
  typeof text === "string" || "kind" in text ? [text] : text;

/** At most `shown` rows, and a note with the number of the others. */
export function tableOf(
  columns: readonly Column[],
  rows: readonly (readonly Text[])[],
  { shown = rows.length, where = "" }: { shown?: number; where?: string } = {},
): Block[] {
  const more = rows.length - shown;
  return [
    { kind: "table", columns, rows: rows.slice(0, shown) },
    ...(more > 0 ? [note(`and ${more} more, ${where}.`)] : []),
  ];
}
