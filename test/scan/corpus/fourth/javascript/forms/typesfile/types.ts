import { z } from "zod";
export const SocialSchema = z.object({ source: z.string(), follower_count: z.string(), profile_name: z.string() });
export const PassportSchema = z.object({ passport_id: z.number(), score: z.number(), activity_score: z.number(), passport_socials: z.array(SocialSchema) });
export type Passport = z.infer<typeof PassportSchema>;
export type Social = z.infer<typeof SocialSchema>;
