import axios from 'axios'

export const talentApi = axios.create({
  baseURL: `${import.meta.env.VITE_TALENT_API_URL}/api/v1`,
  timeout: 10_000,
  headers: { 'X-API-KEY': import.meta.env.VITE_TALENT_API_KEY },
})

export const backend = axios.create({ baseURL: import.meta.env.VITE_BACKEND_URL })

backend.interceptors.request.use((config) => {
  const token = localStorage.getItem('session')
  if (token) config.headers.Authorization = `Bearer ${token}`
  return config
})
