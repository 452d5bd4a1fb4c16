// A part of the assessment that throws is reported with its name and that of the error, and every other part goes on.

/** The names of the errors by the part that threw, such as `{ sunset: "TypeError" }`. */
export type FailedParts = Record<string, string>;

/** The text of an error may quote what V1 sent: only its name is kept. */
const nameOf = (error: unknown) =>
  (error instanceof Error ? error.name : typeof error).replace(/\W/g, "").slice(0, 40) || "Error";

/** What the work returns; where it throws, `otherwise`, and the failure is noted. */
export function isolate<T>(failed: FailedParts, part: string, work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    failed[part] = nameOf(error);
    return otherwise;
  }
}

/** "sunset (TypeError), slow (RangeError)" */
export const listFailed = (failed: FailedParts): string =>
  Object.entries(failed)
    .map(([part, error]) => `${part} (${error})`)
    .sort()
    .join(", ");
