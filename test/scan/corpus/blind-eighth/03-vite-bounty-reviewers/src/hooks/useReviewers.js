import { useMemo } from 'react'
import useFetch from './useFetch'
import { API_KEY, API_URL, MIN_SCORE } from '../constants'

const OPTIONS = { headers: { 'X-API-KEY': API_KEY } }

export function useReviewers(keyword) {
  const { data, loading, error } = useFetch(`${API_URL}/passports?keyword=${keyword}`, OPTIONS)

  const reviewers = useMemo(() => {
    if (!data?.passports) return []
    return data.passports
      .filter((p) => p.score >= MIN_SCORE && !p.calculating_score)
      .sort((a, b) => b.skills_score - a.skills_score)
  }, [data])

  return { reviewers, total: data?.pagination?.total, loading, error }
}

export function useReviewer(id) {
  const { data, loading } = useFetch(id ? `${API_URL}/passports/${id}` : null, OPTIONS)
  return { reviewer: data?.passport, loading }
}
