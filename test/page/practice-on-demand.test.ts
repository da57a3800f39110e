import { afterEach, beforeEach, expect, it } from 'vitest'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { PracticeOnDemand } from '../../src/main/page/practice-on-demand.ts'
import { createHttp } from '../../src/main/services/http.ts'
import type { ChildHandle, ChildPort } from '../../src/shared/runtime/ports.ts'
import { builtChildren } from '../built-children.ts'
import { quiet } from '../simulation/world.ts'
import { PATIENCE_MS, until } from '../until.ts'

/** The real program, with a count of its starts. */
class Programs implements ChildPort {
  started = 0
  latest: ChildHandle | null = null
  spawn(): ChildHandle {
    this.started += 1
    this.latest = builtChildren.spawn('practice')
    return this.latest
  }
}

let programs: Programs
let practice: PracticeOnDemand

beforeEach(() => {
  programs = new Programs()
  practice = new PracticeOnDemand({
    child: programs,
    http: createHttp({ clock: realClock, version: 'test' }),
    log: { ...quiet, hideSecret: () => undefined },
    options: { seed: 1 },
  })
})
afterEach(() => practice.close())

const get = (path: string) =>
  practice.request({
    method: 'GET',
    url: practice.address.imageBaseUrl + path,
    headers: { authorization: `Bearer ${practice.address.apiKey}` },
    maxBytes: 100_000,
    idleTimeoutMs: PATIENCE_MS,
    connectTimeoutMs: PATIENCE_MS,
  })

it('starts once, with the first requests, and answers to the key that was there before', async () => {
  expect(programs.started).toBe(0)
  const answers = await Promise.all([get('/languages'), get('/credits/balance')])
  expect(answers).toMatchObject([{ response: { status: 200 } }, { response: { status: 200 } }])
  expect(programs.started).toBe(1)
})

it('starts again with the next request after its process ended, behind the same address and key', async () => {
  await get('/languages')
  let hasEnded = false
  programs.latest!.onExit(() => (hasEnded = true))
  programs.latest!.kill()
  await until('it ended', () => hasEnded)
  expect(await get('/credits/balance')).toMatchObject({ response: { status: 200 } })
  expect(programs.started).toBe(2)
})
