// What the planner remembers of one installation, so that V1 is never asked too often.
import * as z from "zod";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { cases, outcomeKinds } from "./observation-words.ts";
import { maxRecent } from "./pace-bounds.ts";

const instantMs = z.int().nonnegative();
const count = z.int().nonnegative();

/** Why an endpoint is asked again soon: an outcome that is not ok, or what an ok one held. */
const suspicion = z.enum([...outcomeKinds, "drift", "notice"]).exclude(["ok"]);
export type Suspicion = z.infer<typeof suspicion>;

/** V1 answers; its answers fit its document. */
const goodNews = z.strictObject({ answers: z.literal(true).optional(), fits: z.literal(true).optional() });
export type GoodNews = z.infer<typeof goodNews>;
export type News = Partial<Record<EndpointId, GoodNews>>;

export const pace = z.strictObject({
  schema: z.literal("v1watch/pace/1"),
  /** Requests made, by month (UTC), such as 2026-11; a clock that jumps back finds its month again. */
  spent: z.record(z.string().regex(/^\d{4}-\d{2}$/), count),
  /** The latest requests, for the limit on bursts. */
  recent: z.array(z.strictObject({ atMs: instantMs, requests: count })).max(maxRecent),
  endpoints: z.partialRecord(
    z.enum(endpointIds),
    z.strictObject({
      lastMs: z.partialRecord(z.enum(cases), instantMs),
      /** From Retry-After. */
      notBeforeMs: instantMs.optional(),
      suspicion: z.strictObject({ why: suspicion, sinceMs: instantMs }).optional(),
      /** What CloudWatch has taken and need not hear again, for as long as it holds. */
      told: goodNews.optional(),
      /** When its prober last found nothing to ask; an answer is a sign of life as well. */
      idleMs: instantMs.optional(),
    }),
  ),
});
export type Pace = z.infer<typeof pace>;
