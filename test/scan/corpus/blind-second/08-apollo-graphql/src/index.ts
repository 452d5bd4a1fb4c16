import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { TalentAPI } from './datasources/TalentAPI'
import { resolvers } from './resolvers'
import { typeDefs } from './schema'

const server = new ApolloServer({ typeDefs, resolvers })

const { url } = await startStandaloneServer(server, {
  listen: { port: Number(process.env.PORT ?? 4000) },
  context: async () => ({ dataSources: { talent: new TalentAPI({ cache: server.cache }) } }),
})

console.log(`ready at ${url}`)
