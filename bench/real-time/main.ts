import { fork, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import type { PracticeOptions } from '../../src/practice/protocol.ts'
import type { LedgerSnapshot } from '../../test/practice/faulty-practice.ts'
import type { FromPracticeChild } from '../../test/practice/practice-child.ts'

/*
 * Four minutes of real time: `hangar run` on 108 pictures, and a plain client beside it (20 at a time, a poll every 5 s, a
 * refused call again after what the service says), each with a practice service of its own: 60 requests a minute, jobs
 * log-normal around 8 s. `npm run bench real-time`, or `node bench/real-time/main.ts [--sigma 0.5] [--seed 7]`
 */

const { values } = parseArgs({
  options: { sigma: { type: 'string', default: '0.5' }, seed: { type: 'string', default: '7' } },
})

const ROOT = resolve(import.meta.dirname, '../..')
const PICTURES = 108
const MINUTE = 60_000
const LASTS_MS = 4 * MINUTE
const IMAGES_AT_A_TIME = 20
const POLL_EVERY_MS = 5000
const CONFIG: PracticeOptions = {
  requestsPerMinute: 60,
  credits: 10_000,
  seed: Number(values.seed),
  jobTime: { kind: 'lognormal', medianMs: 8000, sigma: Number(values.sigma) },
}

interface Service {
  imageBaseUrl: string
  apiKey: string
  ledger(): Promise<LedgerSnapshot>
  stop(): void
}

async function startPractice(): Promise<Service> {
  const child = fork(join(ROOT, 'test/practice/practice-child.ts'), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  })
  const message = <Type extends FromPracticeChild['type']>(type: Type) =>
    new Promise<Extract<FromPracticeChild, { type: Type }>>((done) => {
      const take = (message: unknown): void => {
        const given = message as FromPracticeChild
        if (given.type !== type) return
        child.off('message', take)
        done(given as Extract<FromPracticeChild, { type: Type }>)
      }
      child.on('message', take)
    })
  const ready = message('ready')
  child.send({ type: 'start', config: CONFIG })
  const { imageBaseUrl, apiKey } = await ready
  const ledger = async () => {
    const reply = message('reply')
    child.send({ type: 'control', id: 1, request: { type: 'get-ledger' } })
    return (await reply).result as LedgerSnapshot
  }
  return { imageBaseUrl, apiKey, ledger, stop: () => child.disconnect() }
}

interface Results {
  startedMs: number
  /** In the order in which they came. Times are wall time, as in the ledger. */
  results: { name: string; atMs: number }[]
}

async function hangarResults(folder: string, dataDir: string, { imageBaseUrl, apiKey }: Service): Promise<Results> {
  const args = ['run', folder, '--json', '--yes', '--data-dir', dataDir]
  const env = { PATH: process.env['PATH'], HOME: dataDir, HANGAR_SERVICE_URL: imageBaseUrl, HANGAR_API_KEY: apiKey }
  const startedMs = Date.now()
  const child = spawn(process.execPath, [join(ROOT, 'out/main/cli.js'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const results: Results['results'] = []
  child.stderr.on('data', (data: Buffer) => process.stderr.write(data))
  createInterface(child.stdout).on('line', (line) => {
    const { event, state, path } = JSON.parse(line) as { event: string; state?: string; path?: string }
    if (event === 'job' && state === 'done') results.push({ name: basename(path ?? ''), atMs: Date.now() })
  })
  const ended = new Promise((done) => child.once('exit', done))
  await sleep(LASTS_MS)
  child.kill('SIGTERM')
  await ended
  return { startedMs, results }
}

async function plainResults(paths: string[], { imageBaseUrl, apiKey }: Service): Promise<Results> {
  const results: Results['results'] = []
  const startedMs = Date.now()
  const isOver = () => Date.now() - startedMs > LASTS_MS
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    for (;;) {
      const answer = await fetch(`${imageBaseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${apiKey}` } })
      if (answer.status !== 429) return answer
      await answer.arrayBuffer()
      if (isOver()) throw new Error('over')
      await sleep(1000 * Number(answer.headers.get('retry-after') ?? 5))
    }
  }
  const queue = [...paths]
  const worker = async () => {
    for (let path = queue.shift(); path !== undefined && !isOver(); path = queue.shift()) {
      const form = new FormData()
      form.set('image', new Blob([await readFile(path)], { type: 'image/jpeg' }), path.split('/').at(-1))
      const dispatched = (await (await call('/images/process', { method: 'POST', body: form })).json()) as {
        data: { job_id: string }
      }
      for (;;) {
        await sleep(POLL_EVERY_MS)
        if (isOver()) return
        const { data } = (await (await call(`/jobs/${dispatched.data.job_id}`)).json()) as {
          data: { status: string; image: { id: string } }
        }
        if (data.status !== 'completed') continue
        await (await call(`/images/${data.image.id}/optimized`)).arrayBuffer()
        results.push({ name: basename(path), atMs: Date.now() })
        break
      }
    }
  }
  await Promise.allSettled(Array.from({ length: IMAGES_AT_A_TIME }, worker))
  return { startedMs, results }
}

function row(name: string, { startedMs, results }: Results, { requests, charges }: LedgerSnapshot): string {
  const after = [1, 2, 3, 4].map((minutes) => results.filter(({ atMs }) => atMs <= startedMs + minutes * MINUTE).length)
  const askedAtMs = new Map(requests.map(({ seq, atMs }) => [seq, atMs]))
  const sentAtMs = new Map(charges.map(({ filename, seq, atMs }) => [filename, askedAtMs.get(seq) ?? atMs]))
  const inFlightMs = results.map(({ name, atMs }) => atMs - (sentAtMs.get(name) ?? NaN)).sort((a, b) => a - b)
  const sends = [...sentAtMs.values()]
  const atOnce = sends.map(
    (ms) => sends.filter((atMs) => atMs <= ms).length - results.filter(({ atMs }) => atMs <= ms).length,
  )
  const refused = requests.filter(({ status }) => status === 429).length
  const inSeconds = (ms: number | undefined): string => ((ms ?? NaN) / 1000).toFixed(0)
  const first = inSeconds((results[0]?.atMs ?? NaN) - startedMs)
  const median = inSeconds(inFlightMs[inFlightMs.length >> 1])
  return `| ${[name, values.sigma, values.seed, ...after, first, median, Math.max(...atOnce), refused].join(' | ')} |`
}

const dir = await mkdtemp(join(tmpdir(), 'hangar-real-time-'))
const services = await Promise.all([startPractice(), startPractice()])
try {
  const folder = join(dir, 'pictures')
  const paths = Array.from({ length: PICTURES }, (_, n) => join(folder, `${n}.jpg`))
  await mkdir(folder)
  for (const [n, path] of paths.entries())
    await sharp({
      create: {
        width: 320,
        height: 240,
        channels: 3,
        background: { r: n, g: 2 * n, b: 255 - n },
        noise: { type: 'gaussian', mean: 120, sigma: 20 },
      },
    })
      .jpeg()
      .toFile(path)
  const [hangar, plain] = await Promise.all([
    hangarResults(folder, join(dir, 'data'), services[0]),
    plainResults(paths, services[1]),
  ])
  console.log(
    '| client | sigma | seed | results after 1 min | 2 min | 3 min | 4 min | first result s | sent to result, median s | most in flight | answers of 429 |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  console.log(row('Hangar', hangar, await services[0].ledger()))
  console.log(row('20 at a time, every 5 s', plain, await services[1].ledger()))
} finally {
  for (const service of services) service.stop()
  await rm(dir, { recursive: true, force: true })
}
