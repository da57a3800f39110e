import { useEffect, useState } from 'react'

const EVERY_MS = 15_000

/** The current time, kept up while the window is shown: for "3 minutes ago". */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const follow = () => document.hidden || setNowMs(Date.now())
    const timer = setInterval(follow, EVERY_MS)
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      clearInterval(timer)
    }
  }, [])
  return nowMs
}
