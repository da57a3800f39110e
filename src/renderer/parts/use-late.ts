import { useEffect, useState } from 'react'

/** No loading message before this: it would only flicker. */
const QUIET_MS = 150

/** True once a part has been waiting long enough to say so. */
export function useLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}
