import { useEffect, useState } from 'react'

/** The current time, kept up while the window is shown: for "3 minutes ago". */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const follow = () => document.hidden || setNowMs(Date.now())
    const timer = setInterval(follow, 15_000)
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      clearInterval(timer)
    }
  }, [])
  return nowMs
}
