// A message that stays in the outbox until its receivers have accepted it.
import * as z from "zod";
import { alert } from "./alert.ts";

export const outboxMessage = z.strictObject({
  id: z.string(),
  kind: z.literal("alert"),
  alert,
});
export type OutboxMessage = z.infer<typeof outboxMessage>;
