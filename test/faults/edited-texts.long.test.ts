import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, it } from 'vitest'
import { describeWith, STRACE } from '../needs.ts'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import { ALL, CAMPAIGN_MS, killAtSample, SEED } from './campaign.ts'
import { FaultWorld, type EngineProcess } from './fault-world.ts'
import { countIn, readJournal } from './journal-view.ts'
import { callsDuring, inject, type Call, type ThreadName } from './syscalls.ts'
import { sha256Of } from './tree-record.ts'

/** As in `system-calls.long.test.ts`: this many in `npm run test:long`, all of them in `npm run test:faults`. */
const SAMPLE = 4

let world: FaultWorld
afterEach(() => world.end())

let edits = 0

const started = () => world.start({ threads: 1 })

/** A world with one picture whose files carry its texts; `replace`: one stands in the place of the original. */
async function makeWorld(output: 'beside' | 'replace'): Promise<void> {
  world = await FaultWorld.make({ speed: 6, recipe: { embedTexts: true, output: { kind: output } } })
  Object.assign(world.checks, { rewritten: true, replaced: output === 'replace' })
  await world.add()
  const hangar = await started()
  await world.run(hangar)
  await hangar.kill()
}

/** Edits the text. False when the engine was killed on the way. */
async function edit(hangar: EngineProcess): Promise<boolean> {
  edits += 1
  const list = await hangar.call('jobs.list', {})
  if (list?.ok !== true) return false
  const { id } = list.value.jobs.find(({ state }) => state === 'done')!
  const altText = `A heron, for the ${edits}th time`
  return (await hangar.call('jobs.editText', { id, languageCode: 'en', altText })) !== null
}

async function listCalls(thread: ThreadName): Promise<Call[]> {
  const hangar = await started()
  const calls = await callsDuring(hangar.pid, thread, join(world.logDir, 'calls'), async () =>
    expect(await edit(hangar)).toBe(true),
  )
  await hangar.kill()
  return calls
}

/** What is still to be given its newest texts, as the journal says. */
const staleFiles = () => countIn(world.dataDir, 'stale_texts')

/** Journal, sidecar and disk agree, file by file, and each carries the text that the sidecar has. */
async function expectInStep(at: string): Promise<void> {
  const results = readJournal(world.dataDir)!.outputs.filter(({ role }) => role !== 'sidecar')
  // The compressed file, the converted one, and one of another width.
  expect(results.length, at).toBe(3)
  for (const { path, sha256, sourcePath, state } of results) {
    const bytes = readFileSync(path)
    const sidecar = Sidecar.parse(JSON.parse(readFileSync(`${sourcePath}.alt.json`, 'utf8')))
    const listed = sidecar.outputs.filter(({ name }) => name === basename(path))
    const expected = ['published', sha256Of(bytes), sha256Of(bytes)]
    expect([state, sha256, ...listed.map((output) => output.sha256)], `${at}: ${path}`).toEqual(expected)
    const { xmp } = await sharp(bytes).metadata()
    expect(xmp?.toString(), `${at}: ${path}`).toContain(`>${sidecar.translations[0]!.seoAltText}<`)
  }
}

/** After a kill: the next start ends what was begun, and a run finds nothing to do. */
async function restartAndCheck(at: string): Promise<void> {
  const hangar = await started()
  await world.until('all files have their texts', () => staleFiles() === 0)
  // What the killed one had not noted, or not written into the sidecar, comes with the next edit.
  expect(await edit(hangar), at).toBe(true)
  await world.run(hangar)
  await expectInStep(at)
  expect(await world.violations(true), at).toEqual([])
  await hangar.kill()
}

/** Whether an edit was killed at its call of this number; what came of it is checked in any case. */
async function isKilledAt(thread: ThreadName, call: Call): Promise<boolean> {
  const hangar = await started()
  await inject(hangar.pid, thread, call, 'signal=KILL')
  const isHit = !(await edit(hangar))
  await hangar.kill()
  await restartAndCheck(`killed at ${call.call} ${call.nth}`)
  return isHit
}

describeWith(STRACE)('a kill while files are given an edited text', () => {
  for (const output of ['beside', 'replace'] as const)
    for (const thread of ['main', 'pool'] as const)
      it(
        `breaks no promise (${output}, ${ALL ? 'every call' : `${SAMPLE} calls`} of the ${thread} thread, seed ${SEED})`,
        { timeout: CAMPAIGN_MS },
        async () => {
          await makeWorld(output)
          await killAtSample(await listCalls(thread), SAMPLE, `${output}, ${thread} thread`, {
            killAt: async (group) => {
              let hits = 0
              // On a busy machine an edit may take fewer calls than the one whose calls were listed.
              for (const call of group)
                if ((await isKilledAt(thread, call)) || (await isKilledAt(thread, call))) hits += 1
              return hits
            },
            another: async () => {
              await world.end()
              await makeWorld(output)
            },
          })
        },
      )
})
