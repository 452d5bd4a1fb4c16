declare global {
  interface Window {
    KIOSK: { talentHost: string; machineHost: string }
  }
}

const json = (r: Response) => r.json()

const endpoints = {
  member: (id: string) => `${window.KIOSK.talentHost}/api/v1/passports/${id}`,
  badges: (id: number) => `${window.KIOSK.talentHost}/api/v1/passport_credentials?passport_id=${id}`,
  machines: () => `${window.KIOSK.machineHost}/machines`,
}

const headers = { 'X-API-KEY': import.meta.env.VITE_TALENT_KEY }

export interface Badge {
  id: string
  name: string
  type: string
  value: string | null
  category: string
  last_calculated_at: string | null
}

export interface Member {
  passport_id: number
  skills_score: number
  activity_score: number
  verified_wallets: string[]
  passport_profile: { display_name: string; tags?: string[] }
}

export interface Machine {
  id: string
  name: string
  type: 'laser' | 'cnc' | 'printer'
  minSkill: number
  tag?: string
}

export async function fetchMember(id: string): Promise<Member | undefined> {
  const data = await fetch(endpoints.member(id), { headers }).then(json)
  return data.passport
}

export async function fetchBadges(member: Member): Promise<Badge[]> {
  const res = await fetch(endpoints.badges(member.passport_id), { headers })
  return res.ok ? (await res.json()).passport_credentials : []
}

export const fetchMachines = (): Promise<Machine[]> => fetch(endpoints.machines()).then(json)
