export const typeDefs = `#graphql
  type Query {
    builder(id: ID!): Builder
    builders(keyword: String!, page: Int = 1): BuilderPage!
  }

  type BuilderPage {
    items: [Builder!]!
    total: Int!
    hasMore: Boolean!
  }

  type Builder {
    id: ID!
    name: String!
    bio: String
    location: String
    builderScore: Int!
    human: Boolean!
    wallets: [String!]!
    breakdown: Breakdown!
    followers(source: String!): Int
    achievements(category: String): [Achievement!]!
  }

  type Breakdown {
    activity: Float!
    identity: Float!
    skills: Float!
  }

  type Achievement {
    id: ID!
    title: String!
    progress: Float!
    earnedAt: String
    text: String
  }
`
