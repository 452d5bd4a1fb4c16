import { Agent } from '@xmtp/agent-sdk'
import { isAddress } from 'viem'
import { config } from './config'
import { longReport, shortReport } from './report'
import { SanctionsService } from './services/sanctions'
import { TalentService } from './services/talent'

const talent = new TalentService()
const sanctions = new SanctionsService()

type Handler = (address: string) => Promise<string>

const commands: Record<string, Handler> = {
  async check(address) {
    const [passport, listed] = await Promise.all([talent.passport(address), sanctions.isListed(address)])
    if (listed) return '⛔ This address is on a sanctions list. Do not trade.'
    const score = passport?.score ?? 0
    const verdict = score >= config.minScore ? 'Looks fine.' : `Below your limit of ${config.minScore}.`
    return passport ? `${shortReport(passport)}\n\n${verdict}` : `Nobody known here. ${verdict}`
  },

  async dossier(address) {
    const passport = await talent.passport(address)
    if (!passport) return 'Nobody known here.'
    const credentials = await talent.credentials(passport.passport_id, 'Identity')
    return longReport(passport, credentials)
  },

  async wallet(address) {
    const p = await talent.passport(address)
    return p?.main_wallet ? `Main wallet: ${p.main_wallet}` : 'No main wallet.'
  },
}

const agent = await Agent.createFromEnv({ env: config.xmtpEnv })

agent.on('text', async (ctx) => {
  const [name, address] = ctx.message.content.trim().replace(/^\//, '').split(/\s+/)
  const command = commands[name]
  if (!command || !isAddress(address ?? '')) {
    await ctx.sendText('Usage: /check 0x… | /dossier 0x… | /wallet 0x…')
    return
  }
  try {
    await ctx.sendText(await command(address))
  } catch (err) {
    console.error(name, address, err)
    await ctx.sendText('Something went wrong, try again in a minute.')
  }
})

agent.on('start', () => console.log(`agent up as ${agent.address}`))
await agent.start()
