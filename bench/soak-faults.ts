// The proofs of what happens while ports and channels fail. Each prints one line of JSON with its figure and its result.
//   node bench/soak-faults.ts ports --count 60 --seed 7          so many virtual days on one machine, with and without faults
//   node bench/soak-faults.ts functions --count 60 --seed 7      so many virtual days of the functions of AWS, over dynalite
//   node bench/soak-faults.ts moto --count 60 --seed 7           the same over moto, which has to be installed
//   node bench/soak-faults.ts incidents --count 1000 --seed 7    incidents while sends fail and one channel is dead
//   node bench/soak-faults.ts receivers --count 20 --seed 7      virtual days of slow, refusing and half-accepting receivers
import { deliverForDays } from "../test/delivery/receivers-for-days.ts";
import { runFunctions } from "../test/faults/functions.ts";
import { sendIncidents } from "../test/faults/incidents.ts";
import { judgeFunctions } from "../test/faults/judge-functions.ts";
import { countFaults, countKinds, planFaults } from "../test/faults/plan.ts";
import { type OnEnd, startLocalServers, startMotoServers } from "../test/faults/servers.ts";
import { judgeRun, runWatch, storyOf, withFolder } from "../test/faults/watch.ts";
import { type Finding, type Proofs, runProof } from "./reliability.ts";

const number = (value: number) => value.toLocaleString("en-US");

/**
 * The functions under faults of every kind, over the servers of this process or over moto. `calm`: how often each endpoint is
 * checked. At the default of 36 minutes two months would take hours: moto reads its whole table for every query.
 */
async function proveFunctions(
  promise: string,
  startServers: typeof startLocalServers,
  calm: string,
  days: number,
  seed: number,
): Promise<Finding> {
  const story = storyOf(seed, days);
  const clock = { nowMs: Date.parse(story.start) };
  const plan = planFaults({ seed, share: 0.05, nowMs: () => clock.nowMs });
  const stops: Parameters<OnEnd>[0][] = [];
  try {
    const servers = await startServers(plan, (stop) => stops.push(stop));
    const run = await runFunctions({ story, plan, clock, servers, calm });
    const judged = await judgeFunctions(run, servers, plan, clock.nowMs);
    const { faults, observations, incidents, alerts, arrived, revised } = judged;
    const early =
      revised.length > 0 ? `, ${revised.length} of them before late observations replaced its incident` : "";
    return {
      promise,
      figure: `${days} days, ${number(countFaults(plan))} broken connections (${countKinds(plan).join(", ")}): ${number(observations)} observations, ${incidents} incidents and ${alerts.length} alerts in the table, ${faults.length} lost, repeated or other than without faults; the alerts arrived in ${arrived.length} messages${early}; seed ${seed}`,
      faults,
    };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

const proofs: Proofs = {
  receivers: {
    count: 20,
    isSeeded: true,
    async prove(count, seed) {
      const { tries, messages, duplicates, receivers, faults } = await deliverForDays(count, seed);
      return {
        promise: "slow, refusing and half-accepting receivers",
        figure: `${count} days, ${messages} messages to ${receivers} receivers: ${number(tries)} tries, ${number(duplicates)} duplicates, all of them where the acceptance was lost, ${faults.length} lost, out of order or tried too often; seed ${seed}`,
        faults,
      };
    },
  },
  functions: {
    count: 60,
    isSeeded: true,
    prove: (count, seed) =>
      proveFunctions("broken connections to AWS (dynalite)", startLocalServers, "3h", count, seed),
  },
  moto: {
    count: 60,
    isSeeded: true,
    prove: (count, seed) =>
      proveFunctions("broken connections to AWS (moto)", startMotoServers, "12h", count, seed),
  },
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
