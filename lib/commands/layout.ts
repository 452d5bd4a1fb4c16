// How text is printed: tables, line wrapping to the width of the terminal, and colours.
import { styleText } from "node:util";
import type { Io } from "./command.ts";

/** Narrower output would be unreadable. */
const minWidth = 30;
/** A cell that would be narrower than this is put below the row. */
const minCell = 24;
const gap = "  ";

/** COLUMNS overrides the width of the terminal. Undefined means that lines are not wrapped. */
export function outputWidth({ env, columns }: Pick<Io, "env" | "columns">): number | undefined {
  const requested = Number(env.COLUMNS) || columns;
  return requested ? Math.max(minWidth, requested) : undefined;
}

/** Prints text for people: its tables aligned, its lines wrapped to the terminal, its severities coloured. */
export function print(io: Pick<Io, "out" | "env" | "columns">, text: string): void {
  io.out(colourLines(layOut(text, outputWidth(io)), io));
}

export const printJson = (io: Pick<Io, "out">, value: unknown) => io.out(toJson(value));

export const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Consecutive lines with tabs are a table: a tab separates two cells, and the last cell of a row may be as long as it
 * likes. Other lines are wrapped at spaces and keep their indentation. Without a width nothing is wrapped.
 */
export function layOut(text: string, width: number | undefined): string {
  const lines = text.split("\n");
  const laidOut: string[] = [];
  for (let from = 0; from < lines.length; ) {
    let until = from;
    while (lines[until]?.includes("\t")) until++;
    if (until > from) laidOut.push(...layOutTable(lines.slice(from, until), width));
    else {
      laidOut.push(...wrapLine(lines[from] ?? "", width));
      until = from + 1;
    }
    from = until;
  }
  return laidOut.join("\n");
}

const isNumber = (cell: string) => /^(?:[\d,.]+(?: (?:%|ms))?)?$/.test(cell);

function layOutTable(lines: readonly string[], width = Number.POSITIVE_INFINITY): string[] {
  const rows = lines.map((line) => line.split("\t"));
  const columns = Math.max(...rows.map(({ length }) => length));
  const cellsOf = (column: number) => rows.flatMap((row) => (row[column] === undefined ? [] : [row[column]]));
  const isRight = Array.from(
    { length: columns },
    (_, column) => cellsOf(column).every(isNumber) && cellsOf(column).some((cell) => cell !== ""),
  );
  // The last cell of a row does not widen its column, unless numbers are aligned in it.
  const widths = Array.from({ length: columns }, (_, column) =>
    rows.reduce((widest, row) => {
      const counts = column < row.length - 1 || isRight[column];
      return counts ? Math.max(widest, row[column]?.length ?? 0) : widest;
    }, 0),
  );
  const starts = widths.map((_, column) =>
    widths.slice(0, column).reduce((sum, one) => sum + one + gap.length, 0),
  );
  const pad = (cell: string, column: number) =>
    isRight[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const lineOf = (row: readonly string[]) => row.map(pad).join(gap).trimEnd();
  const lastStart = (row: readonly string[]) => starts[row.length - 1] ?? 0;
  const isNarrow = rows.some((row) => lineOf(row).length > width && width - lastStart(row) < minCell);
  return rows.flatMap((row) => {
    // Where one row has no room for its last cell, all rows have it below.
    if (lineOf(row).length <= width && !(isNarrow && row.length > 2)) return [lineOf(row)];
    const second = starts[1] ?? 0;
    if (!isNarrow) {
      const before = row.slice(0, -1).map((cell, column) => pad(cell, column) + gap);
      return wrapText(row.at(-1) ?? "", before.join(""), lastStart(row), width);
    }
    // The first two cells on a line, the others below the second one.
    const [first = "", cell = "", ...others] = row;
    if (width - second < minCell) {
      const indent = first.length - first.trimStart().length;
      const rest = [cell, ...others].filter((one) => one !== "").join(gap);
      return [
        ...wrapText(first.trimStart(), " ".repeat(indent), indent, width),
        ...wrapText(rest, " ".repeat(indent + 4), indent + 4, width),
      ];
    }
    const below = others.filter((one) => one !== "").join(gap);
    return [
      ...wrapText(cell, pad(first, 0) + gap, second, width),
      ...(below === "" ? [] : wrapText(below, " ".repeat(second), second, width)),
    ];
  });
}

/** What a reader copies into a shell stays on one line. */
const isCommand = (line: string) => /^\s*(?:[A-Z]\w+ +)?(?:curl|for|while) /.test(line);

/** A line with a label, such as `next   Check the key.`, continues below the text after the label. */
function wrapLine(line: string, width: number | undefined): string[] {
  if (width === undefined || line.length <= width || isCommand(line)) return [line];
  const [label = ""] = /^ *(?:\S+ ?\S* {2,}|[-*·] |\d+\. )?/.exec(line) ?? [];
  const start = label.length <= width - minCell ? label : (/^ */.exec(line)?.[0] ?? "");
  return wrapText(line.slice(start.length), start, start.length, width);
}

/** Wraps at spaces. A word that is longer than the width is not split. */
function wrapText(text: string, first: string, indent: number, width: number): string[] {
  const lines: string[] = [];
  const below = " ".repeat(indent);
  let line = first;
  let isEmpty = true;
  for (const part of text.match(/\S+ */g) ?? []) {
    if (!isEmpty && (line + part.trimEnd()).length > width) {
      lines.push(line.trimEnd());
      line = below;
    }
    line += part;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}

/** A line on standard error that is drawn again and again, if that is a terminal. */
export function createProgress({ isTerminal, err }: Pick<Io, "isTerminal" | "err">) {
  const draw = (text: string) => {
    if (isTerminal) err(`\r\u001b[K${text}`);
  };
  return { draw, clear: () => draw("") };
}

const barWidth = 24;

export function bar(share: number): string {
  const filled = Math.round(Math.min(1, share) * barWidth);
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`;
}

export type Format = Parameters<typeof styleText>[0];

/** Colours and bold text for a terminal on standard output. NO_COLOR turns them off (https://no-color.org). */
export function styleFor({ columns, env }: Pick<Io, "columns" | "env">) {
  const isStyled = columns !== undefined && !env.NO_COLOR;
  return (format: Format, text: string) =>
    isStyled ? styleText(format, text, { validateStream: false }) : text;
}

/** Of severities, alarm states and outcomes, wherever they are printed. */
const formats: Record<string, Format> = {
  PAGE: ["bold", "red"],
  ALARM: ["bold", "red"],
  FAIL: ["bold", "red"],
  FAILED: ["bold", "red"],
  FAILING: ["bold", "red"],
  WARNING: "yellow",
  INFO: "blue",
  OK: "green",
  RESOLVED: "green",
};

const words =
  /(?<=^ *)(?:page|warning|info|ok)\b|\b(?:PAGE|ALARM|FAIL|FAILED|FAILING|WARNING|RESOLVED)\b|(?<=^ *)(?:OK|INFO)\b/gm;

/** Colours severities, states and outcomes on a terminal. */
export function colourLines(text: string, io: Pick<Io, "columns" | "env">): string {
  const style = styleFor(io);
  return text.replace(words, (word) => style(formats[word.toUpperCase()] ?? "bold", word));
}
