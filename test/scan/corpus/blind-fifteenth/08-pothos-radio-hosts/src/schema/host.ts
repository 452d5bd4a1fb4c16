import type { Show } from '../sources/schedule'
import type { CredentialRecord, HostRecord, SocialRecord } from '../sources/talent'
import { builder } from './builder'

const ShowRef = builder.objectRef<Show>('Show').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    category: t.exposeString('category'),
    rating: t.exposeFloat('score'),
  }),
})

const SocialRef = builder.objectRef<SocialRecord>('Social').implement({
  fields: (t) => ({
    network: t.exposeString('source'),
    handle: t.exposeString('profile_name', { nullable: true }),
    url: t.string({ nullable: true, resolve: (social) => social.profile_url }),
    followers: t.int({ resolve: (social) => parseInt(social.follower_count ?? '0', 10) }),
  }),
})

const CredentialRef = builder.objectRef<CredentialRecord>('Credential').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    category: t.exposeString('category'),
    value: t.exposeString('value', { nullable: true }),
    completion: t.float({ resolve: (c) => (c.max_score ? c.score / c.max_score : 0) }),
  }),
})

export const HostRef = builder.objectRef<HostRecord>('Host').implement({
  fields: (t) => ({
    id: t.id({ resolve: (host) => String(host.passport_id) }),
    name: t.string({ resolve: ({ passport_profile, passport_id }) => passport_profile.display_name ?? `Host ${passport_id}` }),
    bio: t.string({ nullable: true, resolve: (host) => host.passport_profile.bio }),
    genres: t.stringList({ resolve: (host) => host.passport_profile.tags }),
    score: t.exposeFloat('score'),
    skills: t.exposeFloat('skills_score'),
    connections: t.exposeInt('connections_count', { nullable: true }),
    human: t.exposeBoolean('human_checkmark'),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: (host) => (host.last_calculated_at ? new Date(host.last_calculated_at) : null),
    }),
    socials: t.field({
      type: [SocialRef],
      resolve: async (host, _args, ctx) =>
        host.passport_socials ?? (await ctx.hosts.load(String(host.passport_id))).passport_socials ?? [],
    }),
    credentials: t.field({
      type: [CredentialRef],
      resolve: (host, _args, { talent }) => talent.credentials(host.passport_id),
    }),
    shows: t.field({ type: [ShowRef], resolve: (host, _args, ctx) => ctx.schedule.showsByHost(host.passport_id) }),
  }),
})

const HostPage = builder.objectRef<{ items: HostRecord[]; total: number; next: number | null }>('HostPage').implement({
  fields: (t) => ({
    items: t.field({ type: [HostRef], resolve: (page) => page.items }),
    total: t.exposeInt('total'),
    next: t.exposeInt('next', { nullable: true }),
  }),
})

builder.queryFields((t) => ({
  host: t.field({
    type: HostRef,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => ctx.hosts.load(String(id)).catch(() => null),
  }),
  hosts: t.field({
    type: HostPage,
    args: { keyword: t.arg.string(), page: t.arg.int({ defaultValue: 1 }), minActivity: t.arg.float() },
    resolve: async (_root, args, ctx) => {
      const { passports, pagination } = await ctx.talent.search(args.keyword, args.page ?? 1)
      const { current_page: current, last_page: last, total } = pagination
      return {
        items: passports.filter((p) => p.activity_score >= (args.minActivity ?? 0)),
        total,
        next: current < last ? current + 1 : null,
      }
    },
  }),
}))
