import { useState } from 'react'
import { inBackground } from '../bridge/in-background.ts'

/** What a button of a form starts. `run` resolves to why it failed, which is kept until `forget`, or to null. */
export function useAttempt() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const attempt = (run: () => Promise<string | null>) =>
    inBackground(async () => {
      setBusy(true)
      try {
        setFailure(await run())
      } finally {
        setBusy(false)
      }
    })
  return { isBusy, failure, attempt, forget: () => setFailure(null) }
}
