// The gates that a comparison answers: V2 agrees on what is used, and V2 answered while it was asked.

import { isMapped } from "../../mapping/fields.ts";
import { type Difference, diffyRule, judgeParity } from "../../parity/judge.ts";
import type { Mapping } from "../../records/mapping.ts";
import {
  describeShallow,
  type Facts,
  findOutdatedReason,
  findShallow,
  type Judgement,
  listSome,
  pass,
  percent,
  plural,
  unknown,
} from "../facts.ts";
import { fieldsInUse } from "./mapping.ts";
import { isWithin } from "./usage.ts";

const noParity = () =>
  unknown("V2's answers were not compared yet", "Run `v1watch parity --json > parity.state.json`.");

function judgeDoubt(facts: Facts): Judgement | undefined {
  const doubt = findOutdatedReason(facts);
  return doubt === undefined
    ? undefined
    : unknown(doubt, "Compare anew: `v1watch parity --json > parity.state.json`.");
}

/**
 * Where the evidence for a used field is. V1's list has no pair of its own: its records are the single
 * passport's, as long as both go to the same place in V2.
 */
function comparedPath(path: string, { fields }: Mapping): string | undefined {
  const row = fields[path];
  if (!row || !isMapped(row)) return undefined;
  if (!path.startsWith("passports[].")) return path.startsWith("pagination.") ? undefined : path;
  const single = path.replace("passports[].", "passport.");
  const twin = fields[single];
  const isSame = twin && isMapped(twin) && twin.endpoint === row.endpoint && twin.path === row.path;
  return isSame ? single : undefined;
}

const tell = ({ path, kind, rawRate }: Difference) => `${path}: ${kind} differs in ${percent(rawRate)}`;

/** A field that was dropped, or that has no pair, is a person's decision; one without a decision is not. */
function judgeUncompared(facts: Facts, { fields }: Mapping): Judgement {
  const inUse = fieldsInUse(facts).map(({ path }) => path);
  const open = inUse.filter((path) => (fields[path]?.decision ?? "undecided") === "undecided");
  if (open.length > 0) {
    return unknown(
      `${plural(open.length, "used field")} undecided, so nothing could be compared: ${listSome(open)}`,
      "Decide where they go in V2: `v1watch migrate coverage` lists them.",
    );
  }
  if (inUse.length === 0) return pass("no field of V1 is used any more");
  return pass(`none of ${plural(inUse.length, "used field")} has a pair in V2 to compare with`);
}

export function judgeAgreement(facts: Facts): Judgement {
  const { parity, mapping } = facts;
  if (!parity) return noParity();
  if (!mapping) return unknown("there is no mapping to compare by", "Begin one: `v1watch migrate init`.");
  const doubt = judgeDoubt(facts);
  if (doubt) return doubt;
  const used = fieldsInUse(facts).flatMap((field) => {
    const evidence = comparedPath(field.path, mapping.parsed);
    return evidence === undefined ? [] : [{ ...field, evidence }];
  });
  if (parity.aggregate.pairs === 0) {
    return unknown(
      "no passport was compared yet",
      "Compare some: `v1watch parity --cohort FILE --resume FILE`.",
    );
  }
  if (used.length === 0) return judgeUncompared(facts, mapping.parsed);
  const verdict = judgeParity(parity.aggregate);
  const touches = ({ path }: Difference, evidence: string) => concerns(path, evidence, mapping.parsed);
  const differing = verdict.differences.filter((difference) =>
    used.some(({ evidence }) => touches(difference, evidence)),
  );
  const hit = used.filter(({ evidence }) => differing.some((difference) => touches(difference, evidence)));
  if (differing.length > 0) {
    return {
      state: "fail",
      evidence: [
        `${hit.length} of ${used.length} comparable used fields differ in ${plural(verdict.pairs, "pair")}: ${listSome(differing.map(tell), 3)}`,
      ],
      next: `Find out why ${differing[0]?.path} differs: correct its row, or ask V2's owner.`,
      owners: hit.flatMap(({ owners }) => owners),
      places: hit.flatMap(({ places }) => places.slice(0, 1)),
    };
  }
  const unsure = verdict.unsure.filter((difference) =>
    used.some(({ evidence }) => touches(difference, evidence)),
  );
  if (unsure.length > 0) {
    return unknown(
      `${listSome(unsure.map(tell), 3)}: so seldom that it could be chance`,
      "Compare more passports: `v1watch parity --cohort FILE --resume FILE`.",
    );
  }
  const thin = [
    ...new Set(
      used
        .map(({ evidence }) => evidence)
        .filter((path) => (parity.aggregate.fields[path]?.compared ?? 0) < diffyRule.minPairs),
    ),
  ];
  if (thin.length > 0) {
    return {
      ...unknown(
        `${plural(thin.length, "used field")} compared in fewer than ${diffyRule.minPairs} pairs: ${listSome(thin)}`,
        "Compare more passports: `v1watch parity --cohort FILE --resume FILE`.",
      ),
    };
  }
  const shallow = findShallow(
    used.map(({ evidence }) => evidence),
    mapping.parsed,
  );
  return pass(
    `${plural(used.length, "used field agrees", "used fields agree")} in ${plural(verdict.pairs, "pair")}, noise aside${describeShallow(shallow)}`,
  );
}

/** Whether what differs there differs for whoever reads this field: it is the same, holds it, or answers it. */
const concerns = (differing: string, evidence: string, mapping: Mapping) =>
  isWithin(evidence, differing) || differing === `(${endpointOf(evidence, mapping)})`;

/** Whether a difference is one of a field in use. */
export function isInUse(differing: string, used: readonly { path: string }[], mapping: Mapping): boolean {
  return used.some(({ path }) => {
    const evidence = comparedPath(path, mapping);
    return evidence !== undefined && concerns(differing, evidence, mapping);
  });
}

function endpointOf(path: string, { fields }: Mapping): string | undefined {
  const row = fields[path];
  return row && isMapped(row) ? row.endpoint : undefined;
}

/** Of the passports that were asked for; more is not healthy. */
const maxFailedShare = 0.01;

export function judgeHealth(facts: Facts): Judgement {
  const { parity } = facts;
  if (!parity) return noParity();
  const doubt = judgeDoubt(facts);
  if (doubt) return doubt;
  const { aggregate } = parity;
  const failures = Object.entries(aggregate.skipped).filter(([why]) => why.startsWith("v2 "));
  const failed = failures.reduce((sum, [, times]) => sum + times, 0);
  const asked = aggregate.pairs + failed;
  if (asked < diffyRule.minPairs) {
    return unknown(
      `V2 was asked for ${plural(asked, "passport")}, ${diffyRule.minPairs} are needed`,
      "Compare more passports: `v1watch parity`.",
    );
  }
  const breaches = Object.entries(aggregate.shape);
  const reasons = failures.sort(([, a], [, b]) => b - a).map(([why, times]) => `${why.slice(3)} ${times}×`);
  if (failed / asked > maxFailedShare) {
    return {
      state: "fail",
      evidence: [`V2 failed for ${failed} of ${plural(asked, "passport")}: ${listSome(reasons)}`],
      next: "Tell V2's owner, wait until it is stable, and compare again.",
    };
  }
  if (breaches.length > 0) {
    return {
      state: "fail",
      evidence: [
        `V2 breaks its own shape in ${plural(breaches.length, "place")}: ${listSome(breaches.map(([breach]) => breach))}`,
      ],
      next: "Tell V2's owner, or correct the shape that the mapping names.",
    };
  }
  return pass(`V2 answered for ${asked - failed} of ${plural(asked, "passport")}`);
}
