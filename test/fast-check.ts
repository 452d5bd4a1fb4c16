// fast-check with the same seeds for all random tests of a run, so that a change is compared with the same histories: five of
// them, and each has a fifth of the runs. V1WATCH_SEED is another one, which has all.
import fastCheck from "fast-check";

export * from "fast-check";

export const usualSeeds = [1, 2, 3, 4, 5];
const { V1WATCH_SEED: given } = process.env;
const seeds = given === undefined ? usualSeeds : [Number(given)];
/** As fast-check has it. */
const usualRuns = 100;

export function assert<Values>(
  property: fastCheck.IAsyncProperty<Values>,
  options?: fastCheck.Parameters<Values>,
): Promise<void>;
export function assert<Values>(
  property: fastCheck.IProperty<Values>,
  options?: fastCheck.Parameters<Values>,
): void;
export function assert<Values>(
  property: fastCheck.IRawProperty<Values>,
  options: fastCheck.Parameters<Values> = {},
): Promise<void> | void {
  const { numRuns = usualRuns } = options;
  const parts = seeds
    .map((seed, index) => ({
      ...options,
      seed,
      numRuns: Math.floor(numRuns / seeds.length) + Number(index < numRuns % seeds.length),
    }))
    .filter((part) => part.numRuns > 0);
  if (!property.isAsync()) {
    for (const part of parts) fastCheck.assert(property as fastCheck.IProperty<Values>, part);
    return undefined;
  }
  return (async () => {
    for (const part of parts) await fastCheck.assert(property as fastCheck.IAsyncProperty<Values>, part);
  })();
}
