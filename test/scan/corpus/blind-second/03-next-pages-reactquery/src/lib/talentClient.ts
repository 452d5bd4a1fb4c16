import axios from 'axios'

export const talentClient = axios.create({
  baseURL: `${process.env.TALENT_HOST ?? 'https://api.talentprotocol.com'}/api/v1`,
  timeout: 8000,
  headers: { 'X-API-KEY': process.env.TALENT_API_KEY },
})
