import { Button, Frog, TextInput } from 'frog'
import { getPassport } from './lib/talent'
import { getUserByFid } from './lib/neynar'
import { ScoreCard } from './ui/ScoreCard'

export const app = new Frog({ title: 'Builder Score', basePath: '/api' })

app.frame('/', (c) =>
  c.res({
    image: <div style={{ color: 'white', fontSize: 60 }}>What is your Builder Score?</div>,
    intents: [
      <TextInput placeholder="wallet or passport id" />,
      <Button action="/score">Check mine</Button>,
    ],
  }),
)

app.frame('/score', async (c) => {
  const { frameData, inputText } = c
  const user = await getUserByFid(frameData?.fid ?? 1)
  const wallet = inputText || user.verified_addresses.eth_addresses[0]
  if (!wallet) {
    return c.res({ image: <div>No verified wallet</div>, intents: [<Button.Reset>Back</Button.Reset>] })
  }

  const passport = await getPassport(wallet)
  const score = passport?.score ?? 0
  const name = passport?.passport_profile?.display_name || user.display_name

  return c.res({
    image: <ScoreCard name={name} score={score} passport={passport} />,
    intents: [
      <Button.Link href={`https://passport.talentprotocol.com/profile/${passport?.passport_id ?? ''}`}>View</Button.Link>,
      <Button.Reset>Back</Button.Reset>,
    ],
  })
})
