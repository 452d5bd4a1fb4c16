import useSWR from 'swr'
import type { Credential, Passport } from '@/lib/types'

const fetcher = async (url: string) => {
  const res = await fetch(url)
  if (!res.ok) throw new Error(`${res.status}`)
  return res.json()
}

export function usePassport(id?: string) {
  const { data, error, isLoading } = useSWR<Passport>(id ? `/api/passport/${id}` : null, fetcher)
  return { passport: data, error, isLoading }
}

export function useCredentials(id?: string) {
  const { data } = useSWR<Credential[]>(id ? `/api/credentials?id=${id}` : null, fetcher)
  return { credentials: data ?? [] }
}
