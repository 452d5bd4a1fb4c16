// The gate about the rehearsal: the team's own code was run while V1's end was played, and nothing broke unnoticed.
import { unnoticed } from "../../records/rehearsal.ts";
import { listSome, plural } from "../../text.ts";
import { dayMs } from "../../time.ts";
import { type Facts, fail, type Judgement, listHazards, pass, unknown } from "../facts.ts";

/** The code has changed since. */
const maxAgeDays = 90;
const command = '`v1watch rehearse --run "COMMAND"`';

export function judgeRehearsal({ rehearsal, consumers, nowMs }: Facts): Judgement {
  if (!rehearsal)
    return unknown(
      "V1's end has not been rehearsed",
      `Run ${command} with a smoke test of a system that uses V1.`,
    );
  const { rows } = rehearsal;
  const [control, ...played] = rows;
  if (control?.scenario !== "healthy" || control.result !== "handled" || played.length === 0)
    return unknown(
      "the smoke test of the rehearsal fails, or does not ask V1, while V1 is healthy",
      `Point it to the address in V1_URL, and run ${command} again.`,
    );
  const missed = unnoticed(rehearsal);
  if (missed.length > 0)
    return fail({
      problem: `nobody would notice ${missed.length} of ${plural(played.length, "way")} in which V1 may end`,
      details: listSome(missed.map(({ scenario }) => scenario)),
      next: "Let the code say that V1's data is missing, and rehearse again.",
      places: listHazards(consumers ?? []),
    });
  const days = Math.floor((nowMs - Date.parse(rehearsal.at)) / dayMs);
  if (days > maxAgeDays)
    return unknown(`the rehearsal is ${plural(days, "day")} old`, `Run ${command} again.`);
  const loud = played.filter(({ result }) => result === "loud").length;
  return pass(
    `${plural(played.length, "way")} in which V1 may end were noticed, ${loud} of them by a failure`,
  );
}
