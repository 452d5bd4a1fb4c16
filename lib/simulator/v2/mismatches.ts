// Mismatches planted in V2 on purpose: what a comparison with V1 has to find.
import { hashText, roll } from "../random.ts";
import type { V2Endpoint } from "./bodies.ts";

export type Mismatch = {
  endpoint: V2Endpoint;
  /** `score.points`, `socials[].name`; for `size` and `order` a list such as `socials[]`. */
  path: string;
  /** The share of passports that have it, the same ones at every read. */
  rate: number;
  kind: "missing" | "type" | "value" | "size" | "order";
};

type Holder = Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === "object" && value !== null;

/** Changes the body in place. */
export function plant(
  mismatches: readonly Mismatch[],
  seed: number,
  index: number,
  endpoint: string,
  body: object,
) {
  for (const { endpoint: of, path, rate, kind } of mismatches) {
    if (of !== endpoint || roll(seed, index, hashText(`${path} ${kind}`)) >= rate) continue;
    const names = path.replace(/\[\]$/, "").split(".");
    const field = names.pop() ?? "";
    for (const holder of holdersOf(body, names)) change(holder, field, kind);
  }
}

function holdersOf(body: object, names: readonly string[]): Holder[] {
  let current: unknown[] = [body];
  for (const name of names) {
    const isList = name.endsWith("[]");
    current = current.filter(isHolder).flatMap((holder) => {
      const child = holder[isList ? name.slice(0, -2) : name];
      return isList && Array.isArray(child) ? child : [child];
    });
  }
  return current.filter(isHolder);
}

function change(holder: Holder, field: string, kind: Mismatch["kind"]): void {
  const value = holder[field];
  if (kind === "missing") delete holder[field];
  else if (kind === "size" && Array.isArray(value)) value.pop();
  else if (kind === "order" && Array.isArray(value)) value.reverse();
  else if (kind === "type") holder[field] = otherType(value);
  else if (kind === "value") holder[field] = Array.isArray(value) ? value.map(otherValue) : otherValue(value);
}

function otherValue(value: unknown): unknown {
  if (typeof value === "number") return value + 7_777;
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? `${value}~` : value;
}

function otherType(value: unknown): unknown {
  if (value === null || Array.isArray(value)) return value;
  return typeof value === "string" ? value.length : String(value);
}
