// The gate about the rehearsal: the team's own code was run while V1's end was played, and noticed it every time.
import { judgeRows, notPlayable } from "../../records/rehearsal.ts";
import { dayText } from "../../time.ts";
import { type Facts, fail, findAgeProblem, type Judgement, listHazards, pass, unknown } from "../facts.ts";

/** The code has changed since. */
const maxAgeDays = 90;
const command = '`v1watch rehearse --run "COMMAND"`';

export function judgeRehearsal({ rehearsal, consumers, nowMs }: Facts): Judgement {
  if (!rehearsal)
    return unknown(
      "V1's end has not been rehearsed",
      `Run ${command} with a smoke test of a system that uses V1.`,
    );
  const atMs = Date.parse(rehearsal.at);
  const problem = findAgeProblem("the rehearsal", { atMs, nowMs, maxDays: maxAgeDays });
  if (problem !== undefined) return unknown(problem, `Run ${command} again.`);
  const proof = judgeRows(rehearsal.rows);
  switch (proof.kind) {
    case "noticed":
      return pass(`on ${dayText(atMs)}, ${proof.sentence}; not played: ${notPlayable}`);
    case "unnoticed":
      return fail({
        problem: proof.sentence,
        next: "Let the code say that V1's data is missing, and rehearse again.",
        places: listHazards(consumers ?? []),
      });
    case "no-control":
      return unknown(
        proof.sentence,
        `Let it use the address in V1_URL and ask for what is there, and run ${command} again.`,
      );
    case "incomplete":
      return unknown(
        proof.sentence,
        `Run ${command} without --scenario, with a smoke test that asks V1 every time.`,
      );
  }
}
