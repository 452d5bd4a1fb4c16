// What tests draw at random. V1WATCH_SEED chooses it: "random" draws and prints a seed, as `npm run soak` does.
import { usualSeeds } from "./fast-check.ts";

export * as fc from "./fast-check.ts";

/** How often a random test is run: more often in the soak test. */
export const runs = (usual: number) => usual * Number(process.env.V1WATCH_RUNS ?? 1);

/** Called before all tests; the test processes inherit the environment. */
export default function chooseSeed(): void {
  const { V1WATCH_SEED: seed } = process.env;
  if (seed === "random") process.env.V1WATCH_SEED = String(Math.floor(Math.random() * 2 ** 31));
  console.log(
    `The random tests of this run: V1WATCH_SEED=${process.env.V1WATCH_SEED ?? usualSeeds.join(", then ")}`,
  );
}

/** Numbers from 0 to 1 by a seed, for what fast-check does not generate. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
