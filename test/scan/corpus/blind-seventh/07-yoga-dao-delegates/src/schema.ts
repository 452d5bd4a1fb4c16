import { createSchema } from 'graphql-yoga'
import { resolvers } from './resolvers.js'
import type { Context } from './server.js'

export const typeDefs = /* GraphQL */ `
  type Query {
    delegate(address: ID!): Delegate
    delegates(page: Int = 1, keyword: String): DelegatePage!
  }

  type Delegate {
    address: ID!
    name: String
    about: String
    home: String
    interests: [String!]!
    human: Boolean!
    score: Float!
    breakdown: Breakdown!
    calculatedAt: String
    github: Social
    reach: Int!
    credentials(category: String): [Credential!]!
    votes: [Vote!]!
  }

  type Breakdown { activity: Float! identity: Float! skills: Float! }
  type Social { handle: String url: String }
  type Credential {
    id: ID!
    name: String!
    kind: String!
    points: Float!
    value: String
  }
  type Vote { id: ID! weight: Float! title: String! }
  type DelegatePage { nodes: [Delegate!]! total: Int! hasNext: Boolean! }
`

export const schema = createSchema<Context>({ typeDefs, resolvers })
