import invariant from 'tiny-invariant'

function must(name: string): string {
  const value = process.env[name]
  invariant(value, `${name} is not set`)
  return value
}

export const config = {
  passportsUrl: must('TALENT_PASSPORTS_URL'),
  credentialsUrl: must('TALENT_CREDENTIALS_URL'),
  talentKey: must('TALENT_API_KEY'),
  courtUrl: must('COURT_URL'),
}
