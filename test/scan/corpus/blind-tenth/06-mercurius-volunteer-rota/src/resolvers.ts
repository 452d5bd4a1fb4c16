import type { IResolvers, MercuriusContext } from 'mercurius'
import type { Raw } from './datasources/passports'

export const resolvers: IResolvers = {
  Query: {
    volunteer: (_root, { wallet }, { passports }) => passports.byWallet(wallet),

    async volunteers(_root, args, { passports }) {
      const list = await passports.search(args.keyword, args.page ?? 1)
      const { total, current_page, last_page } = list.pagination
      return { items: list.passports, total, hasNext: current_page < last_page }
    },

    shifts: (_root, { week }, { db }) => db.many('select id, starts_at, wallet, score from shifts where week = $1', [week]),
  },

  Volunteer: {
    id: (v: Raw) => v.passport_id,
    name: (v: Raw) => v.passport_profile?.display_name ?? v.main_wallet,
    bio: ({ passport_profile }: Raw) => passport_profile?.bio,
    human: (v: Raw) => v.human_checkmark === true,
    wallets: (v: Raw) => v.verified_wallets ?? [],
    accounts: (v: Raw) => v.passport_socials ?? [],
  },

  Account: {
    network: (a: Raw) => a.source,
    url: (a: Raw) => a.profile_url,
    followers: (a: Raw) => (a.follower_count ? Number.parseInt(a.follower_count, 10) : null),
  },

  Certificate: {
    earnedOn: (c: Raw) => c.earned_at?.slice(0, 10),
  },

  Shift: {
    startsAt: (s: Raw) => s.starts_at.toISOString(),
    volunteer: (s: Raw, _args: unknown, { passports }) => (s.wallet ? passports.byWallet(s.wallet) : null),
  },
}

export const loaders = {
  Volunteer: {
    async certificates(queries: { obj: Raw }[], { passports }: MercuriusContext) {
      const lists = await passports.certificates(queries.map(({ obj }) => obj.passport_id))
      return lists.map((list) => list.filter((c) => c.max_score > 0).sort((a, b) => b.score - a.score))
    },
  },
}
