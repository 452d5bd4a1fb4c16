// fast-check with one seed for all random tests of a run: the same in every run, so that a change is compared with the
// same histories. V1WATCH_SEED is another one, and "random" draws and prints one, as `npm run soak` does.
import fc from "fast-check";

if (process.env.V1WATCH_SEED !== undefined) fc.configureGlobal({ seed: Number(process.env.V1WATCH_SEED) });

export { fc };

/** How often a random test is run: more often in the soak test. */
export const runs = (usual: number) => usual * Number(process.env.V1WATCH_RUNS ?? 1);

/** Called before all tests; the test processes inherit the environment. */
export default function chooseSeed(): void {
  const { V1WATCH_SEED: seed = "1" } = process.env;
  process.env.V1WATCH_SEED = seed === "random" ? String(Math.floor(Math.random() * 2 ** 31)) : seed;
  console.log(`The random tests of this run: V1WATCH_SEED=${process.env.V1WATCH_SEED}`);
}

/** Numbers from 0 to 1 by a seed, for what fast-check does not generate. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
