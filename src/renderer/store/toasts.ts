import { t } from 'i18next'
import { create } from 'zustand'
import { useConnection } from '../bridge/connection.ts'
import { inBackground } from '../bridge/in-background.ts'

export interface Toast {
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

export const useToasts = create<{ toasts: readonly Toast[]; isHeld: boolean }>(() => ({ toasts: [], isHeld: false }))

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

/** While it is held, because a person reads it or is about to press its button, its time stands still. */
export function holdToasts(isHeld: boolean): void {
  useToasts.setState({ isHeld })
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
function showToast(text: string, more: More = {}): number {
  const { bad = false, stays = bad, action = null } = more
  const whileLost = bad && useConnection.getState().state !== 'open'
  const entry: Toast = { id: nextId++, text, bad, action, leftMs: stays ? Infinity : SHOWN_MS, whileLost }
  const others = useToasts.getState().toasts.filter((other) => other.text !== text)
  keepOnly([...others, entry].slice(-MAX_SHOWN))
  return entry.id
}

// Errors from a lost connection are outdated once it is back.
useConnection.subscribe(() => {
  const { toasts } = useToasts.getState()
  if (useConnection.getState().state !== 'open' || !toasts.some(({ whileLost }) => whileLost)) return
  keepOnly(toasts.filter(({ whileLost }) => !whileLost))
  toast(t('common:reconnected'))
})

/** More than a person is likely to undo. */
const MAX_KEPT = 100

const offers = new Set<() => unknown>()

/** Undone by the toast, or by the `undoLast` shortcut while the window is open. What it returns works once. */
export function toastWithUndo(text: string, undo: () => unknown) {
  const run = () => withdraw() && inBackground(undo)
  const withdraw = (): boolean => {
    dismissToast(shown)
    return offers.delete(run)
  }
  offers.add(run)
  if (offers.size > MAX_KEPT) offers.delete([...offers][0]!)
  const shown = showToast(text, { action: { label: t('common:undo'), run } })
  return { undo: run, withdraw }
}

/** Undoes the last action; false when there is none. */
export function undoLast(): boolean {
  const last = [...offers].at(-1)
  last?.()
  return last !== undefined
}
