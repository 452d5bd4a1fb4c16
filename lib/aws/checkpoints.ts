// Checkpoints on DynamoDB. An item holds 400 KB, and nothing spans items but a promise: the pieces are
// written first under a name of their own, and one conditional write of the head makes them count.
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Checkpoint } from "../ports.ts";
import type { Item, Table } from "./table.ts";
import { collect, forEach } from "./table.ts";
import { type Key, keyOf, text } from "./table-shape.ts";

const pieceBytes = 350_000;
const headKey: Key = { pk: "ledger", sk: "head" };
/** A reader may hold a head whose pieces a commit has just removed. */
const readTries = 4;

/** Which pieces count, by day; `writer` tells a lost answer from a lost race. */
export type Head = { version: number; writer: string; pieces: Record<string, string> };

export async function readHead(table: Table): Promise<Head> {
  const item = await table.get(headKey);
  return {
    version: Number(item?.version ?? 0),
    writer: text(item, "writer"),
    pieces: (item?.pieces ?? {}) as Head["pieces"],
  };
}

/** False where another wrote first. */
export async function writeHead(table: Table, { version, writer, pieces }: Head): Promise<boolean> {
  return writeVersioned(table, { ...headKey, version: version + 1, writer, pieces }, version, writer);
}

export async function writeVersioned(table: Table, item: Item, version: number, writer: string) {
  const values = { ":version": version };
  const condition = version === 0 ? { if: "attribute_not_exists(pk)" } : { if: "version = :version", values };
  if (await table.put(item, condition)) return true;
  // The SDK retries: the conflict may be with our own first attempt, whose answer was lost.
  return text(await table.get(keyOf(item)), "writer") === writer;
}

export async function writePieces(table: Table, { day, state }: Checkpoint, name: string): Promise<void> {
  const bytes = await promisify(gzip)(JSON.stringify(state));
  const count = Math.ceil(bytes.length / pieceBytes);
  const numbers = Array.from({ length: count }, (_, number) => number);
  await forEach(numbers, (number) =>
    table.put({
      pk: piecesKey(day),
      sk: `${name}#${String(number).padStart(4, "0")}`,
      of: count,
      bytes: bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes),
    }),
  );
}

export async function readCheckpoint(table: Table, latestDay: string): Promise<Checkpoint | undefined> {
  const unreadable = new Set<string>();
  for (let tries = 1; ; tries += 1) {
    const { pieces } = await readHead(table);
    const day = Object.keys(pieces)
      .filter((candidate) => candidate <= latestDay && !unreadable.has(candidate))
      .toSorted()
      .at(-1);
    if (day === undefined) return undefined;
    const items = await findPieces(table, day, String(pieces[day]));
    const isWhole = items.length > 0 && items.length === Number(items[0]?.of);
    const read = isWhole ? await parsePieces(items).catch(() => undefined) : undefined;
    if (read) return { day, state: read.state };
    // The assessment of an unreadable checkpoint is computed again from the one before it.
    if (tries % readTries === 0) unreadable.add(day);
  }
}

async function parsePieces(items: readonly Item[]): Promise<{ state: unknown }> {
  const bytes = await promisify(gunzip)(Buffer.concat(items.map((item) => item.bytes as Uint8Array)));
  return { state: JSON.parse(bytes.toString()) };
}

export async function removePieces(table: Table, day: string, name: string): Promise<void> {
  await forEach(await findPieces(table, day, name), (item) => table.remove(keyOf(item)));
}

const piecesKey = (day: string) => `checkpoint#${day}`;

function findPieces(table: Table, day: string, name: string): Promise<Item[]> {
  return collect(
    table.query({
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :name)",
      ExpressionAttributeValues: { ":pk": piecesKey(day), ":name": `${name}#` },
      ConsistentRead: true,
    }),
  );
}
