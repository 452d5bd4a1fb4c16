// fast-check with one seed for all random tests of a run. The seed is printed at the start of the run, and V1WATCH_SEED
// plays it again.
import fc from "fast-check";

if (process.env.V1WATCH_SEED !== undefined) fc.configureGlobal({ seed: Number(process.env.V1WATCH_SEED) });

export { fc };

/** Called before all tests; the test processes inherit the environment. */
export default function chooseSeed(): void {
  if (process.env.V1WATCH_SEED !== undefined) return;
  process.env.V1WATCH_SEED = String(Math.floor(Math.random() * 2 ** 31));
  console.log(`The random tests of this run: V1WATCH_SEED=${process.env.V1WATCH_SEED}`);
}
