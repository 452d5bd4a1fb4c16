import 'dotenv/config'
import { App } from '@slack/bolt'
import { searchBlocks, speakerBlocks } from './blocks'
import { PassportDirectory } from './passports'
import { addTalk, nextTalk } from './store'

const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  appToken: process.env.SLACK_APP_TOKEN,
  socketMode: true,
})
const directory = new PassportDirectory()

app.command('/find-speaker', async ({ ack, command, respond }) => {
  await ack()
  const result = await directory.search(command.text.trim())
  await respond({ blocks: searchBlocks(result) })
})

app.command('/submit-talk', async ({ ack, command, respond, client }) => {
  await ack()
  const [wallet, ...words] = command.text.split(/\s+/)
  const speaker = await directory.byWallet(wallet)
  const score = speaker?.score ?? 0
  addTalk(words.join(' '), wallet, score)
  const { user } = await client.users.info({ user: command.user_id })
  const name = speaker?.passport_profile?.display_name || user?.profile?.display_name
  await respond(`Thanks ${name}, your talk is in the pool${score < 20 ? ' and waits for a review' : ''}.`)
})

app.message(/^next talk$/i, async ({ say }) => {
  const talk = nextTalk()
  if (!talk) return void (await say('The pool is empty.'))
  const speaker = await directory.byWallet(talk.speaker_wallet)
  const badges = speaker ? await directory.badges(speaker.passport_id) : []
  const shown = badges.filter((b) => b.type !== 'active_wallet').map((b) => b.value ?? b.name)
  await say({ text: talk.title, blocks: speakerBlocks(talk, speaker, shown) })
})

await app.start()
app.logger.info('lightning talks bot is up')
