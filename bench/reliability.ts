// npm run reliability: runs the command of every promise and writes its last result into the table of docs/use/reliability.md.
// `npm run reliability -- clock ticks` runs only the promises with these words. A command prints one line of JSON last:
//   {"promise":…,"figure":…,"command":…,"result":"held"|"broken","at":…}
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Promised, promises } from "./promises.ts";

export type Proof = {
  promise: string;
  figure: string;
  command: string;
  result: "held" | "broken";
  at: string;
};

export function commandOf({ name, flags = [] }: Promised, count: number | undefined, seed?: number): string {
  return [
    "node",
    ...flags,
    `bench/prove.ts ${name}`,
    ...(count === undefined ? [] : [`--count ${count}`]),
    ...(seed === undefined ? [] : [`--seed ${seed}`]),
  ].join(" ");
}

/** One row for each promise: what is promised, and the command that proves it. */
const rows: readonly { promise: string; goal: string; command: string }[] = [
  ...promises.map((promised) => ({
    promise: promised.promise,
    goal: promised.goal,
    command: commandOf(promised, promised.count),
  })),
  {
    promise: "mutation",
    goal: "of a seeded random sample of 100 mutants in each of 6 folders, at least 85 % are killed by the folder's tests",
    command:
      "node test/mutation/mutation.ts lib/probe lib/delivery lib/local/store lib/aws lib/parity lib/readiness --count 100 --seed 1",
  },
];

/** For the commands: prints the line, and exits with 1 if the promise is broken. */
export function printProof(proof: Omit<Proof, "at">): void {
  console.log(JSON.stringify({ ...proof, at: new Date().toISOString() } satisfies Proof));
  process.exitCode = proof.result === "held" ? 0 : 1;
}

const file = new URL("../docs/use/reliability.md", import.meta.url);
const head = "| promise | goal | last result | proven by |";

/** A row that was not proven now keeps what the table says. */
function renderTable(text: string, proofs: readonly Proof[]): string {
  const [intro = "", table = ""] = text.split(`${head}\n`);
  const known = table.split("\n").slice(1);
  const lines = rows.map(({ promise, goal, command }) => {
    const proof = proofs.find((one) => one.promise === promise);
    const before = known.find((line) => line.startsWith(`| ${promise} |`))?.split(" | ");
    const [result, provenBy] = proof
      ? [`${proof.result.toUpperCase()} on ${proof.at.slice(0, 10)}: ${proof.figure}`, proof.command]
      : [before?.[2] ?? "not run yet", before?.[3]?.replace(/^`|` \|$/g, "") ?? command];
    return `| ${promise} | ${goal} | ${result} | \`${provenBy}\` |`;
  });
  return `${intro}${head}\n|---|---|---|---|\n${lines.join("\n")}\n`;
}

function prove({ promise, command }: (typeof rows)[number]): Proof {
  const [program = "", ...args] = command.split(" ");
  const { stdout } = spawnSync(program === "node" ? process.execPath : program, args, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  try {
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Proof;
  } catch {
    const at = new Date().toISOString();
    return { promise, figure: "the command printed no result", command, result: "broken", at };
  }
}

const usage = `Usage: npm run reliability -- [word of a promise]...
Runs the promises with one of these words in their names, or all of them (hours), and writes their rows into docs/use/reliability.md.
The promises are:
${rows.map(({ promise }) => `  ${promise}`).join("\n")}
Example: npm run reliability -- clock ticks`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const isHelp = words.includes("--help") || words.includes("-h");
  const wanted = rows.filter(
    ({ promise }) => !isHelp && (words.length === 0 || words.some((word) => promise.includes(word))),
  );
  if (isHelp) console.log(usage);
  else if (wanted.length === 0) {
    console.error(`No promise has ${words.join(" or ")} in its name.\n${usage}`);
    process.exitCode = 2;
  }
  for (const row of wanted) {
    const proof = prove(row);
    console.log(JSON.stringify(proof));
    writeFileSync(file, renderTable(readFileSync(file, "utf8"), [proof]));
    if (proof.result === "broken") process.exitCode = 1;
  }
}
