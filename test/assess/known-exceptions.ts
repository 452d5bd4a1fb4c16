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
  {
    mistake: /\[count\] ".* of \d of \d endpoints /,
    reason: "A subject that is too long gives the number of endpoints and not their names.",
  },
  {
    mistake: /\[date\].* was named by 1 checks/,
    reason: "A date counts as soon as two endpoints name it, and is then said of each of them.",
  },
  {
    mistake: /\[(?:instant|status)\] ".* from about /,
    reason: "Another cause is dated by the check after which it was decided, and named by its rule.",
  },
  {
    mistake: /\[cause\]|\[(?:scope|status|value)\] ".*\(changed\).* since about /,
    reason:
      "Where endpoints fail in several ways in turn, the cause is that of the latest three checks of them.",
  },
  {
    mistake: /\[since\]/,
    reason:
      "Where endpoints fail or announce one after the other, or a rate is open, an earlier bad check may be left out.",
  },
];

export const isKnown = (mistake: string): boolean => knownExceptions.some((one) => one.mistake.test(mistake));
