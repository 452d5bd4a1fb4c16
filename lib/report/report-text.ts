// A stranger's text, made harmless before it is kept; numbers as people read them.
import { describeDuration, plural } from "../assess/words.ts";
import { percent as percentOf } from "../migration/readiness-facts.ts";
import type { Report } from "../records/report.ts";

const maxLength = 600;

/** Control and direction codes and lone surrogates become a visible mark; the rest stays as it is. */
export function cleanText(text: string): string {
  const whole = text.slice(0, maxLength * 2).toWellFormed();
  const clean = whole.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, "\uFFFD");
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).toWellFormed()}…` : clean;
}

/** Every text of plain data; undefined members vanish, as in JSON. */
export function cleanTexts<T>(value: T): T {
  if (typeof value === "string") return cleanText(value) as T;
  if (Array.isArray(value)) return value.map(cleanTexts) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, cleanTexts(member)])) as T;
}

export const percent = (share: number | null) => (share === null ? "unknown" : percentOf(share));

export const milliseconds = (ms: number | null) =>
  ms === null ? "unknown" : ms < 10_000 ? `${Math.round(ms)} ms` : describeDuration(ms / 1000);

export const age = (seconds: number | null) => (seconds === null ? "unknown" : describeDuration(seconds));

/** 2026-11-15 03:40 */
export const minute = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)}`;

/** The first few names, and how many more. */
export function names(all: readonly string[], most = 3): string {
  const shown = all.slice(0, most).join(", ");
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}

/** With its space before it. A young calm is no contradiction: it is early. */
export function tellSureness({ level, confidence }: Report["timeLeft"]): string {
  if (level === "unknown") return "";
  const share = Math.round(100 * confidence);
  if (level !== "calm" || share >= 50) return ` Confidence ${share} %.`;
  return ` It is too early to be sure of that${share > 0 ? ` (confidence ${share} %)` : ""}.`;
}

/** Where the ledger of drift is empty: as documented only where there was data to compare. */
export function tellNoDrift({ health }: Report): string {
  const judged = health.reduce((sum, { judged = 0 }) => sum + judged, 0);
  if (judged === 0) return "Not known: no answer of these days brought data that could be compared.";
  const unseen = health.filter(({ judged = 0 }) => judged === 0).map(({ endpoint }) => endpoint);
  const rest = unseen.length > 0 ? ` Not known of ${unseen.join(", ")}: no data was seen there yet.` : "";
  return `As documented: no difference was ever seen in ${plural(judged, "answer")}.${rest}`;
}
