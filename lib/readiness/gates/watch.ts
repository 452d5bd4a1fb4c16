// The gates that the watch and the inventory answer: drift is reviewed, alerts arrive, consumers have
// moved, and there is time for the rest.

import { type Consumer, type Facts, type Judgement, listSome, pass, plural, unknown } from "../facts.ts";
import { fieldsInUse } from "./mapping.ts";
import { isWithin } from "./usage.ts";

const noWatch = (what: string) =>
  unknown(`${what}: there is no store of the watch`, "Start `v1watch up`, or name a store with --store.");

export function judgeDrift(facts: Facts): Judgement {
  const { drift } = facts;
  if (!drift) return noWatch("V1's drift is not known");
  const used = fieldsInUse(facts);
  const touched = drift.rows.flatMap((row) => {
    if (row.level !== "breaking" || !row.isCurrent) return [];
    const fields = used.filter(
      ({ path, endpoint }) =>
        endpoint === row.endpoint && (isWithin(path, row.path) || isWithin(row.path, path)),
    );
    return fields.length > 0 || row.path === "" ? [{ ...row, fields }] : [];
  });
  const open = touched.filter(({ isReviewed }) => !isReviewed);
  if (open.length > 0) {
    return {
      state: "fail",
      evidence: [
        `${plural(open.length, "difference")} on used fields not reviewed: ${listSome(open.map(({ path }) => path))}`,
      ],
      next: `Look at \`v1watch drift\`, then: v1watch ack ${open[0]?.id} --reason "…"`,
      owners: open.flatMap(({ fields }) => fields.flatMap(({ owners }) => owners)),
      places: open.flatMap(({ fields }) => fields.flatMap(({ places }) => places.slice(0, 1))),
    };
  }
  if (used.length === 0) return pass("no field of V1 is used any more");
  const asked = [...new Set(used.map(({ endpoint }) => endpoint))];
  const unseen = asked.filter((endpoint) => !drift.judged.includes(endpoint));
  if (unseen.length > 0) {
    return unknown(
      `nothing could be validated against V1's document yet: no data was seen on ${unseen.join(", ")}`,
      "Find out why with `v1watch outlook` and `v1watch incidents`; the gate is judged once V1 answers.",
    );
  }
  return touched.length === 0
    ? pass("V1 answers as documented on every used field")
    : pass(`${plural(touched.length, "difference")} on used fields, all reviewed`);
}

const proofDays = 30;
const dayMs = 86_400_000;

export function judgeAlerts({ proof, nowMs }: Facts): Judgement {
  const next = "Send a drill through the alerts' own way with `v1watch drill`, and see that it arrives.";
  if (proof === undefined) return noWatch("whether alerts arrive is not known");
  if (proof === "none") return unknown("no alert and no drill is known to have reached anybody", next);
  const days = Math.max(0, Math.floor((nowMs - proof.atMs) / dayMs));
  const what = proof.isDrill ? "a drill" : "an alert";
  const when = days === 0 ? "today" : `${plural(days, "day")} ago`;
  if (days > proofDays) {
    return {
      state: "fail",
      evidence: [`the last proof is ${what} of ${when}, more than ${proofDays} days`],
      next,
    };
  }
  return pass(`${what} reached people ${when}`);
}

const noInventory = (what: string) =>
  unknown(
    `${what}: there is no inventory of consumers`,
    "Run `v1watch scan DIR… --inventory v1watch.inventory.json` over the code that uses V1.",
  );

export function judgeConsumers({ consumers }: Facts): Judgement {
  if (!consumers) return noInventory("who uses V1 is not known");
  const count = (status: Consumer["status"]) => consumers.filter((one) => one.status === status).length;
  const excepted = consumers.filter((one) => one.status === "v1" && one.isExcepted);
  const deferred = consumers.filter((one) => one.status === "v1" && !one.isExcepted);
  const so = `${count("v2")} moved, ${count("dual")} dual, ${excepted.length} excepted`;
  if (deferred.length === 0) {
    return consumers.length === 0
      ? pass("no consumer of V1 was found")
      : pass(`${plural(consumers.length, "consumer")}: ${so}`);
  }
  return {
    state: "fail",
    evidence: [
      `${deferred.length} of ${plural(consumers.length, "consumer")} on V1 alone: ${listSome(deferred.map(({ name }) => name))}`,
      so,
    ],
    next: `Move ${deferred[0]?.name} to V2, or run it dual, or write an exception with a day.`,
    owners: deferred.flatMap(({ owners }) => owners),
    places: deferred.flatMap(({ uses }) => uses.slice(0, 3).map(({ file, line }) => ({ file, line }))),
  };
}

type Work = { days: number; consumers: Consumer[] };

/** Whoever still calls V1 and has no exception, dual ones too: the old call has to be taken out. */
export function estimateWork({ consumers = [], daysPerConsumer }: Facts): Work {
  const left = consumers.filter((one) => one.status !== "v2" && !one.isExcepted);
  return { days: left.length * daysPerConsumer, consumers: left };
}

export function judgeTime(facts: Facts): Judgement {
  const { consumers, outlook } = facts;
  if (!consumers) return noInventory("how much work is left is not known");
  const work = estimateWork(facts);
  if (work.days === 0) return pass("no work is left before V1's end");
  const needed = `${plural(work.consumers.length, "consumer")} need about ${plural(work.days, "day")}`;
  if (!outlook) return noWatch(`${needed}; how long V1 lives is not known`);
  const next = "Put more hands on it, except what may break, or ask V1's owner for a later date.";
  const owners = work.consumers.flatMap(({ owners }) => owners);
  if (outlook.level === "retired") {
    return { state: "fail", evidence: [`V1 has left, and ${needed}`], next, owners };
  }
  const { daysLeft, date } = outlook;
  if (daysLeft === undefined) {
    return unknown(
      `${needed}; V1 has named no date`,
      "Ask V1's owner for the date and set retirement.date in the configuration.",
    );
  }
  if (daysLeft <= work.days) {
    const left =
      daysLeft < 0 ? `V1's date ${date} has passed` : `V1 has ${plural(daysLeft, "day")} left (${date})`;
    return { state: "fail", evidence: [`${left}, and ${needed}`], next, owners };
  }
  return pass(`V1 has ${plural(daysLeft, "day")} left (${date}), and ${needed}`);
}
