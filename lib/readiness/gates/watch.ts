// The gates about the monitor and the inventory: drift is reviewed, alerts are delivered, consumers are
// migrated, and the remaining time covers the remaining work.

import { listSome, plural, shellQuoted } from "../../text.ts";
import { daysUntil, dayText } from "../../time.ts";
import {
  type Consumer,
  describeScanned,
  type Facts,
  fail,
  findEnd,
  findFutureProblem,
  type JudgedResponses,
  type Judgement,
  pass,
  unknown,
} from "../facts.ts";
import { fieldsInUse } from "./mapping.ts";
import { isAffected, judgeException } from "./usage.ts";

const noStore = (what: string) =>
  unknown(`${what}: the monitor's store was not found`, "Start `v1watch up`, or name a store with --store.");

export function judgeDrift(facts: Facts): Judgement {
  const { drift } = facts;
  const used = fieldsInUse(facts);
  if (used.length === 0)
    return pass(`no V1 field is in use in ${describeScanned(facts)}, so V1's data does not matter`);
  if (!drift) return noStore("V1's drift is unknown");
  const breaking = drift.rows.flatMap((row) => {
    if (row.level !== "breaking" || !row.isCurrent) return [];
    const fields = used.filter((field) => isAffected(field, row));
    return fields.length > 0 ? [{ ...row, fields }] : [];
  });
  // A review does not help code whose decoder refuses what V1 sends.
  const refused = breaking.filter(({ fields }) => fields.some(({ decoders }) => decoders.length > 0));
  if (refused.length > 0) {
    const decoders = refused.flatMap(({ fields }) => fields.flatMap((field) => field.decoders));
    const first = decoders[0];
    return fail({
      problem: `V1 differs from its document on ${plural(refused.length, "field")} that declared types require, so decoding fails`,
      details: listSome(refused.map(({ path }) => path)),
      next: `Make ${first?.file}:${first?.line} accept what V1 sends now; \`v1watch status drift\` shows it.`,
      owners: refused.flatMap(({ fields }) => fields.flatMap(({ owners }) => owners)),
      places: decoders,
    });
  }
  const open = breaking.filter(({ isReviewed }) => !isReviewed);
  if (open.length > 0) {
    return fail({
      problem: `V1 differs from its document on used fields, and ${plural(open.length, "difference is", "differences are")} not reviewed`,
      details: listSome(open.map(({ path }) => path)),
      next: `Review \`v1watch status drift\`, then run: v1watch incidents ack ${shellQuoted(open[0]?.id ?? "")} --reason "…"`,
      owners: open.flatMap(({ fields }) => fields.flatMap(({ owners }) => owners)),
      places: open.flatMap(({ fields }) => fields.flatMap(({ places }) => places.slice(0, 1))),
    });
  }
  const usedEndpoints = [...new Set(used.map(({ endpoint }) => endpoint))];
  const end = findEnd(facts, usedEndpoints);
  if (end)
    return unknown(
      `V1's data cannot be seen: ${end.text}`,
      "Migrate what still uses V1; this gate is evaluated again once V1 returns data.",
    );
  const judged = drift.judged.filter(({ endpoint }) => usedEndpoints.includes(endpoint));
  const endpointsWithoutData = usedEndpoints.filter(
    (endpoint) => !judged.some((one) => one.endpoint === endpoint),
  );
  if (endpointsWithoutData.length > 0) {
    return unknown(
      `no response of ${endpointsWithoutData.join(", ")} has been validated against V1's document yet`,
      "Check `v1watch status risk` and `v1watch incidents`; this gate is evaluated once V1 returns data.",
    );
  }
  const seen = `in ${describeJudged(judged)}`;
  return breaking.length === 0
    ? pass(`V1 matches its document on every used field ${seen}`)
    : pass(`${plural(breaking.length, "difference")} on used fields, all reviewed, ${seen}`);
}

/** "412 responses of passport, passport-list, last on 2026-11-15": the day is that of the endpoint that was served longest ago. */
function describeJudged(judged: readonly JudgedResponses[]): string {
  const responses = judged.reduce((sum, one) => sum + one.responses, 0);
  const days = judged.flatMap(({ lastMs }) => (lastMs === undefined ? [] : [lastMs]));
  const last = days.length === 0 ? "" : `, last on ${dayText(Math.min(...days))}`;
  return `${plural(responses, "response")} of ${listSome(judged.map(({ endpoint }) => endpoint))}${last}`;
}

const maxProofAgeDays = 30;

export function judgeAlerts({ proof, nowMs }: Facts): Judgement {
  const problem = typeof proof === "object" && findFutureProblem("the last delivery", proof.atMs, nowMs);
  const next =
    "Run `v1watch notify --test` or `v1watch notify --drill`, and confirm that the message arrives.";
  if (proof === undefined) return noStore("alert delivery is unknown");
  if (proof === "none")
    return unknown("nobody has received an alert or a drill yet", next, {
      details: "the console and a topic without a confirmed subscription do not count",
    });
  if (problem) return unknown(problem, next);
  const days = Math.max(0, daysUntil(nowMs, proof.atMs));
  const what = proof.isDrill ? "a drill" : "an alert";
  const when = days === 0 ? "today" : `${plural(days, "day")} ago`;
  if (days > maxProofAgeDays) {
    return fail({
      problem: `the last delivery was ${what} ${when}; the limit is ${maxProofAgeDays} days`,
      next,
    });
  }
  return pass(`${what} was delivered ${when}${proof.channel === undefined ? "" : ` to ${proof.channel}`}`);
}

const noInventory = (what: string) =>
  unknown(
    `${what}: there is no inventory`,
    "Run `v1watch scan DIR… --inventory v1watch.inventory.json` over the code that uses V1.",
  );

export function judgeConsumers(facts: Facts): Judgement {
  const { consumers } = facts;
  if (!consumers) return noInventory("V1's consumers are unknown");
  const count = (status: Consumer["status"]) => consumers.filter((one) => one.status === status).length;
  const exempted = consumers.filter((one) => one.status === "v1" && one.isExcepted);
  const v1Only = consumers.filter((one) => one.status === "v1" && !one.isExcepted);
  const summary = `${count("v2")} migrated, ${count("dual")} dual-running, ${exempted.length} exempted`;
  const contradictions = consumers.flatMap((one) => one.contradictions);
  if (contradictions.length > 0) {
    return fail({
      problem: `${plural(contradictions.length, "call")} of V1 ${contradictions.length === 1 ? "is" : "are"} marked as migrated, and the scan still finds ${contradictions.length === 1 ? "it" : "them"}`,
      details: listSome(contradictions.map(({ file, line }) => `${file}:${line}`)),
      next: "Remove these calls and scan again, or set the status of their uses to v1 or dual in the inventory.",
      owners: consumers.flatMap((one) => (one.contradictions.length > 0 ? one.owners : [])),
      places: contradictions,
    });
  }
  if (v1Only.length === 0) {
    return consumers.length === 0
      ? pass(`no use of V1 in ${describeScanned(facts)}`)
      : pass(`${plural(consumers.length, "consumer")} in ${describeScanned(facts)}: ${summary}`);
  }
  return fail({
    problem: `${v1Only.length} of ${plural(consumers.length, "consumer")} ${v1Only.length === 1 ? "is" : "are"} on V1 only`,
    details: `${listSome(v1Only.map(({ name }) => name))}; ${summary}`,
    next: `Migrate ${v1Only[0]?.name} to V2, run it on both versions, or add an exception with an expiry date.`,
    owners: v1Only.flatMap(({ owners }) => owners),
    places: v1Only.flatMap(({ uses }) => uses.slice(0, 3).map(({ file, line }) => ({ file, line }))),
  });
}

/** Nobody knows how long a line takes, so that the days are a range. */
type Work = { days: { least: number; most: number }; lines: number; consumers: Consumer[] };

/** The distinct source lines that call V1, read its fields or depend on its behaviour. */
const countLines = (consumers: readonly Consumer[]) =>
  new Set(
    consumers.flatMap(({ uses }) =>
      uses.flatMap(({ file, calls, fields, hazards }) =>
        [...calls, ...[...fields, ...hazards].map(({ line }) => line)].map((line) => `${file}:${line}`),
      ),
    ),
  ).size;

/** How long review, tests and deployment of a consumer take. */
const daysPerConsumer = { least: 0.5, most: 2 };
/** How many lines are changed in a day: reads of fields that only moved, or calls whose failures have to be handled. */
const linesPerDay = { least: 10, most: 40 };

/** Includes dual-running consumers, because their V1 call must be removed; excludes exempted ones. */
export function estimateWork({ consumers = [], nowMs }: Facts): Work {
  const today = dayText(nowMs);
  // An exception for one use leaves the work on the others.
  const isExempted = ({ exceptions, uses }: Consumer) =>
    exceptions.length >= Math.max(1, uses.length) &&
    exceptions.every((one) => judgeException(one, today) === "valid");
  const left = consumers.filter((one) => one.status !== "v2" && !isExempted(one));
  const lines = countLines(left);
  const least = left.length * daysPerConsumer.least + lines / linesPerDay.most;
  const most = left.length * daysPerConsumer.most + lines / linesPerDay.least;
  const days = { least: Math.max(Math.min(1, left.length), Math.floor(least)), most: Math.ceil(most) };
  return { days, lines, consumers: left };
}

const describeDays = ({ least, most }: Work["days"]) =>
  least === most ? plural(most, "day") : `${least} to ${plural(most, "day")}`;

/** "1 to 3 days of work (…)": the range and its reason. */
export const describeWork = ({ days }: Pick<Work, "days">) =>
  `${describeDays(days)} of work (${linesPerDay.least} to ${linesPerDay.most} lines a day, and ${daysPerConsumer.least} to ${plural(daysPerConsumer.most, "day")} for each consumer)`;

export function judgeTime(facts: Facts): Judgement {
  const { consumers, outlook } = facts;
  if (!consumers) return noInventory("the remaining work is unknown");
  const work = estimateWork(facts);
  if (work.consumers.length === 0)
    return pass(`no consumer needs migration work in ${describeScanned(facts)}`);
  const needed = `${plural(work.lines, "line")} in ${plural(work.consumers.length, "consumer")} still ${work.lines === 1 ? "uses" : "use"} V1, ${describeWork(work)}`;
  if (!outlook) return noStore(`${needed}; V1's remaining time is unknown`);
  const next = "Assign more people, exempt consumers that may break, or ask V1's owner for a later date.";
  const owners = work.consumers.flatMap(({ owners }) => owners);
  if (outlook.level === "retired") {
    return fail({ problem: `V1 is retired, and ${needed}`, next, owners });
  }
  const endpoints = work.consumers.flatMap(({ uses }) => uses.map(({ endpoint }) => endpoint));
  const end = findEnd(facts, endpoints);
  if (end)
    return unknown(
      `V1's end may have come (${end.text}), and ${needed}`,
      "Ask V1's owner whether V1 comes back.",
      {
        owners,
      },
    );
  const { daysLeft, date } = outlook;
  if (daysLeft === undefined) {
    return unknown(
      `${needed}; V1's retirement date is unknown`,
      "Ask V1's owner for the date and set retirement.date in the configuration.",
    );
  }
  if (daysLeft > work.days.least && daysLeft <= work.days.most)
    return unknown(
      `V1 has ${plural(daysLeft, "day")} left (${date}), which may be too few: ${needed}`,
      next,
      { owners },
    );
  if (daysLeft <= work.days.most) {
    const left =
      daysLeft < 0
        ? `V1's retirement date ${date} has passed`
        : `V1 has ${plural(daysLeft, "day")} left (${date})`;
    return fail({ problem: `${left}, and ${needed}`, next, owners });
  }
  return pass(
    `on ${dayText(facts.nowMs)}, V1 has ${plural(daysLeft, "day")} left (${date}), and in ${describeScanned(facts)} ${needed}`,
  );
}
