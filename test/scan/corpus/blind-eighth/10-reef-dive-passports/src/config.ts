export const config = {
  registry: process.env.DIVE_REGISTRY_URL ?? 'https://registry.reefdive.example/api/v1',
  registryKey: process.env.DIVE_REGISTRY_KEY ?? '',
  quiz: process.env.QUIZ_URL ?? 'https://quiz.reefdive.example',
  sessionSecret: process.env.SESSION_SECRET ?? 'dev',
}
