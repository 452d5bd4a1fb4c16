export const env = {
  talentBaseUrl: process.env.TALENT_BASE_URL || 'https://api.talentprotocol.com',
  talentKey: process.env.TALENT_API_KEY as string,
  revalidate: 300,
}
