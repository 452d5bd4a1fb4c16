const TALENT_URL = 'https://api.talentprotocol.com/api/v1/passports'
const CREDENTIALS_URL = 'https://api.talentprotocol.com/api/v1/passport_credentials'

const headers = { 'X-API-KEY': process.env.TALENT_API_KEY as string }

export const talent = (address: string) =>
  fetch(`${TALENT_URL}/${address}`, { headers }).then((r) => r.json())

export const talentCredentials = async (address: string) => {
  const res = await fetch(`${CREDENTIALS_URL}?passport_id=${address}`, { headers })
  return res.ok ? (await res.json()).passport_credentials : []
}

export const ensName = async (address: string): Promise<string | null> => {
  const res = await fetch(`https://api.ensdata.net/${address}`)
  if (!res.ok) return null
  const { ens_primary } = await res.json()
  return ens_primary ?? null
}
