import i18next from 'i18next'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { connection } from '../bridge/connect.ts'
import { Button, IconButton } from './button.tsx'
import { Speech } from './speech.tsx'

interface Toast {
  id: number
  text: string
  bad: boolean
  action: { label: string; run: () => void } | null
  /** Remaining time; an error stays until it is closed. */
  leftMs: number
  /** It is an error from while the connection was lost. */
  whileLost: boolean
}

/** Long enough to read it and to reach the button; paused while the pointer or the focus is on a toast. */
const SHOWN_MS = 8000
const TICK_MS = 250
const MAX_SHOWN = 4

const useToasts = create<{ toasts: readonly Toast[]; isHeld: boolean }>(() => ({ toasts: [], isHeld: false }))

let nextId = 1
let clock: ReturnType<typeof setInterval> | undefined

function keepOnly(toasts: readonly Toast[]): void {
  useToasts.setState(({ isHeld }) => ({ toasts, isHeld: isHeld && toasts.length > 0 }))
  if (toasts.length > 0) clock ??= setInterval(tick, TICK_MS)
  else {
    clearInterval(clock)
    clock = undefined
  }
}

function tick(): void {
  const { toasts, isHeld } = useToasts.getState()
  if (isHeld) return
  keepOnly(toasts.map((toast) => ({ ...toast, leftMs: toast.leftMs - TICK_MS })).filter(({ leftMs }) => leftMs > 0))
}

export function dismissToast(id: number): void {
  keepOnly(useToasts.getState().toasts.filter((toast) => toast.id !== id))
}

/** `stays`: until it is closed, for an action that is offered nowhere else. */
type More = { bad?: boolean; stays?: boolean; action?: Toast['action'] }

/** Shows a message in the corner without moving the focus. Errors stay until they are closed. */
export function toast(text: string, more: More = {}): void {
  showToast(text, more)
}

/** As `toast`, and returns its id for `dismissToast`. */
export function showToast(text: string, more: More = {}): number {
  const { bad = false, stays = bad, action = null } = more
  const whileLost = bad && connection.get().state !== 'open'
  const entry: Toast = { id: nextId++, text, bad, action, leftMs: stays ? Infinity : SHOWN_MS, whileLost }
  const others = useToasts.getState().toasts.filter((other) => other.text !== text)
  keepOnly([...others, entry].slice(-MAX_SHOWN))
  return entry.id
}

// Errors from a lost connection are outdated once it is back.
connection.subscribe(() => {
  const { toasts } = useToasts.getState()
  if (connection.get().state !== 'open' || !toasts.some(({ whileLost }) => whileLost)) return
  keepOnly(toasts.filter(({ whileLost }) => !whileLost))
  toast(i18next.t('common:reconnected'))
})

/** `onClosed`: a person closed it, and it may have had the focus. */
function ToastRow({ toast: { id, text, bad, action }, onClosed }: { toast: Toast; onClosed: () => void }) {
  const { t } = useTranslation('common')
  return (
    <div className={bad ? 'toast bad' : 'toast'}>
      <p>{text}</p>
      {action === null ? null : (
        <Button
          kind="quiet"
          onClick={() => {
            dismissToast(id)
            action.run()
            onClosed()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        label={t('dismiss')}
        onClick={() => {
          dismissToast(id)
          onClosed()
        }}
      >
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}

/** The topmost modal dialog shows the toasts, else the window: elsewhere they could not be reached. */
export function ToastList() {
  const toasts = useToasts((state) => state.toasts)
  /** What had the focus before. */
  const cameFrom = useRef<HTMLElement | null>(null)
  const giveBack = () =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) cameFrom.current?.focus({ preventScroll: true })
    })
  const hold = (isHeld: boolean) => () => useToasts.setState({ isHeld })
  // There is no event when an element disappears from under the pointer.
  useEffect(() => hold(false), [])
  return (
    <>
      <Speech />
      {/* Not atomic: with each toast, only that one is spoken. */}
      <div
        className="toasts"
        role="status"
        aria-live="polite"
        aria-atomic={false}
        onPointerEnter={hold(true)}
        onPointerLeave={hold(false)}
        onFocus={({ currentTarget, relatedTarget }) => {
          if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
            cameFrom.current = relatedTarget
          hold(true)()
        }}
        onBlur={hold(false)}
      >
        {toasts.map((shown) => (
          <ToastRow key={shown.id} toast={shown} onClosed={giveBack} />
        ))}
      </div>
    </>
  )
}
