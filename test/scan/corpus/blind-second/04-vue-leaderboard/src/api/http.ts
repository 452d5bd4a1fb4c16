import axios, { type AxiosInstance } from 'axios'

export class TalentHttp {
  private readonly http: AxiosInstance

  constructor(baseURL = import.meta.env.VITE_TALENT_API, apiKey = import.meta.env.VITE_TALENT_KEY) {
    this.http = axios.create({ baseURL, headers: { 'X-API-KEY': apiKey } })
    this.http.interceptors.response.use(undefined, (error) => {
      if (error.response?.status === 401) console.warn('talent key was refused')
      return Promise.reject(error)
    })
  }

  async listPassports(page: number, keyword?: string) {
    const { data } = await this.http.get('/api/v1/passports', { params: { page, keyword } })
    return data
  }

  async credentialsOf(id: number) {
    const { data } = await this.http.get(`/api/v1/passport_credentials?passport_id=${id}`)
    return data.passport_credentials
  }
}

export const talent = new TalentHttp()
