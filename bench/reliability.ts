// npm run reliability: runs the command of every promise and writes its last result into the table of docs/use/reliability.md.
// `npm run reliability -- clock ticks` runs only the promises with these words. A command prints one line of JSON last:
//   {"promise":…,"figure":…,"command":…,"result":"held"|"broken","at":…}
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drawSeed, readCommandLine } from "./command-line.ts";

export type Proof = {
  promise: string;
  figure: string;
  command: string;
  result: "held" | "broken";
  at: string;
};

/** One row for each promise: what is promised, and the command that proves it. */
export const promises: readonly { promise: string; goal: string; command: string }[] = [
  {
    promise: "damaged stores",
    goal: "1,000 random damages to files and to the text of rows: 0 crashes at start, 0 silent stops, every readable row kept",
    command: "node bench/soak-store.ts damage --count 1000",
  },
  {
    promise: "kill -9",
    goal: "2,000 kills of `v1watch up` and of a writer, at least 20,000 acknowledged rows, 0 lost",
    command: "node bench/soak-store.ts kills --count 2000",
  },
  {
    promise: "repeated and reordered ticks",
    goal: "100,000 ticks, 0 extra rows or alert ids",
    command: "node bench/soak-store.ts ticks --count 100000",
  },
  {
    promise: "readers of the page",
    goal: "1,000 event streams, 500 slow clients and 100 busy readers at once: every check is made, none more than 1 s late",
    command: "node bench/soak-server.ts",
  },
  {
    promise: "faults of every port and channel",
    goal: "2 virtual months in which every port and channel fails at random: every observation, alert and decision once, as without faults",
    command: "node bench/soak-faults.ts ports --count 60",
  },
  {
    promise: "broken connections to AWS (dynalite)",
    goal: "2 virtual months of the functions, with a check of each endpoint every 3 h, behind a proxy that refuses, delays, repeats, cuts, reorders and leaves unanswered: every acknowledged observation, incident and alert stored once, and every alert arrives",
    command: "node bench/soak-faults.ts functions --count 60",
  },
  {
    promise: "broken connections to AWS (moto)",
    goal: "the same over moto, with a check of each endpoint every 12 h",
    command: "node bench/soak-faults.ts moto --count 60",
  },
  {
    promise: "store, SNS and CloudWatch out",
    goal: "3 virtual hours each and together, 0 lost, in order",
    command: "node bench/prove-by-tests.ts outages",
  },
  {
    promise: "failing sends",
    goal: "1,000 incidents, 30 % of sends failing, one channel dead: 1,000 opened and 1,000 resolved in each healthy channel",
    command: "node bench/soak-faults.ts incidents --count 1000",
  },
  {
    promise: "slow, refusing and half-accepting receivers",
    goal: "20 virtual days of receivers that hang, refuse, answer after 12, 59 or 61 s, keep a message and cut the connection, are away for days, while the disk is full for hours: every message arrives, in the order of its incident, in at most about 200 tries a day; twice only where the acceptance was lost",
    command: "node bench/soak-faults.ts receivers --count 20",
  },
  {
    promise: "limits of messages",
    goal: "random scripts of responses, 40 virtual days each, and histories that once sent hundreds of messages: no limit of the day is exceeded, no page goes unreported, whatever was announced ends or still is bad",
    command: "node bench/prove-by-tests.ts messages",
  },
  {
    promise: "clock",
    goal: "24 kinds of jump, starts with a wrong clock and wrong clocks of V1: 0 rows lost, at most 2 messages of each, V1's faults still reported",
    command: "node bench/soak-store.ts clock",
  },
  {
    promise: "V1's end",
    goal: "40 virtual days of 100 random scripts of responses (any status, header and body in any order) that end for good at any instant: no exception, no rule that fails, no silence, and the end is reported",
    command: "node bench/soak-responses.ts ends --count 100",
  },
  {
    promise: "framing of bodies",
    goal: "200 bodies of up to 2 MiB in chunks of 1 byte and more, plain and compressed, to the whole watch with a heap of 128 MB: under 256 MB of memory, which is that of the prober's function",
    command: "node bench/soak-responses.ts framings --count 200",
  },
  {
    promise: "hostile bodies",
    goal: "1,000,000 bodies: 0 crashes, under 256 MB of memory, the slowest under 500 ms, records under 8 KB",
    command: "node --max-semi-space-size=1 --max-old-space-size=128 bench/soak-bodies.ts --bodies 1000000",
  },
  {
    promise: "odd dates and values",
    goal: "5,000 responses with odd dates (24:00, :60, February 30, the year 10000) and values in every field and header: every observation is read back from SQLite and DynamoDB as it was stored",
    command: "node bench/soak-store.ts bodies --count 5000",
  },
  {
    promise: "older stores",
    goal: "a store and a table of an older version open: every observation, alert and decision is there, checkpoints of another schema are computed again, and nothing is announced twice",
    command: "node bench/prove-by-tests.ts older",
  },
  {
    promise: "strings × fields × sinks",
    goal: "every naughty string in every kept field, read back by the parser of each output: 0 escapes",
    command: "node bench/prove-by-tests.ts strings",
  },
  {
    promise: "forbidden addresses",
    goal: "250 spellings, DNS answers, rebinding and redirects: 0 connections",
    command: "node bench/prove-by-tests.ts addresses",
  },
  {
    promise: "sentinels",
    goal: "0 hits in all artefacts, with the key repeated wherever V1 could",
    command: "node bench/prove-by-tests.ts sentinels",
  },
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

/** `faults`: what is wrong; nothing where the promise is held. */
export type Finding = { promise: string; figure: string; faults: string[] };

/** By name: the full number, whether a seed decides what happens, and the proof itself. */
export type Proofs = Record<
  string,
  { count: number; isSeeded: boolean; prove(count: number, seed: number): Promise<Finding> }
>;

/** The command line of a script of proofs: `<name> --count 1000 --seed 7`. */
export async function runProof(script: string, proofs: Proofs): Promise<void> {
  const names = Object.keys(proofs);
  const usage = `Usage: node ${script} ${names.join("|")} [--count N] [--seed N]\nExample: node ${script} ${names[0]} --count 10 --seed 7`;
  const { name, numbers } = readCommandLine(usage, names, ["count", "seed"]);
  const proof = proofs[name]!;
  const { count = proof.count, seed = drawSeed() } = numbers;
  const { promise, figure, faults } = await proof.prove(count, seed);
  for (const fault of faults.slice(0, 20)) console.error(fault);
  const command = `node ${script} ${name} --count ${count}${proof.isSeeded ? ` --seed ${seed}` : ""}`;
  const size = count < proof.count ? "a smaller run, " : "";
  printProof({
    promise,
    figure: `${size}${figure}`,
    command,
    result: faults.length === 0 && count > 0 ? "held" : "broken",
  });
}

const file = new URL("../docs/use/reliability.md", import.meta.url);
const head = "| promise | goal | last result | proven by |";

/** A row that was not proven now keeps what the table says. */
export function renderTable(text: string, proofs: readonly Proof[]): string {
  const [intro = "", table = ""] = text.split(`${head}\n`);
  const known = table.split("\n").slice(1);
  const rows = promises.map(({ promise, goal, command }) => {
    const proof = proofs.find((one) => one.promise === promise);
    const before = known.find((line) => line.startsWith(`| ${promise} |`))?.split(" | ");
    const [result, provenBy] = proof
      ? [`${proof.result.toUpperCase()} on ${proof.at.slice(0, 10)}: ${proof.figure}`, proof.command]
      : [before?.[2] ?? "not run yet", before?.[3]?.replace(/^`|` \|$/g, "") ?? command];
    return `| ${promise} | ${goal} | ${result} | \`${provenBy}\` |`;
  });
  return `${intro}${head}\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function prove({ promise, command }: (typeof promises)[number]): Proof {
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
${promises.map(({ promise }) => `  ${promise}`).join("\n")}
Example: npm run reliability -- clock ticks`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const isHelp = words.includes("--help") || words.includes("-h");
  const wanted = promises.filter(
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
