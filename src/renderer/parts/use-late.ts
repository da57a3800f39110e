import { useEffect, useState } from 'react'

/** No loading message before this: it would only flicker. */
const QUIET_MS = 150

export function useLate(afterMs = QUIET_MS): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])
  return isLate
}
