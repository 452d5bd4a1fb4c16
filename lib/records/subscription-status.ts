// What the topic's subscriptions look like; those that are neither confirmed nor unconfirmed are missing.
import * as z from "zod";

export const subscriptionStatus = z.strictObject({
  /** When the subscriptions were listed. */
  at: z.iso.datetime(),
  /** How many the configuration asks for. */
  expected: z.int().nonnegative(),
  confirmed: z.int().nonnegative(),
  /** When a confirmed one was first seen: what was published before that reached nobody, as far as is known. */
  confirmedSince: z.iso.datetime().optional(),
  /** By protocol and a masked address, such as `email t***@example.com`. */
  unconfirmed: z.array(z.string()),
});
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;
