const REPUTATION = `${import.meta.env.VITE_REPUTATION_HOST}/api/v1`
const FAIR = import.meta.env.VITE_FAIR_API

const query = (params) => new URLSearchParams(Object.entries(params).filter(([, v]) => v)).toString()

function reputation(path, { signal, ...params } = {}) {
  return fetch(`${REPUTATION}/${path}?${query(params)}`, {
    signal,
    headers: { 'X-API-KEY': import.meta.env.VITE_REPUTATION_KEY },
  }).then((res) => res.json())
}

export const reputationApi = {
  search: (keyword, signal) => reputation('passports', { keyword, signal }),
  person: (id, signal) => reputation(`passports/${id}`, { signal }),
  credentials: (id, signal) => reputation('passport_credentials', { passport_id: id, signal }),
}

export const fairApi = {
  async projects() {
    const res = await fetch(`${FAIR}/projects`)
    if (!res.ok) throw new Error('projects')
    return res.json()
  },
  async assign(projectId, judge) {
    const res = await fetch(`${FAIR}/projects/${projectId}/judges`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(judge),
    })
    if (!res.ok) throw new Error('assign')
  },
}
