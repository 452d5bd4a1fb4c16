import { createServer } from 'node:http'
import { createYoga } from 'graphql-yoga'
import { createContext } from './context'
import { builder } from './schema/builder'
import './schema/host'

const yoga = createYoga({ schema: builder.toSchema(), context: createContext, maskedErrors: true })

createServer(yoga).listen(4000, () => console.log('http://localhost:4000/graphql'))
