import { Elysia, t } from "elysia";
import { swagger } from "@elysiajs/swagger";
import { getCredentials, getProfile, getScore, getSocials, UpstreamError } from "./talent";

const wallet = t.Object({ wallet: t.String({ pattern: "^0x[0-9a-fA-F]{40}$" }) });

export const app = new Elysia()
  .use(swagger())
  .onError(({ error, set }) => {
    if (error instanceof UpstreamError) {
      set.status = error.status === 404 ? 404 : 502;
      return { error: error.message };
    }
  })
  .get(
    "/passport/:wallet",
    async ({ params }) => {
      const [profile, score, socials] = await Promise.all([
        getProfile(params.wallet),
        getScore(params.wallet),
        getSocials(params.wallet),
      ]);
      return {
        passport_id: profile.id,
        display_name: profile.display_name ?? profile.name,
        human_checkmark: profile.human_checkmark,
        score: score.points,
        last_calculated_at: score.last_calculated_at,
        followers: socials.reduce((sum, s) => sum + (s.followers_count ?? 0), 0),
      };
    },
    { params: wallet }
  )
  .get(
    "/passport/:wallet/credentials",
    async ({ params }) => {
      const credentials = await getCredentials(params.wallet);
      return credentials.map((c) => ({
        type: c.slug,
        name: c.name,
        category: c.category,
        score: c.points,
        max_score: c.max_score,
        value: c.readable_value,
      }));
    },
    { params: wallet }
  );

if (import.meta.main) app.listen(Bun.env.PORT ?? 3000);
