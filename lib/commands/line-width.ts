// Lines that fit the terminal: whoever is not at one gets them whole.
import type { Io } from "./command.ts";

/** Narrower than this, nothing can be read anyway. */
const minWidth = 30;

/** What a person asks for in COLUMNS comes before what the terminal says; undefined is no limit. */
function widthOf({ env, columns }: Io): number | undefined {
  const asked = Number(env.COLUMNS) || columns;
  return asked ? Math.max(minWidth, asked) : undefined;
}

/** At spaces; a word that is too long for a line of its own stays whole. */
function breakWords(text: string, first: string, indent: string, width: number): string[] {
  const lines: string[] = [];
  let line = first;
  for (const part of text.match(/\S+ */g) ?? []) {
    if (line !== first && line !== indent && (line + part.trimEnd()).length > width) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += part;
  }
  return [...lines, line.trimEnd()];
}

/** Two cells on the line, the rest below the second. */
function stack(line: string, width: number): string[] {
  const start = line.length - line.trimStart().length;
  const [, name = "", gap = "", rest = ""] = /^(\S.*?)( {2,})(.*)$/.exec(line.trimStart()) ?? [];
  if (name === "") return breakWords(line.trimStart(), " ".repeat(start), " ".repeat(start), width);
  const indent = " ".repeat(start + name.length + gap.length);
  const [cell = "", ...others] = rest.split(/ {2,}/);
  const below = others.join("  ");
  return [
    ...breakWords(cell, `${" ".repeat(start)}${name}${gap}`, indent, width),
    ...(below ? breakWords(below, indent, indent, width) : []),
  ];
}

/** Cells are two spaces apart. Where one line of a paragraph is too long, all its rows are laid out alike. */
export function fitLines(text: string, io: Io): string {
  const width = widthOf(io);
  if (width === undefined) return text;
  return text
    .split("\n\n")
    .map((paragraph) => {
      const lines = paragraph.split("\n");
      if (lines.every((line) => line.length <= width)) return paragraph;
      return lines.flatMap((line) => stack(line, width)).join("\n");
    })
    .join("\n\n");
}
