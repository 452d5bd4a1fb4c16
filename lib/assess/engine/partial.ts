// Whether bad checks show a state of V1 ("down") or a rate of failures: a text claims a state only where nearly all are bad.

const enoughChecks = 10;
const nearlyAll = 0.9;

/** From ten checks on, a tenth of good ones is no state; of fewer checks, one good one. */
export const isPartial = ({ bad, total }: { bad: number; total: number }): boolean =>
  bad < (total < enoughChecks ? total : nearlyAll * total);
