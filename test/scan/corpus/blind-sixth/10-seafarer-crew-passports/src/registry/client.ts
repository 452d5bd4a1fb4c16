import axios from 'axios'
import { z } from 'zod'
import { CrewCredential, CrewPage, CrewPassport } from './schema.js'

const registry = axios.create({
  baseURL: process.env.REGISTRY_URL ?? 'https://registry.maritime.example/v3',
  headers: { 'X-API-KEY': process.env.REGISTRY_KEY },
  timeout: 8000,
})

export async function passportOf(seafarerId: string): Promise<CrewPassport | null> {
  try {
    const { data } = await registry.get(`/seafarers/${seafarerId}/passport`)
    return CrewPassport.parse(data.passport)
  } catch (e) {
    if (axios.isAxiosError(e) && e.response?.status === 404) return null
    throw e
  }
}

export async function credentialsOf(seafarerId: string): Promise<CrewCredential[]> {
  const { data } = await registry.get(`/seafarers/${seafarerId}/credentials`)
  return z.array(CrewCredential).parse(data.credentials)
}

export async function crewOf(vessel: string): Promise<CrewPassport[]> {
  const crew: CrewPassport[] = []
  let page = 1
  let last = 1
  do {
    const { data } = await registry.get(`/vessels/${vessel}/passports`, { params: { page } })
    const parsed = CrewPage.parse(data)
    crew.push(...parsed.passports)
    last = parsed.pagination.last_page
    page = parsed.pagination.current_page + 1
  } while (page <= last)
  return crew
}
