import { afterEach, describe, expect, it } from 'vitest'
import { realClock as clock } from '../../src/main/engine/real-clock.ts'
import type { ChildHandle, ChildPort } from '../../src/shared/runtime/ports.ts'
import { createImageWorker } from '../../src/main/images/image-worker-client.ts'
import { createMemoryBudget } from '../../src/main/images/memory-budget.ts'
import type { ImageWorker } from '../../src/main/images/image-worker-client.ts'
import { forkChild } from '../../src/main/children/fork-child.ts'
import { noise } from './pictures.ts'

interface Acts {
  reply: (answer: unknown) => void
  /** Asks for memory; a request without a task then says that it is there. */
  need: (bytes: number) => void
  exit: () => void
}

/** A child that does what the test says with each request, in place of a process. */
function scriptedChild(script: (request: { id: number; task?: { bytes: Uint8Array } }, act: Acts) => void): {
  port: ChildPort
  starts: () => number
} {
  let starts = 0
  const port: ChildPort = {
    spawn(): ChildHandle {
      starts += 1
      let tell: (message: unknown) => void = () => undefined
      let exit: (code: number | null) => void = () => undefined
      queueMicrotask(() => tell({ kind: 'ready' }))
      return {
        send: (message) => {
          const request = message as { id: number; task?: { bytes: Uint8Array } }
          script(request, {
            reply: (answer) => queueMicrotask(() => tell({ kind: 'answer', id: request.id, answer })),
            need: (bytes) => queueMicrotask(() => tell({ kind: 'needs', id: request.id, bytes })),
            exit: () => queueMicrotask(() => exit(139)),
          })
        },
        onMessage: (listener) => (tell = listener),
        onExit: (listener) => (exit = listener),
        kill: () => undefined,
      }
    },
  }
  return { port, starts: () => starts }
}

let worker: ImageWorker | undefined
afterEach(async () => {
  await worker?.close()
  worker = undefined
})

it('the image worker as a process inspects and encodes in a child, and a killed child costs no request', async () => {
  const handles: ChildHandle[] = []
  const spawn: ChildPort['spawn'] = (entry) => {
    handles.push(forkChild.spawn(entry))
    return handles.at(-1)!
  }
  worker = createImageWorker({ child: { spawn }, clock })
  const picture = await noise(50, 40).jpeg().toBuffer()
  expect(await worker.inspect({ bytes: picture })).toMatchObject({ ok: true, type: 'jpeg', width: 50, height: 40 })
  const encoding = worker.encode({ bytes: picture, options: { format: 'webp', quality: 80, metadata: 'strip' } })
  handles[0]?.kill()
  const encoded = await encoding
  expect(encoded.ok && Buffer.from(encoded.bytes).toString('latin1', 8, 12)).toBe('WEBP')
  expect(handles.length).toBe(2)
  expect(await worker.thumbnail({ bytes: picture, px: 10 })).toMatchObject({ ok: true, width: 10, height: 8 })
})

describe('the image worker client', () => {
  const bytes = new Uint8Array([1])

  it('tries a picture once more after a crash, then fails it, and goes on with the next one', async () => {
    const { port, starts } = scriptedChild(({ id }, { reply, exit }) =>
      id === 1 ? exit() : reply({ ok: true, width: 1 }),
    )
    worker = createImageWorker({ child: port, clock })
    const [bad, good] = await Promise.all([worker.inspect({ bytes }), worker.inspect({ bytes })])
    expect(bad).toMatchObject({ ok: false, reason: 'unreadable' })
    expect(good).toMatchObject({ ok: true })
    expect(starts()).toBe(3)
  })

  it('gives a picture up after the time-out and goes on in a fresh child', async () => {
    const { port, starts } = scriptedChild(({ id }, { reply }) => (id === 1 ? undefined : reply({ ok: true })))
    worker = createImageWorker({ child: port, clock, timeoutsMs: { seconds: 60_000, minutes: 20 } })
    const slow = worker.encode({ bytes: bytes, options: { format: 'avif', quality: 1, metadata: 'strip' } })
    const next = worker.inspect({ bytes })
    expect(await slow).toMatchObject({ ok: false, reason: 'encode_failed' })
    expect(await next).toMatchObject({ ok: true })
    expect(starts()).toBe(2)
  })

  it('rejects an aborted call at once, running or waiting, and keeps the others', async () => {
    const { port } = scriptedChild(({ id }, { reply }) => (id === 1 ? undefined : reply({ ok: true })))
    worker = createImageWorker({ child: port, clock })
    const first = new AbortController()
    const second = new AbortController()
    const running = worker.inspect({ bytes }, first.signal)
    const waiting = worker.inspect({ bytes }, second.signal)
    const kept = worker.inspect({ bytes })
    second.abort()
    first.abort()
    await expect(running).rejects.toMatchObject({ code: 'aborted' })
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    expect(await kept).toMatchObject({ ok: true })
    await expect(worker.inspect({ bytes }, AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' })
  })

  it('says so when the child never starts, instead of trying for ever', async () => {
    const handle = { send: () => undefined, onMessage: () => undefined, kill: () => undefined }
    const onExit = (exit: (code: number | null) => void) => queueMicrotask(() => exit(1))
    const port: ChildPort = { spawn: () => ({ ...handle, onExit }) }
    worker = createImageWorker({ child: port, clock })
    await expect(worker.inspect({ bytes })).rejects.toMatchObject({ code: 'internal' })
  })

  it('does one task at a time per child and bounds what waits', async () => {
    let running = 0
    let most = 0
    const { port } = scriptedChild((_request, { reply }) => {
      most = Math.max(most, ++running)
      queueMicrotask(() => {
        running -= 1
        reply({ ok: true })
      })
    })
    worker = createImageWorker({ child: port, clock, size: 2, maxWaiting: 5 })
    const calls = Array.from({ length: 9 }, () => worker!.inspect({ bytes }).catch(() => 'refused'))
    const ends = await Promise.all(calls)
    expect(ends.filter((end) => end === 'refused').length).toBe(2)
    expect(most).toBe(2)
  })

  it('rejects what is left when it is closed', async () => {
    const { port } = scriptedChild(() => undefined)
    worker = createImageWorker({ child: port, clock })
    const calls = [worker.inspect({ bytes }), worker.inspect({ bytes })]
    await worker.close()
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'aborted' })
    await expect(worker.inspect({ bytes })).rejects.toMatchObject({ code: 'internal' })
  })
})

describe('the memory that image workers share', () => {
  const MB = 2 ** 20

  /** Forwards to real children; tells how many make their pixels at a time at most, and what they need for that. */
  function watched(): { child: ChildPort; most: () => number; needs: number[] } {
    const needs: number[] = []
    let running = 0
    let most = 0
    const child: ChildPort = {
      spawn(entry) {
        const handle = forkChild.spawn(entry)
        return {
          ...handle,
          send: (message) => {
            if ('go' in (message as object)) {
              running += 1
              most = Math.max(most, running)
            }
            handle.send(message)
          },
          onMessage: (listener) =>
            handle.onMessage((message) => {
              const { kind, bytes } = message as { kind: string; bytes: number }
              if (kind === 'needs') needs.push(bytes)
              if (kind === 'answer') running -= 1
              listener(message)
            }),
        }
      },
    }
    return { child, most: () => most, needs }
  }

  it('lets two huge pictures into it one after the other, whichever workers they are with', async () => {
    const { child, most, needs } = watched()
    // One of them needs more than half.
    const memory = createMemoryBudget(60 * MB)
    const queue = createImageWorker({ child, clock, size: 2, memory })
    const page = createImageWorker({ child, clock, memory })
    const huge = await noise(1000, 1000).jpeg().toBuffer()
    const avif = { bytes: huge, options: { format: 'avif', quality: 50, metadata: 'strip' } } as const
    try {
      const made = await Promise.all([queue.encode(avif), queue.encode(avif), page.encode(avif)])
      expect(made.map(({ ok }) => ok)).toEqual([true, true, true])
      expect(needs.every((bytes) => bytes > 30 * MB && bytes < 60 * MB)).toBe(true)
      expect([most(), needs.length]).toEqual([1, 3])
    } finally {
      await queue.close()
      await page.close()
    }
  })

  it('lets small ones run beside each other, and beside a large one', async () => {
    const gone: (() => void)[] = []
    const started: number[] = []
    const { port } = scriptedChild(({ id, task }, { reply, need }) => {
      if (task !== undefined) return need(task.bytes[0]!)
      started.push(id)
      gone.push(() => reply({ ok: true }))
    })
    worker = createImageWorker({ child: port, clock, size: 4, memory: createMemoryBudget(100) })
    const sizes = [90, 5, 200, 5]
    const ends = sizes.map((size) => worker!.inspect({ bytes: new Uint8Array([size]) }))
    await expect.poll(() => started.length).toBe(2)
    expect(started).toEqual([1, 2])
    // The one that needs all of it has its turn before the small one that came later.
    gone.splice(0).forEach((end) => end())
    await expect.poll(() => started.length).toBe(3)
    expect(started).toEqual([1, 2, 3])
    gone.splice(0).forEach((end) => end())
    await expect.poll(() => started.length).toBe(4)
    gone.splice(0).forEach((end) => end())
    expect(await Promise.all(ends)).toHaveLength(4)
  })

  it('comes back from a worker that crashed, was given up or was withdrawn from', async () => {
    const memory = createMemoryBudget(10)
    const { port } = scriptedChild(({ id, task }, { reply, need, exit }) => {
      if (task !== undefined) need(10)
      else if (id > 3) reply({ ok: true })
      else if (id === 1) exit()
    })
    worker = createImageWorker({ child: port, clock, memory, timeoutsMs: { seconds: 30, minutes: 60_000 } })
    expect(await worker.inspect({ bytes: new Uint8Array([1]) })).toMatchObject({ ok: false })
    expect(await worker.inspect({ bytes: new Uint8Array([1]) })).toMatchObject({ ok: false })
    const stopped = new AbortController()
    const withdrawn = worker.encode(
      { bytes: new Uint8Array([1]), options: { format: 'webp', quality: 1, metadata: 'strip' } },
      stopped.signal,
    )
    stopped.abort()
    await expect(withdrawn).rejects.toMatchObject({ code: 'aborted' })
    expect(await worker.inspect({ bytes: new Uint8Array([1]) })).toMatchObject({ ok: true })
  })
})
