// The proofs of what happens while ports and channels fail. Each prints one line of JSON with its figure and its result.
//   node bench/soak-faults.ts ports --count 60 --seed 7          so many virtual days on one machine, with and without faults
//   node bench/soak-faults.ts incidents --count 1000 --seed 7    incidents while sends fail and one channel is dead
import { sendIncidents } from "../test/faults/incidents.ts";
import { countFaults } from "../test/faults/plan.ts";
import { judgeRun, runWatch, storyOf, withFolder } from "../test/faults/watch.ts";
import { type Proofs, runProof } from "./reliability.ts";

const number = (value: number) => value.toLocaleString("en-US");

const proofs: Proofs = {
  ports: {
    count: 60,
    isSeeded: true,
    prove: (count, seed) =>
      withFolder(async (path) => {
        const story = storyOf(seed, count);
        const calm = await runWatch({ story, path: path("calm.db"), seed, share: 0 });
        const run = await runWatch({ story, path: path("faults.db"), seed, share: 0.08, outShare: 0.05 });
        const faults = judgeRun(run, calm);
        return {
          promise: "faults of every port and channel",
          figure: `${count} days, ${number(countFaults(run.plan))} faults: ${number(run.stored.observations.size)} observations, ${run.stored.alerts.size} alerts in ${run.accepted.size} channels and ${run.decisions.length} decisions, ${faults.length} differences from the days without faults; seed ${seed}`,
          faults,
        };
      }),
  },
  incidents: {
    count: 1_000,
    isSeeded: true,
    prove: (count, seed) =>
      withFolder(async (path) => {
        const { arrivals, failedSends, waitingInDead, faults } = await sendIncidents(
          count,
          seed,
          path("incidents.db"),
        );
        const lists = arrivals.map(
          ({ channel, opened, resolved }) =>
            `${channel} ${number(opened)} opened and ${number(resolved)} resolved`,
        );
        return {
          promise: "failing sends",
          figure: `${number(count)} incidents, ${number(failedSends)} failed sends: ${lists.join(", ")}; ${number(waitingInDead)} messages wait for the dead channel; seed ${seed}`,
          faults,
        };
      }),
  },
};

await runProof("bench/soak-faults.ts", proofs);
