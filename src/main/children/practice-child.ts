import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { ChildHandle, ChildPort } from '../../shared/runtime/ports.ts'
import { FromPractice, type PracticeAddress, type PracticeOptions, type ToPractice } from '../../practice/protocol.ts'

/** Faster than a real service, so that nobody waits for samples. */
export const QUICK_JOBS = { kind: 'lognormal', medianMs: 900, sigma: 0.4 } as const

/** Starting takes a second on a slow machine; after this long it has failed. */
const START_MS = 20_000
/** Pictures in progress are finished first. */
const STOP_MS = 5000

export interface PracticeChild extends PracticeAddress {
  /** Resolves when it has exited; it cleans up first unless that takes too long. */
  stop(): Promise<void>
  /** Called once when it exits without having been stopped. */
  onEnd(listener: () => void): unknown
}

/**
 * Starts a practice service in a process of its own. It cleans up and exits when this process does, because the channel
 * between them closes. Throws when it does not start.
 */
export function startPracticeChild(children: ChildPort, options: PracticeOptions = {}): Promise<PracticeChild> {
  return new Promise((resolve, reject) => {
    const child: ChildHandle = children.spawn('practice')
    let ended = false
    const endListeners: (() => void)[] = []
    const gone = new Promise<void>((exited) => child.onExit(() => exited()))
    const stop = async () => {
      ended = true
      const request: ToPractice = { type: 'stop' }
      child.send(request)
      const late = setTimeout(() => child.kill(), STOP_MS)
      await gone
      clearTimeout(late)
    }
    const failed = (why: Sentence) => {
      clearTimeout(timer)
      ended = true
      child.kill()
      reject(new AppError('internal', say('practice_not_started', { why })))
    }
    const timer = setTimeout(() => failed(say('practice_late')), START_MS)
    child.onExit((code) => {
      if (ended) return
      failed(code === null ? say('practice_killed') : say('practice_ended', { code: String(code) }))
      for (const listener of endListeners) listener()
    })
    child.onMessage((message) => {
      const parsed = FromPractice.safeParse(message)
      if (!parsed.success) return
      if (parsed.data.type !== 'ready') return failed(raw(parsed.data.message))
      clearTimeout(timer)
      const { type: _, ...address } = parsed.data
      resolve({ ...address, stop, onEnd: (listener) => endListeners.push(listener) })
    })
    const start: ToPractice = { type: 'start', config: options }
    child.send(start)
  })
}
