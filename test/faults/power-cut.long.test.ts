import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { itWith, STRACE } from '../needs.ts'
import { FaultWorld } from './fault-world.ts'
import { attachStrace, withFolderPaths } from './syscalls.ts'

let world: FaultWorld
afterEach(() => world.end())

/** One system call: where in the log it began and ended, and what it was about (paths of descriptors are shown). */
interface Call {
  name: string
  text: string
  began: number
  ended: number
}

/** Calls that succeeded, in the order they began. Interleaved threads are put together again. */
function parseTrace(log: string): Call[] {
  const open = new Map<string, Call>()
  const calls: Call[] = []
  for (const [at, line] of log.split('\n').entries()) {
    const [, tid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    const resumed = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest)
    const started = /^(\w+)\((.*)$/.exec(rest)
    const call =
      resumed !== null
        ? open.get(tid)
        : started === null
          ? undefined
          : { name: started[1]!, text: started[2]!, began: at, ended: at }
    if (call === undefined) continue
    if (resumed !== null) call.text += resumed[2]!
    else calls.push(call)
    call.ended = at
    if (rest.endsWith('<unfinished ...>')) open.set(tid, call)
    else open.delete(tid)
  }
  return calls.filter(({ text }) => !/= -1 E/.test(text) && !text.endsWith('<unfinished ...>'))
}

async function traceOnePicture(): Promise<Call[]> {
  world = await FaultWorld.make({ speed: 6 })
  const hangar = await world.start()
  const log = join(world.logDir, 'trace')
  const families =
    'openat,write,writev,pwrite64,sendto,sendmsg,fsync,fdatasync,link,linkat,unlink,unlinkat,rename,renameat2'
  const options = `-f -y -s 96 -p ${hangar.pid} -e trace=${families} -o ${log}`
  const strace = await attachStrace(options.split(' '))
  await world.add('photo.jpg')
  await world.run(hangar)
  await strace.detach()
  expect(world.tally()).toEqual({ done: 1 })
  return parseTrace(withFolderPaths(readFileSync(log, 'utf8')))
}

const paths = (text: string) => [...text.matchAll(/"([^"]*)"/g)].map((match) => match[1]!)
const isSync = ({ name }: Call) => name === 'fsync' || name === 'fdatasync'
const isWrite = ({ name }: Call) => /^(p?write|writev|pwrite64)$/.test(name)

itWith(STRACE)(
  'a power cut finds bytes before names, names before the journal, intent before the request',
  async () => {
    const calls = await traceOnePicture()
    const on = (path: string) => (call: Call) => call.text.includes(`<${path}>`)
    const wal = on(join(world.dataDir, 'journal.db-wal'))
    const folder = on(world.pictures)
    const walSyncs = calls.filter((call) => isSync(call) && wal(call))
    const namings = calls
      .filter(({ name }) => name.startsWith('link') || name.startsWith('rename'))
      .map((call) => ({ call, from: paths(call.text)[0]!, to: paths(call.text)[1]! }))
      .filter(({ to }) => dirname(to) === world.pictures && !basename(to).startsWith('.hangar'))
    expect(namings.map(({ to }) => basename(to)).sort()).toEqual(
      expect.arrayContaining(['photo-optimized.jpg', 'photo.jpg.alt.json', 'photo.webp']),
    )

    for (const { call, from, to } of namings) {
      const writes = calls.filter((other) => isWrite(other) && on(from)(other) && other.began < call.began)
      const synced = calls.find(
        (other) =>
          isSync(other) &&
          on(from)(other) &&
          other.ended < call.began &&
          other.began > Math.max(...writes.map(({ ended }) => ended)),
      )
      expect(writes.length, `${to} is written under its hidden name`).toBeGreaterThan(0)
      expect(synced, `${to} is on the disk before it has its name`).toBeDefined()
      const folderSynced = calls.find((other) => isSync(other) && folder(other) && other.began > call.ended)
      expect(folderSynced, `the name ${to} is brought to the disk`).toBeDefined()
      if (!to.endsWith('.json')) {
        expect(
          walSyncs.some((sync) => sync.began > synced!.ended && sync.ended < call.began),
          `the plan for ${to} is on the disk before the name is taken`,
        ).toBe(true)
        expect(walSyncs.at(-1)!.ended, `${to} counts as published only once the name is on the disk`).toBeGreaterThan(
          folderSynced!.ended,
        )
      }
    }

    const posted = calls.find(({ text }) => text.includes('POST /api/v1/images/process'))
    expect(posted).toBeDefined()
    const lastWrite = calls.filter((call) => isWrite(call) && wal(call) && call.ended < posted!.began).at(-1)
    const lastSync = walSyncs.filter((call) => call.ended < posted!.began).at(-1)
    expect(lastSync!.began, 'the intent is on the disk before the request leaves').toBeGreaterThan(lastWrite!.ended)
  },
)
