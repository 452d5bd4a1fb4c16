import invariant from 'tiny-invariant'

invariant(process.env.TALENT_API_ORIGIN, 'TALENT_API_ORIGIN is required')

export const env = {
  talentOrigin: process.env.TALENT_API_ORIGIN,
  talentKey: process.env.TALENT_API_KEY ?? '',
}
