import axios from 'axios'

export const backend = axios.create({ baseURL: '/backend', withCredentials: true })

export const reputation = axios.create({ baseURL: '/reputation', timeout: 10_000 })

reputation.interceptors.response.use(undefined, (error) => {
  console.error('[reputation]', error.config?.url, error.response?.status)
  return Promise.reject(error)
})
