import { AtpAgent } from '@atproto/api'
import { LabelerServer } from '@skyware/labeler'
import { Jetstream } from '@skyware/jetstream'
import PQueue from 'p-queue'
import WebSocket from 'ws'
import { config } from './config.js'
import { dossier } from './reputation.js'
import { evaluate, RULES } from './rules.js'

const agent = new AtpAgent({ service: 'https://public.api.bsky.app' })
const labeler = new LabelerServer({ did: config.LABELER_DID, signingKey: config.SIGNING_KEY })
const queue = new PQueue({ intervalCap: 2, interval: 1000 })
const current = new Map<string, Set<string>>()

async function relabel(did: string, wallet: string) {
  const { data: profile } = await agent.getProfile({ actor: did })
  const found = await dossier(wallet)
  const wanted = found ? evaluate(found, profile.handle) : new Set<string>()
  const had = current.get(did) ?? new Set<string>()

  for (const { label } of RULES) {
    if (wanted.has(label) && !had.has(label)) await labeler.createLabel({ uri: did, val: label })
    if (!wanted.has(label) && had.has(label)) await labeler.createLabel({ uri: did, val: label, neg: true })
  }
  current.set(did, wanted)
  console.info(`${profile.handle}: #${found?.passport.passport_id ?? '-'} ${[...wanted].join(' ')}`)
}

const jetstream = new Jetstream({ ws: WebSocket, wantedCollections: [config.WALLET_RECORD] })

jetstream.onCreate(config.WALLET_RECORD, (event) => {
  const { address } = event.commit.record as unknown as { address: string }
  void queue.add(() => relabel(event.did, address.toLowerCase())).catch((err) => console.error(event.did, err))
})

labeler.start(config.PORT, (err) => {
  if (err) throw err
  jetstream.start()
})
