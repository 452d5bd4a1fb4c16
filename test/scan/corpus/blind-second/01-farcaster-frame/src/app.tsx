/** @jsxImportSource frog/jsx */
import { Button, Frog } from 'frog'
import { getBestPassport } from './lib/talent'
import { getUser } from './lib/neynar'

export const app = new Frog({ title: 'Builder Score', basePath: '/api' })

const box = {
  display: 'flex',
  flexDirection: 'column' as const,
  background: '#111',
  color: 'white',
  width: '100%',
  height: '100%',
  padding: 48,
}

app.frame('/', (c) =>
  c.res({
    action: '/score',
    image: <div style={{ ...box, fontSize: 64 }}>What is your Builder Score?</div>,
    intents: [<Button value="check">Check mine</Button>],
  }),
)

app.frame('/score', async (c) => {
  const fid = c.frameData?.fid
  if (!fid) return c.error({ message: 'No fid in frame data' })

  const user = await getUser(fid)
  const passport = await getBestPassport(user.verified_addresses.eth_addresses)
  const score = passport?.score ?? 0
  const name = passport?.passport_profile?.display_name || user.display_name

  return c.res({
    action: '/',
    image: (
      <div style={box}>
        <div style={{ fontSize: 48 }}>{name}</div>
        <div style={{ fontSize: 24 }}>
          @{user.username} · {user.follower_count} followers
        </div>
        <div style={{ fontSize: 160 }}>{score}</div>
        {passport && (
          <div style={{ display: 'flex', fontSize: 32 }}>
            activity {passport.activity_score} · identity {passport.identity_score} · skills{' '}
            {passport.skills_score}
          </div>
        )}
        {passport?.human_checkmark ? <div style={{ fontSize: 32 }}>✅ human</div> : null}
      </div>
    ),
    intents: [
      <Button action="/">Back</Button>,
      passport && (
        <Button.Link href={`https://passport.talentprotocol.com/profile/${passport.passport_id}`}>
          Open passport
        </Button.Link>
      ),
    ],
  })
})
