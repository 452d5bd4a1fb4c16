import ky from 'ky'

export const api = ky.create({
  prefixUrl: `${import.meta.env.VITE_TALENT_API_HOST}/api/v1`,
  retry: { limit: 2, statusCodes: [429, 502, 503] },
  hooks: {
    beforeRequest: [
      (request) => {
        request.headers.set('X-API-KEY', import.meta.env.VITE_TALENT_API_KEY)
      },
    ],
  },
})
