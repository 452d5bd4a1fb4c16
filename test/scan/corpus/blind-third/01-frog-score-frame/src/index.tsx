import { Button, Frog } from 'frog'
import { getBestPassport } from './lib/talent'
import { getFarcasterUser } from './lib/neynar'

export const app = new Frog({ title: 'Builder Score', basePath: '/api' })

const box = { display: 'flex', flexDirection: 'column', color: 'white', fontSize: 48, padding: 60 } as const

app.frame('/', (c) =>
  c.res({
    image: <div style={{ ...box, background: '#111' }}>What is your Builder Score?</div>,
    intents: [<Button action="/score">Check</Button>],
  }),
)

app.frame('/score', async (c) => {
  const fid = c.frameData?.fid
  if (!fid) return c.error({ message: 'Missing fid' })

  const user = await getFarcasterUser(fid)
  const passport = await getBestPassport(user.verified_addresses.eth_addresses)

  if (!passport) {
    return c.res({
      image: <div style={{ ...box, background: '#111' }}>No passport yet, @{user.username}</div>,
      intents: [<Button.Link href="https://passport.talentprotocol.com">Create one</Button.Link>],
    })
  }

  const name = passport.passport_profile?.display_name || user.display_name
  const { activity_score, identity_score, skills_score } = passport

  return c.res({
    image: (
      <div style={{ ...box, background: passport.human_checkmark ? '#0a5' : '#333' }}>
        <span>{name}</span>
        <span>{user.follower_count} followers</span>
        <span>Builder Score {passport.score}</span>
        <span>
          activity {activity_score} / identity {identity_score} / skills {skills_score}
        </span>
      </div>
    ),
    intents: [
      <Button.Link href={`https://passport.talentprotocol.com/profile/${passport.passport_id}`}>Open</Button.Link>,
    ],
  })
})
