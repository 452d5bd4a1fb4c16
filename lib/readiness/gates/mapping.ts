// The gates that a mapping answers: what is used has a decision, behaviours too, and no decision is overdue.
import type { EndpointId } from "../../contract/endpoints.ts";
import { computeCoverage, type DecisionStatus } from "../../mapping/coverage.ts";
import { type BehaviourId, v1Fields } from "../../mapping/fields.ts";
import { diffyRule } from "../../parity/judge.ts";
import {
  dayText,
  type Facts,
  findOutdatedReason,
  type Judgement,
  listSome,
  type Place,
  pass,
  plural,
  unknown,
} from "../facts.ts";
import { findUsedFields, type UsedField, usedEndpoints } from "./usage.ts";

const noMapping = () =>
  unknown("there is no mapping to V2", "Begin one: `v1watch migrate init`, then decide row by row.");

/** The line of a row in the mapping's text; undefined where it is written in a way that hides it. */
export function findRowLine(
  text: string,
  section: "fields" | "behaviours",
  name: string,
): number | undefined {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => new RegExp(`^\\s*"${section}"\\s*:`).test(line));
  const key = `${JSON.stringify(name)}:`;
  const found = lines.findIndex((line, index) => index >= start && line.replace(/\s+:/, ":").includes(key));
  if (start < 0) return undefined;
  return found < 0 ? start + 1 : found + 1;
}

function placesOf(
  mapping: NonNullable<Facts["mapping"]>,
  section: "fields" | "behaviours",
  names: readonly string[],
): Place[] {
  return names.flatMap((name) => {
    const line = findRowLine(mapping.text, section, name);
    return line === undefined ? [] : [{ file: mapping.file, line }];
  });
}

/** Without an inventory every field counts as used. */
export const fieldsInUse = ({ consumers }: Facts): UsedField[] =>
  consumers
    ? findUsedFields(consumers)
    : v1Fields.map(({ path, endpoint }) => ({ path, endpoint, consumers: [], owners: [], places: [] }));

const isUndecided = (standing: DecisionStatus | undefined) =>
  standing === undefined || standing === "undecided" || standing === "unowned";

export function judgeFields(facts: Facts): Judgement {
  const { mapping, parity } = facts;
  if (!mapping) return noMapping();
  const used = fieldsInUse(facts);
  const whose = facts.consumers ? "used fields" : "fields of V1";
  if (used.length === 0) return pass("no consumer is known to use a field of V1");
  const coverage = new Map(
    computeCoverage(mapping.parsed, dayText(facts.nowMs)).fields.map((row) => [row.path, row.standing]),
  );
  const open = used.filter(({ path }) => isUndecided(coverage.get(path)));
  const paths = open.map(({ path }) => path);
  if (open.length > 0) {
    return {
      state: "fail",
      evidence: [`${open.length} of ${used.length} ${whose} undecided: ${listSome(paths)}`],
      next: `Decide ${paths[0]} in ${mapping.file}; \`v1watch migrate coverage\` lists the rest.`,
      owners: open.flatMap(({ owners }) => owners),
      places: placesOf(mapping, "fields", paths),
    };
  }
  // A starter's guess counts as a decision once V2's answers have been validated against it, as it is now.
  const compared = findOutdatedReason(facts) === undefined ? parity?.aggregate.fields : undefined;
  const guessed = used
    .map(({ path }) => path)
    .filter(
      (path) => coverage.get(path) === "unverified" && (compared?.[path]?.compared ?? 0) < diffyRule.minPairs,
    );
  if (guessed.length > 0) {
    return {
      state: "unknown",
      evidence: [
        `all ${used.length} ${whose} are decided, but ${guessed.length} unverified: ${listSome(guessed)}`,
      ],
      next: "Look at V2's answers and remove `unverified` from these rows, or run `v1watch parity`.",
      places: placesOf(mapping, "fields", guessed),
    };
  }
  return pass(`all ${used.length} ${whose} are decided`);
}

const onePassport: readonly EndpointId[] = ["passport", "passport-credentials"];
const list: readonly EndpointId[] = ["passport-list"];

/** Which endpoints make a behaviour matter, and what is known to change. */
const behaviourTable: Record<BehaviourId, { of: readonly EndpointId[]; becomes: string }> = {
  "unknown-id": { of: onePassport, becomes: "404 may become 200 with 0" },
  "id-form": { of: [...onePassport, ...list], becomes: "an integer becomes a UUID" },
  "wallet-as-id": { of: onePassport, becomes: "look-up by wallet" },
  key: { of: [...onePassport, ...list], becomes: "the key becomes required" },
  unauthorized: { of: [...onePassport, ...list], becomes: "what a 401 means" },
  pagination: { of: list, becomes: "how pages are chosen" },
  sort: { of: list, becomes: "the list's order" },
  keyword: { of: list, becomes: "the list's filter" },
};

export function judgeBehaviours(facts: Facts): Judgement {
  const { mapping, consumers } = facts;
  if (!mapping) return noMapping();
  const asked = consumers && usedEndpoints(consumers);
  const rows = computeCoverage(mapping.parsed, dayText(facts.nowMs)).behaviours.filter(
    ({ id }) => !asked || behaviourTable[id].of.some((endpoint) => asked.has(endpoint)),
  );
  const open = rows.filter(({ standing }) => isUndecided(standing)).map(({ id }) => id);
  const guessed = rows.filter(({ standing }) => standing === "unverified").map(({ id }) => id);
  const told = (ids: readonly BehaviourId[]) =>
    listSome(ids.map((id) => `${id} (${behaviourTable[id].becomes})`));
  if (open.length > 0) {
    return {
      state: "fail",
      evidence: [`${open.length} of ${plural(rows.length, "behaviour")} undecided: ${told(open)}`],
      next: `Decide what consumers do about ${open[0]}, in ${mapping.file}.`,
      places: placesOf(mapping, "behaviours", open),
    };
  }
  if (guessed.length > 0) {
    return {
      state: "unknown",
      evidence: [`${plural(guessed.length, "behaviour")} decided but unverified: ${told(guessed)}`],
      next: "Try each against V2 and remove `unverified` from its row.",
      places: placesOf(mapping, "behaviours", guessed),
    };
  }
  return pass(
    rows.length === 0 ? "no behaviour of V1 is relied on" : `all ${plural(rows.length, "behaviour")} decided`,
  );
}

export function judgeExceptions(facts: Facts): Judgement {
  const { mapping, consumers } = facts;
  if (!mapping && !consumers) {
    return unknown(
      "there is neither a mapping nor an inventory",
      "Run `v1watch migrate init` and `v1watch scan DIR… --inventory v1watch.inventory.json`.",
    );
  }
  const today = dayText(facts.nowMs);
  const sections = ["fields", "behaviours"] as const;
  const dropped = sections.flatMap((section) =>
    Object.entries(mapping?.parsed[section] ?? {}).flatMap(([name, row]) =>
      row.decision === "dropped" && row.expires < today ? [{ section, name, ...row }] : [],
    ),
  );
  const late = (consumers ?? []).flatMap((consumer) =>
    consumer.exceptions
      .filter(({ expires }) => expires < today)
      .map(({ expires }) => ({ ...consumer, expires })),
  );
  const first = dropped[0] ?? late[0];
  if (!first) {
    const drops = sections.flatMap((section) => Object.values(mapping?.parsed[section] ?? {}));
    const kept = drops.filter(({ decision }) => decision === "dropped").length;
    const excepted = (consumers ?? []).flatMap(({ exceptions }) => exceptions).length;
    if (!mapping) {
      return unknown(
        `none of ${plural(excepted, "exception")} is overdue; the drops are not known: there is no mapping`,
        noMapping().next,
      );
    }
    if (!consumers) {
      return unknown(
        `none of ${plural(kept, "drop")} is overdue; the exceptions are not known: there is no inventory`,
        "Run `v1watch scan DIR… --inventory v1watch.inventory.json` over the code that uses V1.",
      );
    }
    return pass(`none of ${plural(kept, "drop")} and ${plural(excepted, "exception")} is overdue`);
  }
  const told = [
    ...dropped.map(({ name, expires }) => `${name} dropped until ${expires}`),
    ...late.map(({ name, expires }) => `${name} excepted until ${expires}`),
  ];
  return {
    state: "fail",
    evidence: [`${plural(told.length, "exception")} expired: ${listSome(told)}`],
    next: `Take the decision on ${first.name} again, with a new day or without the exception.`,
    owners: [...dropped.map(({ owner }) => owner), ...late.flatMap(({ owners }) => owners)],
    places: [
      ...dropped.flatMap(({ section, name }) => (mapping ? placesOf(mapping, section, [name]) : [])),
      ...late.flatMap(({ uses }) => uses.slice(0, 1).map(({ file, line }) => ({ file, line }))),
    ],
  };
}
