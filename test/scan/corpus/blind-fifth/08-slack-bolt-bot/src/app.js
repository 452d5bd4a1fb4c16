import bolt from '@slack/bolt'
import { findPassport, listCredentials, searchPassports } from './passports.js'
import { passportBlocks, resultBlocks } from './blocks.js'

const app = new bolt.App({
  token: process.env.SLACK_BOT_TOKEN,
  signingSecret: process.env.SLACK_SIGNING_SECRET,
})

async function show(id, respond) {
  const passport = await findPassport(id)
  if (!passport) return respond(`I do not know a passport for \`${id}\``)
  const credentials = await listCredentials(passport.passport_id)
  return respond({ blocks: passportBlocks(passport, credentials), response_type: 'in_channel' })
}

app.command('/builder', async ({ command, ack, respond, logger }) => {
  await ack()
  const text = command.text.trim()
  try {
    if (/^0x[0-9a-f]{40}$/i.test(text) || /^\d+$/.test(text)) await show(text, respond)
    else await respond({ blocks: resultBlocks(await searchPassports(text), text) })
  } catch (error) {
    logger.error(error)
    await respond(':warning: the passport service does not answer right now')
  }
})

app.action('show_passport', async ({ action, ack, respond }) => {
  await ack()
  await show(action.value, respond)
})

app.event('member_joined_channel', async ({ event, client, logger }) => {
  const { user } = await client.users.info({ user: event.user })
  const wallet = user.profile.fields?.[process.env.WALLET_FIELD]?.value
  if (!wallet) return
  const passport = await findPassport(wallet).catch((e) => logger.warn(e))
  if (passport?.human_checkmark) {
    await client.chat.postMessage({
      channel: event.channel,
      text: `Welcome <@${event.user}>, builder score ${passport.score}!`,
    })
  }
})

await app.start(process.env.PORT || 3000)
