import { useState } from 'react'

// falls back to the initials when there is no picture, or the picture is gone
export function Avatar({ src, label = '?' }) {
  const [broken, setBroken] = useState(false)
  if (!src || broken) {
    const initials = label
      .split(' ')
      .map((w) => w[0])
      .slice(0, 2)
      .join('')
    return <span className="avatar">{initials}</span>
  }
  return <img className="avatar" src={src} alt={label} onError={() => setBroken(true)} />
}
