import { useEffect, useRef } from 'react'
import { create } from 'zustand'

/** As long as this, what was spoken can be met by a person who moves through the page. */
const KEPT_MS = 3000
/** Facts that come with a change within this time are spoken together with it. */
const SETTLE_MS = 2500
/** What changes all the time is spoken once in this time, as it is then. */
const EVERY_MS = 15_000

const useSpeech = create<{ spoken: readonly { id: number; text: string }[] }>(() => ({ spoken: [] }))

let nextId = 1

/** Has a screen reader say this when it has nothing else to say. Nothing is seen of it. */
function speak(text: string): void {
  const id = nextId++
  useSpeech.setState(({ spoken }) => ({ spoken: [...spoken, { id, text }] }))
  setTimeout(() => useSpeech.setState(({ spoken }) => ({ spoken: spoken.filter((one) => one.id !== id) })), KEPT_MS)
}

/** Speaks a text that changes, however often that is: each time at the latest, and not too often. Null: there is nothing to say. */
export function useSpoken(text: string | null): void {
  const latest = useRef(text)
  const said = useRef({ text: null as string | null, atMs: -Infinity })
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => {
    latest.current = text
    if (text === null || text === said.current.text || timer.current !== null) return
    const waitMs = Math.max(SETTLE_MS, said.current.atMs + EVERY_MS - performance.now())
    timer.current = setTimeout(() => {
      timer.current = null
      if (latest.current === null || latest.current === said.current.text) return
      said.current = { text: latest.current, atMs: performance.now() }
      speak(latest.current)
    }, waitMs)
  }, [text])
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )
}

/** Where it is spoken from. Beside the toasts: what a dialog covers is not spoken. */
export function Speech() {
  const spoken = useSpeech((speech) => speech.spoken)
  return (
    <div className="unseen" role="status" aria-atomic={false}>
      {spoken.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
