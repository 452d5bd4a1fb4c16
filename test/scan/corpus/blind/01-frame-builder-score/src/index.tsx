import { Button, Frog } from 'frog'
import { getBestPassport } from './lib/talent.js'
import { describe, getUser } from './lib/neynar.js'
import { Box, Stat, Title } from './ui.js'

export const app = new Frog({
  title: 'Builder Score',
  basePath: '/api',
  hub: { apiUrl: 'https://hubs.airstack.xyz' },
})

app.frame('/', (c) =>
  c.res({
    action: '/score',
    image: (
      <Box>
        <Title>What is your builder score?</Title>
      </Box>
    ),
    intents: [<Button>Check mine</Button>],
  }),
)

app.frame('/score', async (c) => {
  const fid = c.frameData?.fid
  if (!fid) return c.error({ message: 'No fid' })

  const user = await getUser(fid)
  const passport = await getBestPassport(user.verified_addresses.eth_addresses)
  const score = passport?.score ?? 0
  const name = passport?.passport_profile?.display_name || user.username
  const level = score >= 120 ? 'Master' : score >= 60 ? 'Builder' : 'Newcomer'

  return c.res({
    image: (
      <Box>
        <Title>{name}</Title>
        <Stat label="Score" value={score} />
        <Stat label="Activity" value={passport?.activity_score ?? 0} />
        <Stat label="Identity" value={passport?.identity_score ?? 0} />
        <Stat label="Skills" value={passport?.skills_score ?? 0} />
        {passport?.human_checkmark && <span>✅ human</span>}
        <span>{describe(user)}</span>
        <span>{level}</span>
      </Box>
    ),
    intents: [
      <Button.Link href={`https://passport.talentprotocol.com/profile/${passport?.passport_id}`}>Open passport</Button.Link>,
      <Button.Reset>Back</Button.Reset>,
    ],
  })
})
