import { useEffect, useState } from 'react'

/** The current time, updated every `everyMs` while the window is shown, and when it is shown again: for "3 minutes ago". */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const follow = () => {
      clearInterval(timer)
      timer = document.hidden ? undefined : setInterval(() => setNowMs(Date.now()), everyMs)
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
  }, [everyMs])
  return nowMs
}
