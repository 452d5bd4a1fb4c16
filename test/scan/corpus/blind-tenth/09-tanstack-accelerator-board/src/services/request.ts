import services from '../config/services.json'

type Service = keyof typeof services

const keys: Record<Service, string> = {
  talent: import.meta.env.VITE_TALENT_API_KEY,
  crm: import.meta.env.VITE_CRM_KEY,
}

export async function request<T>(service: Service, path: string, params: Record<string, string | number> = {}): Promise<T> {
  const { origin, prefix } = services[service]
  const url = new URL(prefix + path, origin)
  for (const [k, v] of Object.entries(params)) url.searchParams.set(k, String(v))
  const res = await fetch(url, { headers: { 'X-API-KEY': keys[service] } })
  return res.json()
}
