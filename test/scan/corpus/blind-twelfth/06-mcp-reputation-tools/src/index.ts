#!/usr/bin/env node
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { config } from './config.js'
import { describeCredentials, describePassport } from './format.js'
import { talent } from './talent.js'

const server = new McpServer({ name: 'reputation-tools', version: '0.3.0' })

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

async function resolveEns(name: string): Promise<string> {
  if (!name.endsWith('.eth')) return name
  const res = await fetch(`${config.ENS_API_BASE}/${name}`)
  if (!res.ok) throw new Error(`could not resolve ${name}`)
  const body = (await res.json()) as { address: string }
  return body.address
}

server.tool('get_reputation', 'Reputation of a wallet or ENS name', { who: z.string() }, async ({ who }) => {
  const passport = await talent.passport(await resolveEns(who))
  return text(describePassport(passport))
})

server.tool('get_credentials', 'Credentials behind a score', { who: z.string() }, async ({ who }) => {
  const passport = await talent.passport(await resolveEns(who))
  const credentials = await talent.credentials(String(passport.passport_id))
  return text(describeCredentials(credentials) || 'No credentials.')
})

server.tool('search_people', 'Search people by name', { name: z.string().min(2) }, async ({ name }) => {
  const { passports, pagination } = await talent.search(name)
  const lines = passports.map((p) => `${p.passport_profile?.display_name ?? p.passport_id}: ${p.score}`)
  return text([`${pagination.total} matches`, ...lines].join('\n'))
})

await server.connect(new StdioServerTransport())
