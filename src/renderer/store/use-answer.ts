import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AppErrorShape } from '../../shared/sentences/errors.ts'
import type { PageCall, PageRequest, PageResponse } from '../../shared/contract/calls.ts'
import { ask } from './bridge.ts'
import { inBackground } from '../bridge/in-background.ts'

export interface Answer<Value> {
  /** The latest answer; while a newer request is pending, the previous one. Null before the first, and after a failure. */
  value: Value | null
  error: AppErrorShape | null
  /** The current request is not answered yet. */
  isBusy: boolean
  /** Repeats the request. */
  again: () => void
}

/**
 * Makes the call whenever the request or `about`, what else the answer depends on, changes, and drops answers to outdated requests. A
 * change is debounced by `delayMs`. Null makes no call.
 */
export function useAnswer<Name extends PageCall>(
  channel: Name,
  request: PageRequest<Name> | null,
  delayMs = 0,
  about: string | number | null = null,
): Answer<PageResponse<Name>> {
  // It may name a hundred thousand pictures: one that is the same object is not written out again.
  const question = useMemo(() => (request === null ? null : JSON.stringify(request)), [request])
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{
    to: string
    value: PageResponse<Name> | null
    error: AppErrorShape | null
  } | null>(null)
  // Where it began with no request, the first one is a change.
  const askedInRound = useRef(request === null ? 0 : -1)
  const again = useCallback(() => setRound((n) => n + 1), [])
  const key = `${round} ${about} ${question ?? ''}`
  useEffect(() => {
    if (question === null) return
    let isCurrent = true
    const send = async () => {
      askedInRound.current = round
      const result = await ask(channel, JSON.parse(question) as PageRequest<Name>)
      if (!isCurrent) return
      setAnswer({ to: key, value: result.ok ? result.value : null, error: result.ok ? null : result.error })
    }
    const timer = setTimeout(() => inBackground(send), askedInRound.current === round ? delayMs : 0)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [channel, question, round, key, delayMs])
  return {
    value: question === null ? null : (answer?.value ?? null),
    error: question === null ? null : (answer?.error ?? null),
    isBusy: question !== null && answer?.to !== key,
    again,
  }
}

/** As `useAnswer`, and asked again every `everyMs` while it is shown. */
export function useFreshAnswer<Name extends PageCall>(
  channel: Name,
  request: PageRequest<Name>,
  everyMs: number,
): Answer<PageResponse<Name>> {
  const answer = useAnswer(channel, request)
  const { again } = answer
  useEffect(() => {
    const timer = setInterval(again, everyMs)
    return () => clearInterval(timer)
  }, [again, everyMs])
  return answer
}
