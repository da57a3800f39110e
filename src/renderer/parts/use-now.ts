import { useEffect, useState } from 'react'

const EVERY_MS = 15_000

/** The current time, kept up while the window is shown: for "3 minutes ago". */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const follow = () => {
      clearInterval(timer)
      timer = document.hidden ? undefined : setInterval(() => setNowMs(Date.now()), EVERY_MS)
    }
    const onShown = () => {
      if (!document.hidden) setNowMs(Date.now())
      follow()
    }
    follow()
    document.addEventListener('visibilitychange', onShown)
    return () => {
      document.removeEventListener('visibilitychange', onShown)
      clearInterval(timer)
    }
  }, [])
  return nowMs
}
