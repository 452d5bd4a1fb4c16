import { z } from 'zod';

export const credentialSchema = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  category: z.string(),
  value: z.string().nullable(),
  earned_at: z.string().nullable(),
  score: z.number(),
  max_score: z.number(),
});

export const credentialsResponse = z.object({
  passport_credentials: z.array(credentialSchema),
});

export const passportResponse = z.object({
  passport: z.object({
    passport_id: z.number(),
    score: z.number().nullable(),
    verified_wallets: z.array(z.string()),
    last_calculated_at: z.string().nullable(),
    passport_profile: z.object({ display_name: z.string(), location: z.string().nullable() }),
  }),
});

export type Credential = z.infer<typeof credentialSchema>;
