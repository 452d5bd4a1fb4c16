/** A new seed for every run, printed so that a failing run can be repeated with V1WATCH_SEED. */
export function printSeed(title: string): number {
  const seed = Number(process.env.V1WATCH_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${title}: V1WATCH_SEED=${seed}`);
  return seed;
}
