// What the auditor finds in the texts as they are, and does not report.

/** Claims of today's texts that do not hold, and why. Remove a row with the fault that it is about. */
const knownExceptions: readonly { mistake: RegExp; reason: string }[] = [
  {
    mistake: /each endpoint from its first bad one to its last/,
    reason:
      "An incident counts each endpoint from its first bad check to its last, and names one window for all.",
  },
  {
    mistake: /\[count\] "[\d,]+ of [\d,]+ checks? of .* (?:had a Sunset header|announced it|failed) /,
    reason: "What comes and goes: the counts of endpoints that were part of it before are kept or lost.",
  },
  // Until dates, scopes and ends are confirmed by endpoint.
  {
    mistake: /\[date\]/,
    reason: "A date is that of the latest response of one endpoint, told for all of them.",
  },
  {
    mistake: /\[scope\] ".* ends (?:in|to)/,
    reason: "The countdown names endpoints that announced nothing.",
  },
  { mistake: /\[duration\].*was bad for/, reason: "Endpoints that recovered earlier are in the duration." },
  // Until a cause and a state are carried by nine tenths of the checks.
  { mistake: /\[cause\]/, reason: "A state is said where the checks show a rate, or several causes." },
  {
    mistake: /\[(?:scope|since|status|value)\] ".*\(changed\).*|\[(?:instant|status)\] ".* from about /,
    reason: "Another cause is dated by the check after which it was decided, and named by its rule.",
  },
  { mistake: /has lasted since/, reason: "It is said from the first endpoint on that is bad for long." },
];

export const isKnown = (mistake: string): boolean => knownExceptions.some((one) => one.mistake.test(mistake));
