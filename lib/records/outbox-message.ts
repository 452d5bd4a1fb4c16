// A message that stays in the outbox until its receivers have accepted it.
import * as z from "zod";
import { storedAlert } from "./alert.ts";
import { metricPoint } from "./metric-point.ts";

const id = z.string();

export const outboxMessage = z.discriminatedUnion("kind", [
  z.strictObject({ id, kind: z.literal("alert"), alert: storedAlert }),
  z.strictObject({ id, kind: z.literal("metrics"), points: z.array(metricPoint) }),
]);
export type OutboxMessage = z.infer<typeof outboxMessage>;
