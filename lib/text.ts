// Numbers and lists as people read them.

/** With commas. Written here, because the first use of Intl takes a function as long as a third of its start. */
export const formatCount = (number: number) =>
  Number.isSafeInteger(number)
    ? String(number).replace(/\B(?=(?:\d{3})+$)/g, ",")
    : number.toLocaleString("en-US");

/** "1 check", "1,200 checks". */
export const plural = (number: number, one: string, many = `${one}s`) =>
  `${formatCount(number)} ${number === 1 ? one : many}`;

/** A package in the root of what was scanned has no name of its own. */
export const packageName = (name: string) => (name === "." || name === "" ? "the scanned project" : name);

/** A sentence that begins with a text in lower case. */
export const capitalise = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** One word of a shell's command, whatever it holds. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same, without quotes where a shell takes the text as it is. */
export const shellWord = (text: string) => (/^[\w./:@%+,=-]+$/.test(text) ? text : shellQuoted(text));

/** 0.05 → "5 %", 0.9991 → "99.91 %". Only exactly 0 and 1 are shown as 0 % and 100 %. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value === 0 || value === 100) return `${value} %`;
  const digits = value > 99 || value < 1 ? 2 : 1;
  return `${Number(Math.min(99.99, Math.max(0.01, value)).toFixed(digits))} %`;
}

/** "a", "a and b", "a, b and c" */
export const listAll = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

/** The first items and the number of the others: "a, b and 3 more". */
export function listSome(items: readonly string[], max = 4): string {
  const shown = items.slice(0, max).join(", ");
  return items.length > max ? `${shown} and ${items.length - max} more` : shown;
}
