import axios, { type AxiosRequestConfig } from 'axios'

export type Result<T> = { ok: true; data: T } | { ok: false; status: number }

/** every outgoing GET of this app goes through here */
export async function httpGet<T>(url: string, config?: AxiosRequestConfig): Promise<Result<T>> {
  const started = Date.now()
  try {
    const { data } = await axios.get<T>(url, { timeout: 6000, ...config })
    return { ok: true, data }
  } catch (e) {
    const status = axios.isAxiosError(e) ? (e.response?.status ?? 0) : 0
    console.warn(`GET ${url} ${status} ${Date.now() - started}ms`)
    return { ok: false, status }
  }
}

const memory = new Map<string, { until: number; data: unknown }>()

export async function cachedGet<T>(url: string, seconds: number, config?: AxiosRequestConfig): Promise<Result<T>> {
  const key = url + JSON.stringify(config?.params ?? {})
  const hit = memory.get(key)
  if (hit && hit.until > Date.now()) return { ok: true, data: hit.data as T }
  const result = await httpGet<T>(url, config)
  if (result.ok) memory.set(key, { until: Date.now() + seconds * 1000, data: result.data })
  return result
}
