import { useEffect, useState } from 'react'

export function useAsync(task, deps) {
  const [state, setState] = useState({ data: undefined, error: null, loading: true })
  useEffect(() => {
    const ctrl = new AbortController()
    setState((s) => ({ ...s, loading: true }))
    task(ctrl.signal)
      .then((data) => setState({ data, error: null, loading: false }))
      .catch((error) => {
        if (error.name !== 'AbortError') setState({ data: undefined, error, loading: false })
      })
    return () => ctrl.abort()
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, deps)
  return state
}
