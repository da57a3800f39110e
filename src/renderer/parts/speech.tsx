import { useEffect, useRef } from 'react'
import { create } from 'zustand'

/** How long a spoken text stays in the page, where a person may come across it. */
const KEPT_MS = 3000
/** Changes within this time are spoken together. */
const SETTLE_MS = 2500
/** A text that keeps changing is spoken at most this often, as it is at that moment. */
const EVERY_MS = 15_000

const useSpeech = create<{ spoken: readonly { id: number; text: string }[] }>(() => ({ spoken: [] }))

let nextId = 1

/** Makes screen readers say this once they are idle. It is not visible. */
function speak(text: string): void {
  const id = nextId++
  useSpeech.setState(({ spoken }) => ({ spoken: [...spoken, { id, text }] }))
  setTimeout(() => useSpeech.setState(({ spoken }) => ({ spoken: spoken.filter((one) => one.id !== id) })), KEPT_MS)
}

/** Speaks a text that may change often: its latest version, and not too frequently. Null says nothing; the same text after it is news. */
export function useSpoken(text: string | null): void {
  const latest = useRef(text)
  const said = useRef({ text: null as string | null, atMs: -Infinity })
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => {
    latest.current = text
    if (text === null) said.current.text = null
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

/** The live region. It is beside the toasts, because screen readers ignore what a dialog covers. */
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
