import type { KnownBlock } from '@slack/web-api'
import type { Passport, PassportList } from './passports'

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } })

export function searchBlocks({ passports, pagination }: PassportList): KnownBlock[] {
  if (!passports.length) return [section('_Nobody found._')]
  return [
    ...passports.slice(0, 5).map((p) =>
      section(
        [
          `*${p.passport_profile?.display_name ?? 'unnamed'}*`,
          p.human_checkmark && ':white_check_mark:',
          `score ${p.score}`,
          p.passport_profile?.tags?.map((t) => `\`${t}\``).join(' '),
        ]
          .filter(Boolean)
          .join(' '),
      ),
    ),
    { type: 'context', elements: [{ type: 'plain_text', text: `${pagination.total} in total` }] },
  ]
}

export function speakerBlocks(talk: { title: string; votes: number }, speaker: Passport | undefined, badges: string[]) {
  const blocks: KnownBlock[] = [section(`*${talk.title}* · ${talk.votes} votes`)]
  if (!speaker) return blocks
  const { passport_profile: profile, passport_socials: socials } = speaker
  if (profile?.bio) blocks.push(section(`> ${profile.bio}`))
  const links = socials.flatMap((s) => (s.profile_url ? [`<${s.profile_url}|${s.source}>`] : []))
  if (links.length) blocks.push(section(links.join(' | ')))
  if (badges.length) blocks.push(section(`:sports_medal: ${badges.join(', ')}`))
  return blocks
}
