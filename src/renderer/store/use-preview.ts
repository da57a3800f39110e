import { useEffect, useRef, useState } from 'react'
import type { PageRequest } from '../../shared/contract/calls.ts'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { ask } from './bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import type { Answer } from './use-answer.ts'

/** Delay between polls of an incomplete preview. */
const MORE_MS = 100

/**
 * The preview of an intake while it is being computed; it is stopped when the request changes or the component unmounts.
 * `isBusy` until it is complete. `value` is that of the previous request until the first picture was read. All but the first
 * request are debounced by `delayMs`. Null makes no call.
 */
export function usePreview(request: PageRequest<'intake.preview'> | null, delayMs = 0): Answer<IntakePreview> {
  const question = request === null ? null : JSON.stringify(request)
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{ to: string; value: IntakePreview | null; error: Answer<never>['error'] }>({
    to: '',
    value: null,
    error: null,
  })
  const hasAsked = useRef(false)
  const key = `${round} ${question ?? ''}`
  useEffect(() => {
    if (question === null) return
    let isCurrent = true
    let id: string | null = null
    const leave = () => {
      if (id !== null) inBackground(() => ask('intake.stopPreview', { id: id! }))
    }
    const follow = async () => {
      let result = await ask('intake.preview', JSON.parse(question) as PageRequest<'intake.preview'>)
      for (;;) {
        id = result.ok ? (result.value.progress?.id ?? null) : null
        if (!isCurrent) return leave()
        const { value, error } = result.ok ? { value: result.value, error: null } : { value: null, error: result.error }
        setAnswer((before) =>
          id !== null && value?.progress?.inspected === 0 && before.value !== null && before.value.progress == null
            ? before
            : { to: id === null ? key : '', value, error },
        )
        if (id === null) return
        await new Promise((resolve) => setTimeout(resolve, MORE_MS))
        if (!isCurrent) return
        result = await ask('intake.morePreview', { id })
      }
    }
    const timer = setTimeout(
      () => {
        hasAsked.current = true
        inBackground(follow)
      },
      hasAsked.current ? delayMs : 0,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
      leave()
    }
  }, [question, key, delayMs])
  return {
    value: question === null ? null : answer.value,
    error: question === null ? null : answer.error,
    isBusy: question !== null && answer.to !== key,
    again: () => setRound((n) => n + 1),
  }
}
