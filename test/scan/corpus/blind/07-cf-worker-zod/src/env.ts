export interface Env {
  TALENT_HOST: string
  TALENT_KEY: string
  SNAPSHOTS: KVNamespace
  SLACK_WEBHOOK?: string
}

export async function notify(env: Env, text: string) {
  if (!env.SLACK_WEBHOOK) return
  await fetch(env.SLACK_WEBHOOK, { method: 'POST', body: JSON.stringify({ text }) })
}
