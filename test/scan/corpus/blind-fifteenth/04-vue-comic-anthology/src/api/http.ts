import axios from 'axios'
import camelcaseKeys from 'camelcase-keys'

const camelize = (data: unknown) =>
  data && typeof data === 'object' ? camelcaseKeys(data as Record<string, unknown>, { deep: true }) : data

export const talentHttp = axios.create({ baseURL: '/talent', timeout: 10000 })
talentHttp.interceptors.response.use((response) => ({ ...response, data: camelize(response.data) }))

export const cmsHttp = axios.create({ baseURL: '/cms' })
