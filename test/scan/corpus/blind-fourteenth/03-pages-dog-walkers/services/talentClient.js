import axios from 'axios'

const talentClient = axios.create({
  baseURL: process.env.TALENT_BASE_URL || 'https://api.talentprotocol.com/api/v1',
  timeout: 8000,
  headers: { 'X-API-KEY': process.env.TALENT_API_KEY },
})

export const fetchPassport = async (walletAddress) => {
  const { data } = await talentClient.get(`/passports/${walletAddress}`)
  return data.passport
}

export const fetchCredentials = async (passportId) => {
  const response = await talentClient.get('/passport_credentials', {
    params: { passport_id: passportId },
  })
  return response.data.passport_credentials || []
}

export default talentClient
