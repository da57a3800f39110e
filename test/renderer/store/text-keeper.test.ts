import { beforeEach, describe, expect, it } from 'vitest'
import type { Result } from '../../../src/shared/contract/call.ts'
import { TextKeeper } from '../../../src/renderer/store/text-keeper.ts'

const KEY = { jobId: 'j1', languageCode: 'en' }
const SAVED = 'Of the service'
const LOST: Result<never> = {
  ok: false,
  error: { code: 'service_unreachable', sentence: { raw: 'lost' }, retryable: true },
}

/** A journal with drafts and one text, at the end of a connection that can be cut; time goes on by hand. */
class Desk {
  nowMs = 0
  isConnected = true
  saved = SAVED
  draft: string | null = null
  readonly calls: string[] = []
  #timers: { atMs: number; run: () => void }[] = []
  readonly keeper = new TextKeeper({
    draft: async ({ altText }) => {
      if (!this.isConnected) return LOST
      this.calls.push(`draft ${altText}`)
      this.draft = altText
      return { ok: true, value: { drafts: [] } }
    },
    save: async ({ altText }) => {
      if (!this.isConnected) return LOST
      this.calls.push(`save ${altText}`)
      this.draft = null
      this.saved = altText
      const texts = [{ languageCode: 'en', seoFilename: '', altText, original: null, originalName: null }]
      return { ok: true, value: { texts, drafts: [], sidecarWritten: true, why: null, filesLeft: [] } }
    },
    onAnswer: () => undefined,
    isConnected: () => this.isConnected,
    monotonicMs: () => this.nowMs,
    setTimer: (delayMs, run) => {
      const timer = { atMs: this.nowMs + delayMs, run }
      this.#timers.push(timer)
      return () => {
        this.#timers = this.#timers.filter((other) => other !== timer)
      }
    },
  })

  get kind(): string {
    return this.keeper.view(KEY).saving.kind
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms
    for (;;) {
      const due = this.#timers.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0]
      if (due === undefined) break
      this.nowMs = Math.max(this.nowMs, due.atMs)
      this.#timers = this.#timers.filter((other) => other !== due)
      due.run()
      await settle()
    }
    this.nowMs = untilMs
    await settle()
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

let desk: Desk
beforeEach(() => {
  desk = new Desk()
})

describe('words in an alt text', () => {
  it('become a draft soon after typing stops, and within a second during continuous typing', async () => {
    desk.keeper.type(KEY, 'A', SAVED)
    expect(desk.kind).toBe('typing')
    await desk.pass(400)
    expect(desk.draft).toBe('A')
    expect(desk.kind).toBe('draft')
    for (let typed = 0; typed < 10; typed += 1) {
      desk.keeper.type(KEY, 'A'.repeat(typed + 2), SAVED)
      await desk.pass(100)
    }
    expect(desk.draft!.length).toBeGreaterThan(5)
    expect(desk.calls.length).toBeLessThan(5)
  })

  it('are saved once when the field is left, and no draft of them is left', async () => {
    desk.keeper.type(KEY, 'A heron ', SAVED)
    desk.keeper.save(KEY)
    desk.keeper.leave(KEY)
    await desk.pass(10_000)
    expect(desk.saved).toBe('A heron')
    expect(desk.draft).toBeNull()
    expect(desk.keeper.view(KEY).words).toBeNull()
    expect(desk.calls.filter((call) => call.startsWith('draft'))).toEqual([])
  })

  it('that are as saved already leave no draft behind', async () => {
    desk.keeper.type(KEY, 'Of the service!', SAVED)
    await desk.pass(400)
    desk.keeper.type(KEY, 'Of the service', SAVED)
    desk.keeper.save(KEY)
    await desk.pass(400)
    expect(desk.draft).toBeNull()
    expect(desk.calls.filter((call) => call.startsWith('save'))).toEqual([])
  })

  it('that differ from the saved text by spaces at its end alone are not saved', async () => {
    desk.keeper.type(KEY, 'A red boat.', 'A red boat. ')
    desk.keeper.save(KEY)
    await desk.pass(400)
    expect(desk.calls).toEqual(['draft null'])
  })

  it('typed while the save is on its way are a draft again', async () => {
    desk.keeper.type(KEY, 'One', SAVED)
    desk.keeper.save(KEY)
    desk.keeper.type(KEY, 'One and two', SAVED)
    await desk.pass(1000)
    expect(desk.saved).toBe('One')
    expect(desk.draft).toBe('One and two')
    expect(desk.keeper.view(KEY).words).toBe('One and two')
  })

  it('stay while there is no connection, and go out when it is back: as a draft, or saved if the field was left', async () => {
    desk.isConnected = false
    desk.keeper.type(KEY, 'Typed in the dark', SAVED)
    await desk.pass(20_000)
    expect(desk.kind).toBe('unsent')
    expect(desk.keeper.hasUnkept()).toBe(true)
    desk.isConnected = true
    desk.keeper.connected()
    await desk.pass(0)
    expect(desk.draft).toBe('Typed in the dark')
    expect(desk.keeper.hasUnkept()).toBe(false)
    desk.isConnected = false
    desk.keeper.type(KEY, 'And left', SAVED)
    desk.keeper.leave(KEY)
    await desk.pass(20_000)
    expect(desk.keeper.view(KEY).words).toBe('And left')
    desk.isConnected = true
    desk.keeper.connected()
    await desk.pass(0)
    expect(desk.saved).toBe('And left')
    expect(desk.draft).toBeNull()
  })

  it('are given up in the journal too, also when that has to wait for the connection', async () => {
    desk.keeper.type(KEY, 'No', SAVED)
    await desk.pass(400)
    desk.isConnected = false
    desk.keeper.discard(KEY)
    await desk.pass(100)
    expect(desk.keeper.view(KEY).words).toBeNull()
    desk.isConnected = true
    desk.keeper.connected()
    await desk.pass(0)
    expect(desk.draft).toBeNull()
  })
})
