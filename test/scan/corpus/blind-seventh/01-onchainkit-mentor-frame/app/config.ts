export const SITE = process.env.NEXT_PUBLIC_SITE_URL ?? 'https://mentor-match.example'
export const TALENT_HOST = process.env.TALENT_HOST ?? 'https://api.talentprotocol.com'
export const MENTOR_THRESHOLD = 80
export const NEYNAR_KEY = process.env.NEYNAR_API_KEY!
