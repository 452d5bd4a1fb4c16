import { z } from "zod";

export const passportReply = z.object({
  passport: z.object({
    passport_id: z.number(),
    score: z.number().nullable(),
    calculating_score: z.boolean(),
    last_calculated_at: z.string().nullable(),
    passport_socials: z
      .array(z.object({ source: z.string(), follower_count: z.string().nullable(), following_count: z.string().nullable() }))
      .default([]),
  }),
});

export const jobData = z.object({ userId: z.string(), wallet: z.string(), score: z.number().optional() });
