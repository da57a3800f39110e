import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WeatherEffect } from '../practice/faults.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import type { RunningEngine } from './engine-parts.ts'
import { PATIENCE_MS, until } from '../until.ts'
import { FaultWorld, type StartOptions } from './fault-world.ts'
import { startFaultProxy, type FaultProxy, type ProxyFault } from './fault-proxy.ts'

/** Waits of the product are this much shorter; the service keeps the same time. */
const SPEED = 20
/** For tests of silence: time-outs that are this much shorter, and still longer than a busy machine is silent. */
const IMPATIENCE = 10

let world: FaultWorld
let proxy: FaultProxy
let running: RunningEngine
let engine: Engine

beforeEach(async () => {
  world = await FaultWorld.make({ speed: SPEED })
  proxy = await startFaultProxy(world.practice.port)
  running = await world.open({ serviceUrl: proxy.baseUrl })
  engine = running.engine
})

afterEach(async () => {
  await world.end()
  await proxy.close()
})

const isDispatch = (line: string) => line.startsWith('POST ')
const isPoll = (line: string) => line.includes('/jobs/')

const run = () => world.run(engine)

/** A person asks for it: by themselves, pictures wait once four in a row were lost. */
const insist = (how: 'jobs.retry' | 'queue.resume') =>
  how === 'jobs.retry' ? engine.call(how, { ids: [], all: false }) : engine.call(how, {})

/** The fault for the first `times` requests that fit, then clear air. */
function strike(fits: (line: string) => boolean, fault: ProxyFault, times = 1): void {
  let left = times
  proxy.fault = (line) => (fits(line) && left-- > 0 ? fault : { kind: 'pass' })
}

it('an upload that is reset at any byte makes one picture unknown at most, and is never sent again by itself', async () => {
  const positions = [0, 1, 40, 200, 500, 1000, 2000, 4000, 6000]
  for (const afterBytes of positions) {
    await world.add()
    strike(isDispatch, { kind: 'resetUpload', afterBytes })
    await insist('queue.resume')
    await run()
  }
  expect(proxy.requests.filter(isDispatch)).toHaveLength(positions.length)
  expect(world.tally()).toEqual({ 'unknown unclear_answer': positions.length })
  expect(await world.violations(true)).toEqual([])
})

describe('an answer that is lost after the charge', () => {
  it('leaves the picture unknown through a restart, until a person has it sent again', async () => {
    await world.addSome(3)
    await world.weather({ on: 'dispatch', times: 1, effect: { kind: 'reset', when: 'after-work' } })
    await run()
    expect(world.tally()).toEqual({ 'unknown unclear_answer': 1, done: 2 })
    const { engine: second } = await reopened()
    expect(await world.look(second)).toBe(true)
    await world.rest()
    expect(world.tally()).toEqual({ 'unknown unclear_answer': 1, done: 2 })
    expect(await world.violations(true)).toEqual([])

    const listed = await second.call('jobs.list', { states: ['unknown'] })
    const job = listed.ok ? listed.value.jobs[0]! : null
    await second.call('jobs.resolve', { ids: [job!.id], how: 'resend' })
    world.approvedRepeats.set(job!.image!.sha256, 1)
    await until('the resend has ended', () => world.counts()['done'] === 3)
    expect(await world.violations(true)).toEqual([])
  })

  it('or is a 500, an odd page or a stream without end, is a doubt and never a second sending', async () => {
    const json = 'HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\n'
    const faults: ProxyFault[] = [
      { kind: 'say', text: 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' },
      { kind: 'say', text: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<h1>Hello</h1' },
      { kind: 'say', text: `${json}Content-Length: 2\r\n\r\n{}` },
      { kind: 'say', text: `${json}Content-Length: 900\r\n\r\n{"job_id": "01` },
      { kind: 'say', text: 'SSH-2.0-OpenSSH_9.2\r\n' },
      { kind: 'endless', text: `${json}\r\n{"job_id": "`, chunk: 'A'.repeat(65_536) },
      { kind: 'endless', text: 'HTTP/1.1 202 Accepted\r\n', chunk: `X-Pad: ${'a'.repeat(1000)}\r\n` },
      { kind: 'stall' },
    ]
    await reopened({ impatience: IMPATIENCE })
    for (const fault of faults) {
      await world.add()
      strike(isDispatch, fault)
      await insist('jobs.retry')
      await run()
    }
    expect(proxy.requests.filter(isDispatch)).toHaveLength(faults.length)
    expect(world.counts()).toEqual({ unknown: faults.length })
    expect(await world.violations(true)).toEqual([])
  })
})

it('a poll that is reset, cut, nonsense or endless is repeated until the answer is there', async () => {
  await reopened({ impatience: IMPATIENCE })
  await world.addSome(4)
  const faults: ProxyFault[] = [
    { kind: 'resetUpload', afterBytes: 20 },
    { kind: 'cutAnswer', afterBytes: 100, how: 'reset' },
    { kind: 'cutAnswer', afterBytes: 250, how: 'end' },
    { kind: 'say', text: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\nnull' },
    { kind: 'say', text: 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n' },
    { kind: 'endless', text: 'HTTP/1.1 200 OK\r\n\r\n{"job": {"a": "', chunk: 'A'.repeat(65_536) },
    { kind: 'stall' },
  ]
  proxy.fault = (line) => (isPoll(line) ? (faults.shift() ?? { kind: 'pass' }) : { kind: 'pass' })
  await run()
  expect(faults).toEqual([])
  expect(world.tally()).toEqual({ done: 4 })
  expect(await world.violations(true)).toEqual([])
})

it('a download that is cut, lengthless, slow or something else never becomes a result, and is fetched again', async () => {
  const headers = { 'content-type': 'text/html' }
  const effects: WeatherEffect[] = [
    { kind: 'cut-body', keepFraction: 0.5 },
    { kind: 'cut-body', keepFraction: 0 },
    { kind: 'lengthless', keepFraction: 0.5 },
    { kind: 'lengthless', keepFraction: 0.99 },
    { kind: 'lengthless', keepFraction: 1 },
    { kind: 'wrong-bytes' },
    { kind: 'answer', status: 200, body: '<html>not yet</html>', headers, when: 'after-work' },
    { kind: 'answer', status: 500, body: 'no', when: 'after-work' },
    { kind: 'reset', when: 'before-work' },
    { kind: 'trickle', bytesPerSecond: 20_000 },
  ]
  await world.addSome(4)
  await world.weather(...effects.map((effect) => ({ on: 'optimized' as const, times: 1, effect })))
  await run()
  expect((await world.practice.control({ type: 'get-state' })).weatherRules).toBe(0)
  expect(world.tally()).toEqual({ done: 4 })
  expect(await world.violations(true)).toEqual([])
})

it('a redirect of any kind, on a dispatch or a poll, leads nowhere: no request, body or key arrives at its target', async () => {
  const arrived: string[] = []
  const thief = createServer((request, response) => {
    arrived.push(JSON.stringify([request.url, request.headers]))
    response.end('{}')
  })
  thief.listen(0, '127.0.0.1')
  await once(thief, 'listening')
  const location = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/api/v1/images/process`
  try {
    for (const status of [301, 302, 303, 307, 308])
      for (const on of ['dispatch', 'job'] as const) {
        await world.add()
        await world.weather({ on, times: 1, effect: { kind: 'redirect', status, location } })
        await engine.call('intake.add', world.everything)
        // No person does anything: a free call that is answered is enough.
        await world.rest()
        expect((await world.practice.control({ type: 'get-state' })).weatherRules).toBe(0)
      }
    expect(arrived).toEqual([])
  } finally {
    thief.close()
  }
  // 302 and 303 answer a picture that may have been taken.
  expect(world.tally()).toEqual({ done: 8, 'unknown unclear_answer': 2 })
  expect(await world.violations(true)).toEqual([])
})

it('a service that is not there for a while costs nothing: nothing is unknown, and all is done when it is back', async () => {
  await proxy.refuse()
  await world.addSome(5)
  await engine.call('intake.add', world.everything)
  await until('the pictures are taken in', () => world.counts()['ready'] === 5)
  await until('it was found to be away', () => engine.unreachable() !== null)
  await proxy.listen()
  await world.rest()
  expect(world.tally()).toEqual({ done: 5 })
  expect(await world.violations(true)).toEqual([])
})

async function reopened(start: StartOptions = {}): Promise<{ engine: Engine }> {
  await running.close(PATIENCE_MS * SPEED)
  const again = await world.open({ serviceUrl: proxy.baseUrl, ...start })
  running = again
  engine = again.engine
  return again
}
