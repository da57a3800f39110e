import { useEffect, useState } from 'react'

/** The current time, updated every `everyMs`: for "3 minutes ago". */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
