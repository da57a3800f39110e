import { create } from 'zustand'
import type { Capability } from '../../shared/runtime/ports.ts'
import type { Notice, UiDelta, UiMessage, UiState } from '../../shared/contract/stream.ts'
import { theBridge } from './bridge.ts'
import { ScrollBuffer } from './scroll-buffer.ts'
import { noteVersion } from './page-trouble.ts'

/** `state` is the shell's last state; null before the first snapshot. It is never modified here. */
export const useShell = create<{ state: UiState | null }>(() => ({ state: null }))

type DeltaListener = (delta: Pick<UiDelta, 'added' | 'rows' | 'stale'>) => void

const deltaListeners = new Set<DeltaListener>()
type NoticeListener = (notice: Notice) => void

const noticeListeners = new Set<NoticeListener>()
/** What came while nobody listened, such as before the first drawing of the page. */
let unheard: Notice[] = []

/** Calls back on every change to jobs; a new snapshot counts as `stale`. Returns unsubscribe. */
export function onJobsChanged(listener: DeltaListener): () => void {
  deltaListeners.add(listener)
  return () => deltaListeners.delete(listener)
}

/** Each notice is heard once, also one that came before the first listener. */
export function onNotice(listener: NoticeListener): () => void {
  noticeListeners.add(listener)
  const earlier = unheard
  unheard = []
  earlier.forEach(listener)
  return () => noticeListeners.delete(listener)
}

function take(message: UiMessage): void {
  if (message.type === 'snapshot') {
    useShell.setState({ state: message.state })
    noteVersion(message.state.app.version)
    for (const listener of deltaListeners) listener({ added: [], rows: [], stale: true })
  } else {
    const { state, added, rows, stale, notices } = message
    if (Object.keys(state).length > 0)
      useShell.setState(({ state: before }) => ({
        state: before === null ? null : ({ ...before, ...state } as UiState),
      }))
    if (added.length > 0 || rows.length > 0 || stale)
      for (const listener of deltaListeners) listener({ added, rows, stale })
    if (noticeListeners.size === 0) unheard.push(...notices)
    for (const notice of notices) for (const listener of noticeListeners) listener(notice)
  }
  theBridge().acknowledge(message.seq)
}

/** Starts the stream; returns stop. */
export function listenToShell(): () => void {
  let isStopped = false
  const buffer = new ScrollBuffer<UiMessage>((message) => isStopped || take(message))
  const onScroll = () => buffer.scrolled()
  addEventListener('scroll', onScroll, { capture: true, passive: true })
  const stop = theBridge().onMessage((message) => buffer.push(message))
  return () => {
    isStopped = true
    removeEventListener('scroll', onScroll, { capture: true })
    stop()
  }
}

export function useCan(capability: Capability): boolean {
  return useShell(({ state }) => state?.app.capabilities.includes(capability) ?? false)
}
