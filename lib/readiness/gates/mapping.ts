// The gates about the mapping: used fields and behaviours are decided, and no decision has expired.

import { type EndpointId, idsOf } from "../../contract/endpoints.ts";
import { computeCoverage, type DecisionStatus, isDecided } from "../../mapping/coverage.ts";
import { type BehaviourId, behaviours, v1Fields } from "../../mapping/fields.ts";
import { diffyRule } from "../../parity/judge.ts";
import { listSome, plural } from "../../text.ts";
import { dayText } from "../../time.ts";
import {
  describeScanned,
  type Facts,
  fail,
  findOutdatedReason,
  type Judgement,
  pass,
  type SourceLocation,
  unknown,
} from "../facts.ts";
import { findUsedFields, judgeException, type UsedField, usedEndpoints } from "./usage.ts";

const noMapping = () =>
  unknown("there is no mapping to V2", "Create one with `v1watch migrate init`, then decide each row.");

/** The line of a row in the mapping's text, or the line of its section; undefined if the section is not found. */
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

function findRowLocations(
  mapping: NonNullable<Facts["mapping"]>,
  section: "fields" | "behaviours",
  names: readonly string[],
): SourceLocation[] {
  return names.flatMap((name) => {
    const line = findRowLine(mapping.text, section, name);
    return line === undefined ? [] : [{ file: mapping.file, line }];
  });
}

/** The V1 fields in use. Without an inventory, every field counts as used. */
export const fieldsInUse = ({ consumers }: Facts): UsedField[] =>
  consumers
    ? findUsedFields(consumers)
    : v1Fields.map(({ path, endpoint }) => ({
        path,
        endpoint,
        consumers: [],
        owners: [],
        places: [],
        decoders: [],
      }));

const isUndecided = (standing: DecisionStatus | undefined) => standing === undefined || !isDecided(standing);

export function judgeFields(facts: Facts): Judgement {
  const { mapping, parity } = facts;
  if (!mapping) return noMapping();
  const used = fieldsInUse(facts);
  const scope = facts.consumers ? "used fields" : "fields of V1";
  if (used.length === 0) return pass(`no field of V1 is in use in ${describeScanned(facts)}`);
  const coverage = new Map(
    computeCoverage(mapping.parsed, dayText(facts.nowMs)).fields.map((row) => [row.path, row.standing]),
  );
  const open = used.filter(({ path }) => isUndecided(coverage.get(path)));
  const paths = open.map(({ path }) => path);
  if (open.length > 0) {
    return fail({
      problem: `${open.length} of ${used.length} ${scope} ${open.length === 1 ? "is" : "are"} undecided`,
      details: listSome(paths),
      next: `Decide ${paths[0]} in ${mapping.file}${open.length > 1 ? "; `v1watch migrate coverage` lists the rest" : ""}.`,
      owners: open.flatMap(({ owners }) => owners),
      places: findRowLocations(mapping, "fields", paths),
    });
  }
  // An unverified row counts as decided once a current comparison has covered its field.
  const compared = findOutdatedReason(facts) === undefined ? parity?.aggregate.fields : undefined;
  const unverified = used
    .map(({ path }) => path)
    .filter(
      (path) => coverage.get(path) === "unverified" && (compared?.[path]?.compared ?? 0) < diffyRule.minPairs,
    );
  if (unverified.length > 0) {
    return unknown(
      `all ${used.length} ${scope} are decided, ${unverified.length} unverified`,
      "Check V2's responses and remove `unverified` from these rows, or run `v1watch parity`.",
      { details: listSome(unverified), places: findRowLocations(mapping, "fields", unverified) },
    );
  }
  const where = facts.consumers ? ` in ${describeScanned(facts)}` : "";
  return pass(`all ${used.length} ${scope}${where} are decided`);
}

const behaviourOf = (id: BehaviourId) => behaviours.find((one) => one.id === id)!;

const concerns = (id: BehaviourId, used: ReadonlySet<EndpointId>) =>
  idsOf(...behaviourOf(id).of).some((endpoint) => used.has(endpoint));

export function judgeBehaviours(facts: Facts): Judgement {
  const { mapping, consumers } = facts;
  if (!mapping) return noMapping();
  const endpointsInUse = consumers && usedEndpoints(consumers);
  const rows = computeCoverage(mapping.parsed, dayText(facts.nowMs)).behaviours.filter(
    ({ id }) => !endpointsInUse || concerns(id, endpointsInUse),
  );
  const open = rows.filter(({ standing }) => isUndecided(standing)).map(({ id }) => id);
  const unverified = rows.filter(({ standing }) => standing === "unverified").map(({ id }) => id);
  const describeBehaviours = (ids: readonly BehaviourId[]) =>
    listSome(ids.map((id) => `${id} (${behaviourOf(id).becomes})`));
  if (open.length > 0) {
    return fail({
      problem: `${open.length} of ${plural(rows.length, "behaviour")} of V1 ${open.length === 1 ? "is" : "are"} undecided`,
      details: describeBehaviours(open),
      next: `Decide what consumers do about ${open[0]}, in ${mapping.file}.`,
      places: findRowLocations(mapping, "behaviours", open),
    });
  }
  if (unverified.length > 0) {
    return unknown(
      `${plural(unverified.length, "behaviour is", "behaviours are")} decided but unverified`,
      "Verify each behaviour against V2 and remove `unverified` from its row.",
      {
        details: describeBehaviours(unverified),
        places: findRowLocations(mapping, "behaviours", unverified),
      },
    );
  }
  return pass(
    rows.length === 0
      ? `no behaviour of V1 is in use in ${describeScanned(facts)}`
      : `all ${plural(rows.length, "behaviour")}${facts.consumers ? ` that code in ${describeScanned(facts)} may use` : ""} are decided`,
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
  const expiredDrops = sections.flatMap((section) =>
    Object.entries(mapping?.parsed[section] ?? {}).flatMap(([name, row]) =>
      row.decision === "dropped" && row.expires < today ? [{ section, name, ...row }] : [],
    ),
  );
  const expiredExceptions = (consumers ?? []).flatMap((consumer) =>
    consumer.exceptions.flatMap((exception) => {
      const standing = judgeException(exception, today);
      return standing === "valid" ? [] : [{ ...consumer, expires: exception.expires, standing }];
    }),
  );
  const first = expiredDrops[0] ?? expiredExceptions[0];
  if (!first) {
    const drops = sections.flatMap((section) => Object.values(mapping?.parsed[section] ?? {}));
    const dropCount = drops.filter(({ decision }) => decision === "dropped").length;
    const exceptionCount = (consumers ?? []).flatMap(({ exceptions }) => exceptions).length;
    if (!mapping) {
      return unknown(
        `${plural(exceptionCount, "exception")}, none expired; drops are unknown because there is no mapping`,
        noMapping().next,
      );
    }
    if (!consumers) {
      return unknown(
        `${plural(dropCount, "drop")}, none expired; exceptions are unknown because there is no inventory`,
        "Run `v1watch scan DIR… --inventory v1watch.inventory.json` over the code that uses V1.",
      );
    }
    return pass(
      `${plural(dropCount, "drop")} of the mapping and ${plural(exceptionCount, "exception")} in ${describeScanned(facts)}, none expired on ${today}`,
    );
  }
  const expired = [
    ...expiredDrops.map(({ name, expires }) => `${name} dropped until ${expires}`),
    ...expiredExceptions.map(
      ({ name, expires, standing }) =>
        `${name} exempted until ${expires}${standing === "expired" ? "" : ", which is more than a year away"}`,
    ),
  ];
  const isAnyTooLong = expiredExceptions.some(({ standing }) => standing === "too long");
  const standings = isAnyTooLong ? "expired or no end within a year" : "expired";
  return fail({
    problem: `${plural(expired.length, "exception has", "exceptions have")} ${standings}`,
    details: listSome(expired),
    next: `Renew the decision on ${first.name} with a new expiry date, or remove the exception.`,
    owners: [...expiredDrops.map(({ owner }) => owner), ...expiredExceptions.flatMap(({ owners }) => owners)],
    places: [
      ...expiredDrops.flatMap(({ section, name }) =>
        mapping ? findRowLocations(mapping, section, [name]) : [],
      ),
      ...expiredExceptions.flatMap(({ uses }) => uses.slice(0, 1).map(({ file, line }) => ({ file, line }))),
    ],
  });
}
