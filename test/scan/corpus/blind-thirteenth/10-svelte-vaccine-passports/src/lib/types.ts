export interface VaccinePassport {
  passport_id: string
  holder: { display_name: string; location: string; born_on: string }
  score: number
  issued_at: string
  credentials: { id: string; type: 'qr' | 'paper'; earned_at: string }[]
}

export interface Dose {
  id: string
  name: string
  category: 'routine' | 'travel' | 'booster'
  value: string
  given_at: string
}
