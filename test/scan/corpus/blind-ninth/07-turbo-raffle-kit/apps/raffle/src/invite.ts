import { createStanding } from '@raffle/standing'

const standing = createStanding({ apiKey: process.env.TALENT_API_KEY! })

export async function inviteList(keyword: string, limit: number) {
  const wallets: string[] = []
  console.log(`${await standing.count(keyword)} people match "${keyword}"`)
  for await (const { score, main_wallet, human_checkmark: human } of standing.all(keyword)) {
    if (human && score >= 30 && main_wallet) wallets.push(main_wallet)
    if (wallets.length === limit) break
  }
  return wallets
}
