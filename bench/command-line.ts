// The command lines of the proofs: a name where there are several, and numbers. `--help` prints the usage. What cannot be
// read is named in one line, with the usage after it, and nothing runs.
import { parseArgs } from "node:util";

function refuse(reason: string, usage: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}

function parse(options: readonly string[], usage: string) {
  try {
    return parseArgs({
      options: {
        ...Object.fromEntries(options.map((option) => [option, { type: "string" as const }])),
        help: { type: "boolean", short: "h" },
      },
      allowPositionals: true,
    });
  } catch (error) {
    // The first sentence names the option; the others are about parseArgs.
    return refuse(`${(error as Error).message.split(/\.\s|\n/)[0]}.`, usage);
  }
}

/** `usage`: the line of the command and an example. `names`: exactly one of them is given, where there are any. */
export function readCommandLine<Name extends string, Option extends string>(
  usage: string,
  names: readonly Name[],
  options: readonly Option[],
): { name: Name; numbers: Partial<Record<Option, number>> } {
  const { values, positionals } = parse(options, usage);
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const name = names.find((known) => known === positionals[0]);
  if (positionals.length !== Math.min(1, names.length) || (names.length > 0 && !name))
    refuse(
      names.length > 0 ? `Name one of ${names.join(", ")}.` : `${positionals[0]} is not understood.`,
      usage,
    );
  const numbers = Object.entries(values).map(
    ([option, text]) => [option, Number(text || Number.NaN)] as const,
  );
  const wrong = numbers.find(([, value]) => !(Number.isFinite(value) && value >= 0));
  if (wrong) refuse(`--${wrong[0]} takes a number of 0 or more.`, usage);
  return { name: name as Name, numbers: Object.fromEntries(numbers) as Partial<Record<Option, number>> };
}

/** A run without --seed prints the seed that it drew. */
export const drawSeed = (): number => Date.now() % 100_000;
