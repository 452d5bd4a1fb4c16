// V2's ids: UUIDs, whose first 32 bits are a bijection of the passport, so that a look-up computes.
import type { Population } from "../population.ts";
import { gather, hash, scatter } from "../random.ts";

const salt = 0x2d;
const keyOf = ({ seed }: Population) => scatter(seed ^ 0x1d);

export function uuidOf(population: Population, index: number): string {
  const words = [scatter(index ^ keyOf(population))];
  for (let word = 1; word < 4; word++) words.push(hash(population.seed, index, salt + word));
  const hex = words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

export function indexOfUuid(population: Population, uuid: string): number | undefined {
  const index = (gather(Number.parseInt(uuid.slice(0, 8), 16)) ^ keyOf(population)) >>> 0;
  return index < population.size && uuidOf(population, index) === uuid.toLowerCase() ? index : undefined;
}
