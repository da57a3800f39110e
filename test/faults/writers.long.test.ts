import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { until } from '../until.ts'
import { FaultWorld } from './fault-world.ts'
import { pictureNumber } from './pictures.ts'
import { readJobs } from './journal-view.ts'
import { sha256Of } from './tree-record.ts'

let world: FaultWorld
afterEach(() => world.end())

/** Contents that were whole at some moment: nothing else may ever be sent. */
const whole = new Set<string>()
const made = (bytes: Buffer): Buffer => {
  whole.add(sha256Of(bytes))
  return bytes
}

function sentPartially(): string[] {
  return world.practice
    .ledger()
    .charges.filter(({ sha256 }) => !whole.has(sha256))
    .map(({ filename, sizeBytes }) => `${filename} (${sizeBytes} bytes)`)
}

async function watching(): Promise<void> {
  world = await FaultWorld.make({ recipe: { operation: 'optimize' } })
  const { engine } = await world.open({ watch: true })
  const added = await engine.call('folders.add', world.folder)
  expect(added.ok).toBe(true)
}

const path = (name: string) => join(world.pictures, name)

/** Writes in steps with a pause after each. */
async function slowly(name: string, bytes: Buffer, steps: number, pauseMs: number): Promise<void> {
  const size = Math.ceil(bytes.length / steps)
  for (let at = 0; at < bytes.length; at += size) {
    appendFileSync(path(name), bytes.subarray(at, at + size))
    await delay(pauseMs)
  }
}

/** As Samba and some copiers do: the final size first, the bytes later, with pauses longer than any settling. */
async function preallocated(name: string, bytes: Buffer): Promise<void> {
  const file = openSync(path(name), 'w')
  ftruncateSync(file, bytes.length)
  await delay(3000)
  const half = Math.floor(bytes.length / 2)
  writeSync(file, bytes, 0, half, 0)
  await delay(3000)
  writeSync(file, bytes, half, bytes.length - half, half)
  closeSync(file)
}

it('slow and odd writers get nothing sent that was not whole, and everything sent in the end', async () => {
  await watching()
  const pictures = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => pictureNumber(nth, nth === 3 ? 'png' : 'jpeg')),
  )
  const [growing, paused, samba, png, saved, edited, moved, deep, fleeting] = pictures.map(made) as [
    ...[Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer],
  ]
  const outside = join(world.base, 'outside', 'tree')
  mkdirSync(join(outside, 'inner'), { recursive: true })
  world.surround()
  await Promise.all([
    slowly('growing.jpg', growing, 30, 100),
    // Each pause is longer than two samples are apart.
    slowly('paused.jpg', paused, 3, 2600),
    preallocated('samba.jpg', samba),
    preallocated('samba.png', png),
    // A save through another name, over an older version.
    (async () => {
      writeFileSync(path('saved.jpg'), made(await pictureNumber(50)))
      await delay(1500)
      writeFileSync(path('saved.jpg.tmp'), saved.subarray(0, 500))
      await delay(300)
      writeFileSync(path('saved.jpg.tmp'), saved)
      renameSync(path('saved.jpg.tmp'), path('saved.jpg'))
    })(),
    // Rewritten in place again and again.
    (async () => {
      for (let nth = 0; nth < 8; nth += 1) {
        writeFileSync(path('edited.jpg'), made(await pictureNumber(60 + nth)))
        await delay(400)
      }
      writeFileSync(path('edited.jpg'), edited)
    })(),
    // There and gone, at every pace.
    (async () => {
      for (let nth = 0; nth < 20; nth += 1) {
        writeFileSync(path('fleeting.jpg'), fleeting)
        await delay(nth * 25)
        rmSync(path('fleeting.jpg'))
        await delay(20)
      }
    })(),
    (async () => {
      writeFileSync(join(outside, 'moved.jpg'), moved)
      writeFileSync(join(outside, 'inner', 'deep.jpg'), deep)
      await delay(500)
      renameSync(outside, path('tree'))
      world.surround()
    })(),
  ])
  const kept = ['growing', 'paused', 'samba', 'saved', 'edited', 'tree/moved', 'tree/inner/deep']
  for (const name of ['samba.png', ...kept.map((one) => `${one}.jpg`)]) world.own(path(name))
  const last = new Set([...world.originals.values()].map(({ sha256 }) => sha256))
  await until(
    'the last version of each is done',
    () => {
      const done = readJobs(world.dataDir)!.filter(({ state }) => state === 'done')
      return [...last].every((sha256) => done.some((job) => job.sha256 === sha256))
    },
    { describe: () => world.reasons().join(', ') },
  )
  await world.rest()
  expect(sentPartially()).toEqual([])
  expect(await world.violations(true)).toEqual([])
})

it('a picture that changes while it is sent is sent as it was, its result belongs to that version, and the new version is done for itself', async () => {
  await watching()
  await world.weather({ on: 'dispatch', times: 4, effect: { kind: 'slow', delayMs: 1500 } })
  const isSending = (name: string) => () =>
    readJobs(world.dataDir)!.some((job) => job.path === path(name) && job.state === 'sending')
  // One after the other: a slow machine would not have both under way at the same time.
  const versions = (await Promise.all([1, 2, 3, 4].map((nth) => pictureNumber(nth)))).map(made)
  writeFileSync(path('.new'), versions[1]!)
  writeFileSync(path('renamed-over.jpg'), versions[0]!)
  await until('it is being sent', isSending('renamed-over.jpg'))
  renameSync(path('.new'), path('renamed-over.jpg'))
  writeFileSync(path('rewritten.jpg'), versions[2]!)
  await until('the other one is being sent', isSending('rewritten.jpg'))
  writeFileSync(path('rewritten.jpg'), versions[3]!)
  for (const name of ['renamed-over.jpg', 'rewritten.jpg']) world.own(path(name))
  await world.until('the new versions are done', () => world.counts()['done'] === 2)
  await world.rest()
  expect(sentPartially()).toEqual([])
  expect(world.practice.ledger().charges).toHaveLength(4)
  expect(await world.violations(true)).toEqual([])
})
