// A cohort of millions: it is read as a stream and spread over files by the hash of each id, so that memory does not
// grow with it. Within a file equal ids are neighbours. The order of the hashes has nothing to do with that of the
// file, so the first passports in this order are a random sample, and the same one every time.
import { hash } from "node:crypto";
import { closeSync, createReadStream, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { api } from "../contract/endpoints.ts";
import { kindOfId, maxReportedLines } from "./cohort.ts";

const partitions = 256;
const bufferLength = 16_384;
/** A hash, a space, the longest id and the end of the line. */
const maxEntryLength = 16 + 1 + 100 + 1;
/** A longer line is no id. */
const maxLineLength = 10_000;
const { idName, otherId } = api.sample;
/** The titles of a column of ids. */
const idColumns = [
  idName,
  idName.replaceAll("_", ""),
  "id",
  ...(otherId ? [otherId.name, ...otherId.fields] : []),
  "address",
];

export type CohortCounts = {
  lines: number;
  /** Valid lines by kind, duplicates included. */
  ids: number;
  otherIds: number;
  duplicates: number;
  /** Blank lines, comments and the header. */
  ignored: number;
  foreign: number;
  /** The numbers of the first foreign lines. */
  foreignLines: number[];
  /** Without duplicates. */
  passports: number;
};

async function* readLines(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 16 })) {
    const lines = (rest + String(piece)).split("\n");
    rest = (lines.pop() ?? "").slice(0, maxLineLength + 1);
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const unquote = (cell: string) => cell.trim().replace(/^"(.*)"$/, "$1");

/** An id by line, by a column of CSV or by a member of JSONL. Undefined: nothing to compare. */
function createLineReader(): (line: string) => string | undefined {
  let column: number | undefined;
  const readJson = (line: string) => {
    try {
      const row = JSON.parse(line) as Record<string, unknown>;
      return String(idColumns.map((name) => row[name]).find((value) => value !== undefined) ?? line);
    } catch {
      return line;
    }
  };
  return (raw) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) return undefined;
    if (line.startsWith("{")) return readJson(line);
    const cells = line.split(/[,;\t]/).map(unquote);
    if (column === undefined) {
      const named = cells.findIndex((cell) => idColumns.includes(cell.toLowerCase()));
      column = Math.max(0, named);
      if (named >= 0) return undefined;
    }
    return cells[column] ?? line;
  };
}

/** Spreads a cohort over files in `folder`, which the caller creates and removes. */
export async function spreadCohort(file: string, folder: string): Promise<CohortCounts> {
  const counts: CohortCounts = {
    lines: 0,
    ids: 0,
    otherIds: 0,
    duplicates: 0,
    ignored: 0,
    foreign: 0,
    foreignLines: [],
    passports: 0,
  };
  // Buffers, because texts that are joined keep the pieces of the file alive that they come from.
  const parts = Array.from({ length: partitions }, (_, part) => ({
    file: openSync(join(folder, String(part)), "w", 0o600),
    buffer: Buffer.alloc(bufferLength),
    used: 0,
  }));
  const flush = (part: (typeof parts)[number]) => {
    writeSync(part.file, part.buffer, 0, part.used);
    part.used = 0;
  };
  const readLine = createLineReader();
  try {
    for await (const line of readLines(file)) {
      counts.lines++;
      const id = readLine(line);
      const kind = id === undefined ? undefined : kindOfId(id);
      if (id === undefined) counts.ignored++;
      else if (kind === undefined) {
        counts.foreign++;
        if (counts.foreignLines.length < maxReportedLines) counts.foreignLines.push(counts.lines);
      } else {
        counts[kind === "id" ? "ids" : "otherIds"]++;
        const order = hash("sha256", id.toLowerCase(), "hex").slice(0, 16);
        const part = parts[Number.parseInt(order.slice(0, 2), 16)]!;
        if (part.used + maxEntryLength > bufferLength) flush(part);
        part.used += part.buffer.write(`${order} ${id}\n`, part.used, "latin1");
      }
    }
    for (const part of parts) flush(part);
  } finally {
    for (const { file: descriptor } of parts) closeSync(descriptor);
  }
  for (let part = 0; part < partitions; part++) counts.passports += readPartition(folder, part).length;
  counts.duplicates = counts.ids + counts.otherIds - counts.passports;
  return counts;
}

/** Without duplicates, in the order of the hashes. Two spellings of one id have one hash. */
function readPartition(folder: string, part: number): string[] {
  const lines = readFileSync(join(folder, String(part)), "utf8")
    .split("\n")
    .slice(0, -1)
    .sort();
  return lines.flatMap((line, index) =>
    line.toLowerCase() === lines[index - 1]?.toLowerCase() ? [] : [line.slice(17)],
  );
}

/** The first `size` passports of a cohort that was spread, in chunks. */
export function* readChunks(folder: string, size: number, chunkSize: number): Generator<string[]> {
  let chunk: string[] = [];
  let taken = 0;
  for (let part = 0; part < partitions && taken < size; part++) {
    for (const id of readPartition(folder, part).slice(0, size - taken)) {
      taken++;
      chunk.push(id);
      if (chunk.length < chunkSize) continue;
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
