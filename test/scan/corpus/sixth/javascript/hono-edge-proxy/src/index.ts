import { Hono } from 'hono';
import { createClient, UpstreamError } from './client';

type Bindings = { BASE_URL: string; API_KEY: string; CACHE: KVNamespace };

const app = new Hono<{ Bindings: Bindings }>();

app.get('/people/:id', async (c) => {
  const client = createClient(c.env.BASE_URL, c.env.API_KEY);
  const { passport } = await client.getPassport(c.req.param('id'));
  const twitter = passport.passport_socials?.find((s: any) => s.source === 'twitter'); // read: passport.passport_socials, passport.passport_socials[].source
  return c.json({
    name: passport.passport_profile?.display_name, // read: passport.passport_profile.display_name
    avatar: twitter?.profile_image_url ?? null, // read: passport.passport_socials[].profile_image_url
    followers: Number(twitter?.follower_count ?? 0), // read: passport.passport_socials[].follower_count; hazard: fallback-default
    following: twitter ? +twitter.following_count : null, // read: passport.passport_socials[].following_count; hazard: fallback-default
    merged: passport.merged, // read: passport.merged
  });
});

app.get('/people/:id/badges', async (c) => {
  const client = createClient(c.env.BASE_URL, c.env.API_KEY);
  const { passport_credentials } = await client.getCredentials(c.req.param('id'));
  const badges = passport_credentials.filter(
    (item: any) => item.type !== 'active_wallet' && item.score > 0, // read: passport_credentials[].type, passport_credentials[].score
  );
  return c.json(badges.map((b: any) => ({ label: b.name, at: b.last_calculated_at }))); // read: passport_credentials[].name, passport_credentials[].last_calculated_at
});

app.get('/next/:id', async (c) => {
  const client = createClient(c.env.BASE_URL, c.env.API_KEY);
  const { profile } = await client.getProfile(c.req.param('id'));
  return c.json({ name: profile.display_name, bio: profile.bio, human: profile.human_checkmark });
});

app.get('/search', async (c) => {
  const client = createClient(c.env.BASE_URL, c.env.API_KEY);
  const { passports, pagination } = await client.listPassports(c.req.query('q') ?? ''); // read: pagination
  const hits = passports.map(({ passport_id, score }: any) => ({ passport_id, score })); // read: passports[].passport_id, passports[].score
  await c.env.CACHE.put('last-total', String(pagination.total)); // read: pagination.total
  return c.json(hits);
});

app.onError((err, c) => c.json({ error: err.message }, err instanceof UpstreamError ? 502 : 500));

export default app;
