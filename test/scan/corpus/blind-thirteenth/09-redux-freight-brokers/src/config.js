const trim = (url) => url.replace(/\/+$/, '')

export const LOADS_URL = trim(import.meta.env.VITE_LOADS_URL || 'http://localhost:5050')
export const TALENT_URL = trim(import.meta.env.VITE_TALENT_URL || 'https://api.talentprotocol.com')
export const TALENT_KEY = import.meta.env.VITE_TALENT_KEY

export const ENDPOINTS = {
  loads: `${LOADS_URL}/api/v1/loads`,
  brokers: `${TALENT_URL}/api/v1/passports`,
  brokerCredentials: `${TALENT_URL}/api/v1/passport_credentials`,
}
