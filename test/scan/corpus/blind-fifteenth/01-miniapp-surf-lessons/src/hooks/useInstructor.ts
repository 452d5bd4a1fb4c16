'use client'

import useSWR from 'swr'
import type { TalentPassport } from '@/types/talent'

export interface Instructor {
  fid: number
  username: string
  avatar: string
  followers: number
  lessons: number
  trusted: boolean
  passport: TalentPassport | null
}

const fetcher = async (url: string) => {
  const res = await fetch(url)
  if (!res.ok) throw new Error((await res.json()).error)
  return res.json()
}

export function useInstructor(fid?: number) {
  const { data, error, isLoading } = useSWR<Instructor>(fid ? `/api/instructors/${fid}` : null, fetcher)
  return { instructor: data, error, isLoading }
}
