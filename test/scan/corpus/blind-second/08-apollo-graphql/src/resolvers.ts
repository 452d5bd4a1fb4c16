import type { TalentAPI } from './datasources/TalentAPI'
import type { CredentialRecord, PassportRecord } from './records'

interface Context {
  dataSources: { talent: TalentAPI }
}

export const resolvers = {
  Query: {
    builder: (_: unknown, { id }: { id: string }, { dataSources }: Context) => dataSources.talent.passport(id),

    async builders(_: unknown, args: { keyword: string; page: number }, { dataSources }: Context) {
      const { passports, pagination } = await dataSources.talent.search(args.keyword, args.page)
      return {
        items: passports,
        total: pagination.total,
        hasMore: args.page < pagination.last_page,
      }
    },
  },

  Builder: {
    id: (p: PassportRecord) => p.passport_id,
    name: ({ passport_profile }: PassportRecord) => passport_profile?.display_name ?? 'Anonymous',
    bio: (p: PassportRecord) => p.passport_profile?.bio,
    location: (p: PassportRecord) => p.passport_profile?.location,
    builderScore: (p: PassportRecord) => Math.round(p.score ?? 0),
    human: (p: PassportRecord) => p.human_checkmark,
    wallets: (p: PassportRecord) => p.verified_wallets,
    breakdown: (p: PassportRecord) => ({
      activity: p.activity_score,
      identity: p.identity_score,
      skills: p.skills_score,
    }),
    followers(p: PassportRecord, { source }: { source: string }) {
      const social = p.passport_socials?.find((s) => s.source === source)
      return social?.follower_count ? Number(social.follower_count) : null
    },
    async achievements(p: PassportRecord, { category }: { category?: string }, { dataSources }: Context) {
      const list = await dataSources.talent.credentials(p.passport_id)
      return category ? list.filter((c) => c.category === category) : list
    },
  },

  Achievement: {
    // id comes from the default resolver
    title: (c: CredentialRecord) => c.name,
    progress: (c: CredentialRecord) => (c.max_score > 0 ? c.score / c.max_score : 0),
    earnedAt: (c: CredentialRecord) => c.earned_at,
    text: (c: CredentialRecord) => c.value,
  },
}
