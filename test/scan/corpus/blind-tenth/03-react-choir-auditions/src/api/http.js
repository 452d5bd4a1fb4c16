import axios from 'axios'

export const backend = axios.create({ baseURL: '/backend' })

export const talent = axios.create({
  baseURL: 'https://api.talentprotocol.com/api/v1/',
  timeout: 8000,
  headers: { 'X-API-KEY': __TALENT_KEY__ },
})

talent.interceptors.response.use(undefined, (error) => {
  if (error.response?.status === 401) window.dispatchEvent(new Event('talent:unauthorized'))
  return Promise.reject(error)
})
