// What the monitor of one machine remembers of the alarms about itself, from one start to the next.
import * as z from "zod";
import { alert } from "./alert.ts";

/** Also the first words of the ids of their incidents. */
export const ownAlarmNames = [
  "store-cannot-save",
  "checks-cannot-be-made",
  "checks-cannot-be-assessed",
  "store-displaced",
  "clock",
  "clock-of-v1",
] as const;
export type OwnAlarmName = (typeof ownAlarmNames)[number];

const ownAlarmState = z.strictObject({
  /** Ticks with bad evidence since the last good one, up to those that open it. */
  failures: z.int().nonnegative(),
  /** The latest bad evidence, in sentences. */
  lines: z.array(z.string().max(2_000)).max(10),
  /** When its incidents of the last day were opened. */
  openedMs: z.array(z.number()).max(10),
  /** The messages that not all receivers have accepted, and all of the incident that is open: with who accepted them. */
  messages: z.array(z.strictObject({ alert, accepted: z.array(z.string()) })).max(6),
});
export type OwnAlarmState = z.infer<typeof ownAlarmState>;

export const ownAlarmStates = z.partialRecord(z.enum(ownAlarmNames), ownAlarmState);
