export const API_URL = 'https://api.talentprotocol.com/api/v1'
export const PASSPORTS_URL = `${API_URL}/passports`
export const CREDENTIALS_URL = `${API_URL}/passport_credentials`

export const headers = () => ({ 'X-API-KEY': process.env.TALENT_API_KEY })

export const WEIGHTS = { Activity: 1, Identity: 2, Skills: 3 }
