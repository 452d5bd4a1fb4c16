import { computed, signal } from '@preact/signals'
import { createPassportClient, type ApiCredential, type ApiPassport, type Student } from '@suite/passport-client'

const client = createPassportClient({
  baseUrl: import.meta.env.VITE_PASSPORT_API,
  apiKey: import.meta.env.VITE_PASSPORT_KEY,
})

export const students = signal<Student[]>([])
export const count = signal(0)
export const current = signal<ApiPassport | null>(null)
export const proofs = signal<ApiCredential[]>([])
export const problem = signal('')

export const cities = computed(() => [...new Set(students.value.map((s) => s.city).filter(Boolean))])

export async function search(keyword: string) {
  problem.value = ''
  try {
    const page = await client.students(keyword)
    students.value = page.items
    count.value = page.count
  } catch (e) {
    problem.value = `Search is not available (${(e as Error).message})`
  }
}

export async function open(id: number) {
  const [passport, skills] = await Promise.all([
    client.passportOrNull(id),
    client.credentials(id, 'Skills').catch(() => []),
  ])
  current.value = passport
  proofs.value = skills
}
