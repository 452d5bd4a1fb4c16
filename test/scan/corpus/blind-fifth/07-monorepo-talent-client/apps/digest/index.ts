import { createTalentClient, type Passport } from '@guild/talent-client'
import { WebClient } from '@slack/web-api'

const talent = createTalentClient({ baseUrl: process.env.TALENT_URL!, apiKey: process.env.TALENT_KEY })
const slack = new WebClient(process.env.SLACK_TOKEN)
const WEEK = 7 * 24 * 3600 * 1000

async function main() {
  const members: Passport[] = []
  for await (const p of talent.passports('guild')) {
    const tags = p.passport_profile?.tags ?? []
    if (tags.includes('guild-member')) members.push(p)
    if (members.length >= 100) break
  }

  const fresh = members.filter((m) => m.last_calculated_at && Date.now() - Date.parse(m.last_calculated_at) < WEEK)
  const active = fresh.toSorted((a, b) => b.activity_score - a.activity_score).slice(0, 5)
  const lines = active.map((m, i) => `${i + 1}. ${m.passport_profile?.display_name} (${m.activity_score})`)

  await slack.chat.postMessage({ channel: '#guild', text: ['*Most active this week*', ...lines].join('\n') })
}

main().catch((e) => {
  console.error(e)
  process.exit(1)
})
