import { useEffect, useRef, useState } from 'react'
import type { AppErrorShape } from '../../shared/errors.ts'
import type { UiChannel, UiRequestOf, UiResponseOf } from '../../shared/ui-contract.ts'
import { ask } from './bridge.ts'
import { inBackground } from './in-background.ts'

export interface Answer<Value> {
  /** The newest answer; while a newer question is open, still the one before. Null before the first, and after a failure. */
  value: Value | null
  error: AppErrorShape | null
  /** The question as it is now is not answered yet. */
  isBusy: boolean
  /** Asks the same again. */
  again: () => void
}

/**
 * Asks whenever the question changes, and drops answers that a newer question overtook. After the first, a question must
 * stand still for `delayMs` before it is asked. Null asks nothing.
 */
export function useAnswer<Name extends UiChannel>(
  channel: Name,
  request: UiRequestOf<Name> | null,
  delayMs = 0,
): Answer<UiResponseOf<Name>> {
  const question = request === null ? null : JSON.stringify(request)
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{
    to: string
    value: UiResponseOf<Name> | null
    error: AppErrorShape | null
  } | null>(null)
  const hasAsked = useRef(false)
  const key = `${round} ${question ?? ''}`
  useEffect(() => {
    if (question === null) return
    let isCurrent = true
    const timer = setTimeout(
      () => {
        hasAsked.current = true
        inBackground('use-answer.ask', () =>
          ask(channel, JSON.parse(question) as UiRequestOf<Name>).then((result) => {
            if (!isCurrent) return
            setAnswer({
              to: key,
              value: result.ok ? result.value : null,
              error: result.ok ? null : result.error,
            })
          }),
        )
      },
      hasAsked.current ? delayMs : 0,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [channel, question, key, delayMs])
  return {
    value: question === null ? null : (answer?.value ?? null),
    error: question === null ? null : (answer?.error ?? null),
    isBusy: question !== null && answer?.to !== key,
    again: () => setRound((n) => n + 1),
  }
}
