// What tells whether files changed since a scan, without their names or contents: each file is mixed into one of a few parts.
import { createHash } from "node:crypto";

const parts = 16;
const bytesOfPart = 4;

const hashOf = (text: string) => createHash("sha256").update(text).digest();

export class Digest {
  private readonly bytes = Buffer.alloc(parts * bytesOfPart);

  add(path: string, text: string): void {
    const start = (hashOf(path)[0]! % parts) * bytesOfPart;
    const hash = hashOf(`${path}\0${text}`);
    for (let at = 0; at < bytesOfPart; at++) this.bytes[start + at]! ^= hash[at]!;
  }

  toString(): string {
    return this.bytes.toString("base64");
  }
}

/** How many files differ at least. */
export function countDifferences(one: string, other: string): number {
  const [a, b] = [Buffer.from(one, "base64"), Buffer.from(other, "base64")];
  const isSame = (part: number) => {
    const range = [part * bytesOfPart, (part + 1) * bytesOfPart] as const;
    return a.subarray(...range).equals(b.subarray(...range));
  };
  return Array.from({ length: parts }, (_, part) => part).filter((part) => !isSame(part)).length;
}
