const { App } = require('@slack/bolt')
const { slack, minScore } = require('./config')
const talent = require('./services/talent')
const pagerduty = require('./services/pagerduty')
const { personSection, socialsContext } = require('./blocks')

const app = new App(slack)

app.command('/oncall', async ({ command, ack, respond }) => {
  await ack()
  const [verb, ...rest] = command.text.split(' ')
  const arg = rest.join(' ')

  if (verb === 'who') {
    const people = await pagerduty.currentOnCall()
    return respond(people.map((p) => `${p.name} until ${p.until}`).join('\n'))
  }

  if (verb === 'find') {
    const people = await talent.findPeople(arg)
    const eligible = people.filter((p) => p.score >= minScore && !p.calculating_score)
    if (!eligible.length) return respond(`Nobody called ${arg} can take a shift.`)
    return respond({ blocks: eligible.slice(0, 5).map(personSection) })
  }

  try {
    const person = await talent.getPerson(arg)
    const ready = await talent.hasIncidentExperience(person)
    await respond({
      text: `${person.passport_profile.display_name} is ${ready ? '' : 'not '}ready for on-call`,
      blocks: [personSection(person), ...socialsContext(person)],
    })
  } catch (err) {
    await respond(`:warning: lookup failed (${err.message})`)
  }
})

app.action('ask_swap', async ({ action, body, ack, client }) => {
  await ack()
  const person = await talent.getPerson(action.value)
  await client.chat.postMessage({
    channel: body.user.id,
    text: `We will ask ${person.passport_profile['display_name']} at ${person.verified_wallets[0]}.`,
  })
})

app.start(process.env.PORT || 3000).then(() => console.log('oncall-swap is running'))
