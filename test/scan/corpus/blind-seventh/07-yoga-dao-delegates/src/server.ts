import { createServer } from 'node:http'
import { createYoga } from 'graphql-yoga'
import { createTalent, type Talent } from './datasources/talent.js'
import { schema } from './schema.js'

export interface Context {
  talent: Talent
}

const yoga = createYoga<object, Context>({
  schema,
  context: () => ({
    talent: createTalent({ baseUrl: process.env.TALENT_URL!, apiKey: process.env.TALENT_KEY }),
  }),
})

createServer(yoga).listen(Number(process.env.PORT ?? 4000))
