import ky from 'ky'

export const talent = ky.create({
  prefixUrl: `${import.meta.env.VITE_TALENT_ORIGIN}/api/v1`,
  headers: { 'X-API-KEY': import.meta.env.VITE_TALENT_KEY },
  retry: { limit: 2, statusCodes: [429, 503] },
})

export const github = ky.create({
  prefixUrl: 'https://api.github.com',
  headers: { Accept: 'application/vnd.github+json' },
})
