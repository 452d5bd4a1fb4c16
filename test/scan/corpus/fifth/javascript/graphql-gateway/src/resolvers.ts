import type { EventsSource, PassportSource } from "./sources";

type Ctx = { passports: PassportSource; events: EventsSource };

export const typeDefs = `#graphql
  type Builder { id: ID! score: Int displayName: String location: String wallets: [String!]! badges: [Badge!]! merged: Boolean }
  type Badge { id: ID! kind: String category: String points: Int text: String earnedAt: String }
  type Hit { id: ID! score: Int human: Boolean }
  type Attendance { name: String score: Int }
  type Query { builder(id: ID!): Builder search(keyword: String!): [Hit!]! attendance(wallet: String!): [Attendance!]! }
`;

export const resolvers = {
  Query: {
    builder: (_: unknown, { id }: { id: string }, ctx: Ctx) => ctx.passports.one(id),
    search: async (_: unknown, { keyword }: { keyword: string }, ctx: Ctx) => {
      const { passports } = await ctx.passports.search(keyword);
      return passports.map((hit: any) => ({
        id: hit.passport_id, // read: passports[].passport_id
        score: Math.round(hit.score), // read: passports[].score
        human: hit.human_checkmark, // read: passports[].human_checkmark
      }));
    },
    attendance: (_: unknown, { wallet }: { wallet: string }, ctx: Ctx) => ctx.events.attendance(wallet),
  },
  Builder: {
    id: (parent: any) => parent.passport_id, // read: passport.passport_id
    score: (parent: any) => parent.score, // read: passport.score
    displayName: (parent: any) => parent.passport_profile.display_name, // read: passport.passport_profile.display_name
    location: (parent: any) => parent.passport_profile.location, // read: passport.passport_profile.location
    wallets: (parent: any) => parent.verified_wallets, // read: passport.verified_wallets[]
    merged: (parent: any) => parent.merged, // read: passport.merged
    badges: (parent: any, _: unknown, ctx: Ctx) => ctx.passports.credentials(parent.passport_id), // read: passport.passport_id
  },
  Badge: {
    kind: (cred: any) => cred.type, // read: passport_credentials[].type
    points: (cred: any) => cred.score, // read: passport_credentials[].score
    text: (cred: any) => cred.value, // read: passport_credentials[].value
    earnedAt: (cred: any) => cred.earned_at, // read: passport_credentials[].earned_at
  },
  Attendance: {
    score: (row: any) => row.score ?? 0,
  },
};
