// Figures and instants as the sections write them. Unknown is said, never left out.
import { percent as percentOf } from "../../text.ts";
import { describeDuration } from "../../time.ts";

export const percent = (share: number | null) => (share === null ? "unknown" : percentOf(share));

export const milliseconds = (ms: number | null) =>
  ms === null ? "unknown" : ms < 10_000 ? `${Math.round(ms)} ms` : describeDuration(ms / 1000);

export const age = (seconds: number | null) => (seconds === null ? "unknown" : describeDuration(seconds));
