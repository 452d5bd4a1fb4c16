import type { Credential, Passport } from './datasources/talent.schemas.js'
import { votesOf, type Vote } from './datasources/snapshot.js'
import type { Context } from './server.js'

const SPACE = process.env.SNAPSHOT_SPACE ?? 'builders.eth'

export const resolvers = {
  Query: {
    delegate: (_: unknown, { address }: { address: string }, { talent }: Context) =>
      talent.passports.load(address.toLowerCase()),

    delegates: async (_: unknown, args: { page: number; keyword?: string }, { talent }: Context) => {
      const { passports, pagination } = await talent.list(args.page, args.keyword)
      return {
        nodes: passports.filter((p) => p.verified_wallets.length > 0),
        total: pagination.total,
        hasNext: pagination.current_page < pagination.last_page,
      }
    },
  },

  Delegate: {
    address: (p: Passport) => p.verified_wallets[0] ?? String(p.passport_id),
    name: (p: Passport) => p.passport_profile?.display_name,
    about: (p: Passport) => p.passport_profile?.bio,
    home: ({ passport_profile }: Passport) => passport_profile?.location,
    interests: (p: Passport) => p.passport_profile?.tags ?? [],
    human: (p: Passport) => p.human_checkmark === true,
    breakdown: (p: Passport) => ({
      activity: p.activity_score,
      identity: p.identity_score,
      skills: p.skills_score,
    }),
    calculatedAt: (p: Passport) => p.last_calculated_at,
    github: async (p: Passport, _: unknown, ctx: Context) => {
      const full = await complete(p, ctx)
      const found = full?.passport_socials?.find((s) => s.source === 'github')
      return found && { handle: found.profile_name, url: found.profile_url }
    },
    reach: async (p: Passport, _: unknown, ctx: Context) => {
      const full = await complete(p, ctx)
      return (full?.passport_socials ?? []).reduce((sum, s) => sum + s.follower_count, 0)
    },
    credentials: async (p: Passport, { category }: { category?: string }, { talent }: Context) => {
      const all = await talent.credentials.load(p.passport_id)
      return category ? all.filter((c) => c.category === category) : all
    },
    votes: (p: Passport) => Promise.all(p.verified_wallets.map((w) => votesOf(w, SPACE))).then((v) => v.flat()),
  },

  Credential: {
    kind: (c: Credential) => c.type.replaceAll('_', ' '),
    points: (c: Credential) => c.score,
  },

  Vote: {
    weight: (v: Vote) => v.vp,
    title: (v: Vote) => v.proposal.title,
  },
}

/** List records come without socials; the single one is loaded when they are asked for. */
async function complete(p: Passport, { talent }: Context): Promise<Passport | null> {
  if (p.passport_socials) return p
  return talent.passports.load(p.verified_wallets[0]).catch(() => null)
}
