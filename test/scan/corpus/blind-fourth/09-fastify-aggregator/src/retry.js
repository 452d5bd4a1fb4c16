export async function withRetry(fn, { attempts = 3, delay = 300 } = {}) {
  let lastError
  for (let i = 0; i < attempts; i++) {
    try {
      return await fn()
    } catch (err) {
      lastError = err
      await new Promise((r) => setTimeout(r, delay * (i + 1)))
    }
  }
  throw lastError
}
