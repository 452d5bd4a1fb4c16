import { useState, useEffect } from 'react'
import { API_KEY, API_URL } from '../constants'

export function useCredentials(passportId) {
  const [credentials, setCredentials] = useState([])

  useEffect(() => {
    if (!passportId) return
    fetch(`${API_URL}/passport_credentials?passport_id=${passportId}`, { headers: { 'X-API-KEY': API_KEY } })
      .then((res) => res.json())
      .then((body) => setCredentials(body.passport_credentials || []))
      .catch(() => setCredentials([]))
  }, [passportId])

  return credentials
}
