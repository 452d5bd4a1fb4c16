// Proves one promise of docs/use/reliability.md and prints its result as one line of JSON.
import { parseArgs } from "node:util";
import { promises } from "./promises.ts";
import { commandOf, printProof } from "./reliability.ts";

const usage =
  "Usage: node bench/prove.ts NAME [--count N] [--seed N]\nExample: node bench/prove.ts damage --count 10 --seed 7\n" +
  `NAME is one of ${promises.map(({ name }) => name).join(", ")}.`;

function refuse(reason: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}

function readCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { count: { type: "string" }, seed: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    // The first sentence names the option; the others are about parseArgs.
    return refuse(`${(error as Error).message.split(/\.\s|\n/)[0]}.`);
  }
}

const { values, positionals } = readCommandLine();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const readNumber = (option: "count" | "seed", fallback: number): number => {
  const value = values[option] === undefined ? fallback : Number(values[option] || Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : refuse(`--${option} takes a number of 0 or more.`);
};
const promised = promises.find(({ name }) => name === positionals[0]);
if (!promised || positionals.length > 1) refuse("Name one promise.");
const { promise, prove, isSeeded, count: fullCount } = promised;
const count = readNumber("count", fullCount ?? 1);
// A run without --seed prints the seed that it drew.
const seed = readNumber("seed", Date.now() % 100_000);

const { figure, faults } = await prove(count, seed);
for (const fault of faults.slice(0, 20)) console.error(fault);
const isSmaller = fullCount !== undefined && count < fullCount;
printProof({
  promise,
  figure: `${isSmaller ? "a smaller run, " : ""}${figure}${isSeeded ? `; seed ${seed}` : ""}`,
  command: commandOf(promised, fullCount === undefined ? undefined : count, isSeeded && seed),
  result: faults.length === 0 && count > 0 ? "held" : "broken",
});
