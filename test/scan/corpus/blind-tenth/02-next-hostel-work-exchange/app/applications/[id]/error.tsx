'use client'

export default function ApplicationError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main>
      <h1>Could not load this application</h1>
      <pre>{error.digest ?? error.message}</pre>
      <button onClick={() => reset()}>Try again</button>
    </main>
  )
}
