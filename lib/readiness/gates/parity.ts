// The gates about the comparison: V2 matches V1 on the used fields, and V2 responded reliably.

import { api, endpoints, fieldOfRecord, idsOf, nameInRecord } from "../../contract/endpoints.ts";
import { isMapped, v1Fields } from "../../mapping/fields.ts";
import { type Difference, diffyRule, judgeParity, kindLabels } from "../../parity/judge.ts";
import { upperBound } from "../../parity/sample.ts";
import type { Mapping } from "../../records/mapping.ts";
import { outcomeKinds } from "../../records/observation.ts";
import { labelOutcome } from "../../records/outcome.ts";
import type { ParityAggregate } from "../../records/parity.ts";
import { formatCount, listSome, percent, plural } from "../../text.ts";
import { dayText } from "../../time.ts";
import {
  describeAgreement,
  describeScanned,
  type Facts,
  fail,
  findOutdatedReason,
  findShallow,
  type Judgement,
  pass,
  unknown,
} from "../facts.ts";
import { fieldsInUse } from "./mapping.ts";
import { isWithin, type UsedField } from "./usage.ts";

const { nouns } = api.sample;

const noParity = () =>
  unknown(
    "V2's responses have not been compared with V1's yet",
    "Run `v1watch parity --json > parity.state.json`.",
  );

function judgeOutdatedComparison(facts: Facts): Judgement | undefined {
  const outdated = findOutdatedReason(facts);
  return outdated === undefined
    ? undefined
    : unknown(outdated, "Compare again: `v1watch parity --json > parity.state.json`.");
}

/**
 * The path whose comparison is the evidence for a used field. V1's list is not compared itself; the field of
 * the single record stands for it if both are mapped to the same path in V2.
 */
function comparedPath(path: string, { fields }: Mapping): string | undefined {
  const row = fields[path];
  if (!row || !isMapped(row)) return undefined;
  const endpoint = v1Fields.find((field) => field.path === path)?.endpoint;
  if (!endpoint || endpoints[endpoint].role !== "list") return path;
  const name = nameInRecord(endpoints[endpoint], path);
  const [single] = idsOf("single");
  if (name === undefined || !single) return undefined;
  const singlePath = fieldOfRecord(endpoints[single], name);
  const singleRow = fields[singlePath];
  const hasSameTarget =
    singleRow && isMapped(singleRow) && singleRow.endpoint === row.endpoint && singleRow.path === row.path;
  return hasSameTarget ? singlePath : undefined;
}

const describeDifference = ({ path, kind, raw, compared, rawRate }: Difference) =>
  `${path}: ${kindLabels[kind]} in ${percent(rawRate)} (${formatCount(raw)} of ${formatCount(compared)})`;

/** Whether it is about who a record is, which counts whichever fields are used. */
const isAboutIdentity = ({ kind }: Difference) => kind === "person" || kind === "repeated";

/** A field without a decision was not compared, whatever the others show. */
function demandDecisions(judgement: Judgement, facts: Facts, { fields }: Mapping): Judgement {
  const open = fieldsInUse(facts)
    .map(({ path }) => path)
    .filter((path) => (fields[path]?.decision ?? "undecided") === "undecided");
  if (judgement.state !== "pass" || open.length === 0) return judgement;
  return unknown(
    `${plural(open.length, "used field")} undecided, so not compared: ${listSome(open)}`,
    "Decide their paths in V2; `v1watch migrate coverage` lists them.",
  );
}

/** Nothing could be compared, by the team's decisions. */
function judgeUncompared(facts: Facts, { aggregate, atMs }: NonNullable<Facts["parity"]>): Judgement {
  const inUse = fieldsInUse(facts);
  if (inUse.length === 0) return pass(`no V1 field is in use in ${describeScanned(facts)}`);
  const where = facts.consumers ? ` in ${describeScanned(facts)}` : "";
  return pass(
    `${plural(inUse.length, "used field")}${where} ${inUse.length === 1 ? "has" : "have"} no counterpart in V2 to compare with, so the comparison on ${dayText(atMs)} (${plural(aggregate.pairs, "pair")}) has no values of ${inUse.length === 1 ? "it" : "them"}`,
  );
}

/** A used field, and the path whose comparison is the evidence for it. */
type ComparedField = UsedField & { evidence: string };

export function judgeFieldParity(facts: Facts): Judgement {
  const { parity, mapping } = facts;
  if (!parity) return noParity();
  if (!mapping)
    return unknown("there is no mapping for the comparison", "Create one with `v1watch migrate init`.");
  const outdated = judgeOutdatedComparison(facts);
  if (outdated) return outdated;
  if (parity.aggregate.pairs === 0)
    return unknown(
      `no ${nouns.one} has been compared yet`,
      "Run `v1watch parity --cohort FILE --resume FILE`.",
    );
  const used = fieldsInUse(facts).flatMap((field): ComparedField[] => {
    const evidence = comparedPath(field.path, mapping.parsed);
    return evidence === undefined ? [] : [{ ...field, evidence }];
  });
  const isInUse = fieldsInUse(facts).length > 0;
  const judged =
    used.length === 0 && !(isInUse && hasStrangers(parity.aggregate))
      ? judgeUncompared(facts, parity)
      : judgeCompared(used, parity, mapping.parsed);
  return demandDecisions(judged, facts, mapping.parsed);
}

const hasStrangers = (aggregate: ParityAggregate) => {
  const { differences, unsure } = judgeParity(aggregate);
  return [...differences, ...unsure].some(isAboutIdentity);
};

function judgeCompared(
  used: readonly ComparedField[],
  { aggregate, atMs, sampledFrom }: NonNullable<Facts["parity"]>,
  mapping: Mapping,
): Judgement {
  const verdict = judgeParity(aggregate);
  const { differences, unsure, gone, varying, pairs } = verdict;
  const isAffectedBy = ({ path }: Difference, { evidence }: ComparedField) =>
    affects(path, evidence, mapping);
  const ofUsedFields = (found: readonly Difference[]) =>
    found.filter((difference) => used.some((field) => isAffectedBy(difference, field)));
  const more = `Compare more ${nouns.many}: \`v1watch parity --cohort FILE --resume FILE\`.`;

  const strangers = differences.filter(isAboutIdentity);
  if (strangers.length > 0) {
    const shown = strangers.map(
      ({ kind, raw, compared }) =>
        `${kindLabels[kind]} for ${formatCount(raw)} of ${plural(compared, nouns.one, nouns.many)}`,
    );
    return fail({
      problem: `V2 returns ${shown.join(", and ")}`,
      next: "Report it to V2's owner, or correct the mapping of the id and of what is accepted in its place.",
      owners: used.flatMap(({ owners }) => owners),
    });
  }
  const differing = ofUsedFields(differences);
  if (differing.length > 0) {
    const affected = used.filter((field) => differing.some((difference) => isAffectedBy(difference, field)));
    return fail({
      problem: `V2 differs from V1 on ${affected.length} of ${plural(used.length, "comparable used field")} in ${plural(pairs, "pair")}`,
      details: listSome(differing.map(describeDifference), 3),
      next: `Find out why ${differing[0]?.path} differs, then correct its mapping row or contact V2's owner.`,
      owners: affected.flatMap(({ owners }) => owners),
      places: affected.flatMap(({ places }) => places.slice(0, 1)),
    });
  }
  const rarelyDiffering = [...ofUsedFields(unsure), ...unsure.filter(isAboutIdentity)];
  if (rarelyDiffering.length > 0) {
    const paths = new Set(rarelyDiffering.map(({ path }) => path)).size;
    return unknown(
      `${plural(paths, "field differs", "fields differ")} too rarely to rule out chance, and ${paths === 1 ? "was" : "were"} not read again`,
      "Run the same comparison at least an hour later, which reads them again: `v1watch parity --cohort FILE --resume FILE`.",
      { details: listSome(rarelyDiffering.map(describeDifference), 3) },
    );
  }
  const paths = [...new Set(used.map(({ evidence }) => evidence))];
  const undercompared = paths.filter((path) => (aggregate.fields[path]?.compared ?? 0) < diffyRule.minPairs);
  if (undercompared.length > 0) {
    const fields = plural(undercompared.length, "used field");
    const shown = listSome(undercompared);
    return unknown(`${fields} compared in fewer than ${diffyRule.minPairs} pairs: ${shown}`, more);
  }
  const shallow = findShallow(paths, mapping, aggregate);
  const byValue = used.filter(({ evidence }) => !shallow.some(({ path }) => path === evidence));
  const seen = { pairs, gone: ofUsedFields(gone), varying: ofUsedFields(varying) };
  const agreement = describeAgreement(seen, shallow, byValue.length);
  const unseen =
    sampledFrom === undefined
      ? ""
      : `; what no ${nouns.one} of the sample has, at most ${formatCount(upperBound({ found: 0, compared: pairs, passports: sampledFrom }))} of ${formatCount(sampledFrom)} have (95 %, one-sided)`;
  return pass(`used fields, compared on ${dayText(atMs)}: ${agreement}${unseen}`);
}

/** Whether a difference affects a field: it is on the field, on an object around it, or on its whole endpoint. */
const affects = (differing: string, evidence: string, mapping: Mapping) =>
  isWithin(evidence, differing) || differing === `(${endpointOf(evidence, mapping)})`;

/** Whether a difference affects any of the used fields. */
export function affectsUsedField(
  differing: string,
  used: readonly { path: string }[],
  mapping: Mapping,
): boolean {
  return used.some(({ path }) => {
    const evidence = comparedPath(path, mapping);
    return evidence !== undefined && affects(differing, evidence, mapping);
  });
}

function endpointOf(path: string, { fields }: Mapping): string | undefined {
  const row = fields[path];
  return row && isMapped(row) ? row.endpoint : undefined;
}

/** The maximum share of requests that V2 may not answer usably. A 404 for somebody whom V1 knows is no use. */
const maxFailedShare = 0.01;

/** "with 503", "with no response": by status, or by the kind of outcome where there was none. */
function describeAnswer(what: string): string {
  const kind = outcomeKinds.find((one) => one === what);
  const label = kind === undefined ? what : labelOutcome({ kind });
  return label.startsWith("not requested") ? label : `with ${label}`;
}

export function judgeV2Health(facts: Facts): Judgement {
  const { parity } = facts;
  if (!parity) return noParity();
  const outdated = judgeOutdatedComparison(facts);
  if (outdated) return outdated;
  const { v2, shape } = parity.aggregate;
  if (!v2)
    return unknown(
      "the comparison did not count what V2 answered",
      "Compare again: `v1watch parity --json > parity.state.json`.",
    );
  const { sent, answered, usable, by } = v2;
  const statuses = Object.entries(by)
    .sort(([, a], [, b]) => b - a)
    .map(([what, times]) => `${formatCount(times)} ${describeAnswer(what)}`);
  const none = (count: number) => (count === 0 ? "none" : formatCount(count));
  const counts = answered === 0 ? "" : `, ${usable === sent ? "all" : none(usable)} of them usably`;
  if (sent < diffyRule.minPairs) {
    return unknown(
      `${plural(sent, "request was", "requests were")} sent to V2; at least ${diffyRule.minPairs} are needed`,
      `Compare more ${nouns.many}: \`v1watch parity\`.`,
    );
  }
  const breaches = Object.entries(shape);
  if (usable < (1 - maxFailedShare) * sent) {
    return fail({
      problem: `V2 answered ${none(answered)} of ${plural(sent, "request")}${counts}`,
      details: listSome(statuses),
      next: "Report the failures to V2's owner, and compare again once V2 is stable.",
    });
  }
  if (breaches.length > 0) {
    return fail({
      problem: `V2's responses violate its own shape in ${plural(breaches.length, "place")}`,
      details: listSome(breaches.map(([breach]) => breach)),
      next: "Report it to V2's owner, or correct the shape file that the mapping names.",
    });
  }
  return pass(
    `V2 answered ${formatCount(answered)} of ${plural(sent, "request")} on ${dayText(parity.atMs)}${counts} (${listSome(statuses)})`,
  );
}
