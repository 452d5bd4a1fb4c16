import { z } from "zod";

export const Social = z.object({
  source: z.string(),
  follower_count: z.string().nullable(),
  following_count: z.string().nullable(),
  profile_bio: z.string().nullish(),
});

export const PassportBody = z.object({
  passport: z.object({
    passport_id: z.number(),
    score: z.number().nullable(),
    passport_socials: z.array(Social).default([]),
  }),
});

export const Player = z.object({ score: z.number(), source: z.string() });

export type PassportBody = z.infer<typeof PassportBody>;
