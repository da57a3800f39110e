import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Result } from '../../shared/contract/call.ts'
import type { AppErrorShape } from '../../shared/sentences/errors.ts'
import type { PageCall, PageRequest, PageResponse } from '../../shared/contract/calls.ts'
import { ask } from './bridge.ts'
import { useConnection } from '../bridge/connection.ts'
import { inBackground } from '../bridge/in-background.ts'
import { onJobsChanged } from './shell-store.ts'

export interface Answer<Value> {
  /** The latest answer; while a newer request is pending, the previous one. Null before the first, and after a failure. */
  value: Value | null
  error: AppErrorShape | null
  /** The value or error is that of an earlier request. */
  isEarlier: boolean
  isBusy: boolean
  again: () => void
}

const isAway = ({ state, isSilent }: ReturnType<typeof useConnection.getState>) => state !== 'open' || isSilent

/** Takes an answer; `isLast` is false while more follows. */
type Tell<Value> = (result: Result<Value>, isLast: boolean) => void

/**
 * Asks whenever the request or `about`, what else the answer depends on, changes, and drops answers to outdated requests. A change is
 * debounced by `delayMs`. Null asks nothing. What failed is asked again once the page is connected again. `asking` ends when its signal says so.
 */
export function useAsked<Request, Value>(
  request: Request | null,
  { delayMs, about = null }: { delayMs: number; about?: string | number | null },
  asking: (request: Request, tell: Tell<Value>, signal: AbortSignal) => Promise<void>,
): Answer<Value> {
  // It may name a hundred thousand pictures: one that is the same object is not written out again.
  const question = useMemo(() => (request === null ? null : JSON.stringify(request)), [request])
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{
    of: string
    to: string
    value: Value | null
    error: AppErrorShape | null
  } | null>(null)
  // Where it began with no request, the first one is a change.
  const askedInRound = useRef(request === null ? 0 : -1)
  const again = useCallback(() => setRound((n) => n + 1), [])
  const key = `${round} ${about} ${question ?? ''}`
  const send = useEffectEvent(asking)
  useEffect(() => {
    if (question === null) return
    const ending = new AbortController()
    const tell: Tell<Value> = (result, isLast) => {
      if (ending.signal.aborted) return
      const { value, error } = result.ok ? { value: result.value, error: null } : { value: null, error: result.error }
      setAnswer({ of: question, to: isLast ? key : '', value, error })
    }
    const begin = () => {
      askedInRound.current = round
      inBackground(() => send(JSON.parse(question) as Request, tell, ending.signal))
    }
    const timer = setTimeout(begin, askedInRound.current === round ? delayMs : 0)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [question, round, key, delayMs])
  const askAgain = useEffectEvent(() => {
    if (answer?.error != null) again()
  })
  useEffect(() => useConnection.subscribe((now, before) => isAway(before) && !isAway(now) && askAgain()), [])
  return {
    value: question === null ? null : (answer?.value ?? null),
    error: question === null ? null : (answer?.error ?? null),
    isEarlier: answer !== null && answer.of !== question,
    isBusy: question !== null && answer?.to !== key,
    again,
  }
}

/** Makes a call as `useAsked` asks. */
export function useAnswer<Name extends PageCall>(
  channel: Name,
  request: PageRequest<Name> | null,
  delayMs = 0,
  about: string | number | null = null,
): Answer<PageResponse<Name>> {
  return useAsked<PageRequest<Name>, PageResponse<Name>>(request, { delayMs, about }, async (given, tell) =>
    tell(await ask(channel, given), true),
  )
}

/** Counts the changes of these jobs, at most one in `everyMs`: for `about`. */
export function useChangesOf(isAbout: (id: string) => boolean, everyMs: number): number {
  const [changes, setChanges] = useState(0)
  const concerns = useEffectEvent(isAbout)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onJobsChanged(({ rows, stale }) => {
      if (!stale && !rows.some(({ id }) => concerns(id))) return
      timer ??= setTimeout(() => {
        timer = undefined
        setChanges((n) => n + 1)
      }, everyMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [everyMs])
  return changes
}
