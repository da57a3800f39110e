import { useEffect, useState } from 'react'

/** No loading message before this: it would only flicker. */
const QUIET_MS = 150

/** True once a part has been waiting long enough to say so, in milliseconds. */
export function useLate(afterMs = QUIET_MS): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])
  return isLate
}
