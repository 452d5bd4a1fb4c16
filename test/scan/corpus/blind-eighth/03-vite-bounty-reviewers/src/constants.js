export const API_URL = import.meta.env.VITE_TALENT_URL || 'https://api.talentprotocol.com/api/v1'
export const API_KEY = import.meta.env.VITE_TALENT_API_KEY
export const BOUNTIES_URL = import.meta.env.VITE_BOUNTIES_URL || 'http://localhost:4000'

export const MIN_SCORE = 40
