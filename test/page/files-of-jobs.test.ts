import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtChildren } from '../built-children.ts'
import type { PageResponse } from '../../src/shared/contract/calls.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { createUiHost, type UiHost } from '../../src/main/page/ui-host.ts'
import { tempFolder } from '../files/temp-folder.ts'
import { quiet, quietBackground } from '../simulation/world.ts'
import { RecordingShell } from './app-harness.ts'
import { FakeEngine } from './fake-engine.ts'
import { jobId, jobView } from './make-view.ts'

function hostFor(engine: FakeEngine, dir: string): UiHost {
  const host = createUiHost({
    engine,
    shell: new RecordingShell(),
    child: builtChildren,
    clock: realClock,
    log: quiet,
    background: quietBackground(),
    version: '1',
    locale: 'en',
    dataDir: dir,
    homeDir: dir,
    onSettings: () => undefined,
  })
  onTestFinished(() => host.close())
  return host
}

describe('a file that a job names', () => {
  it('is handed out when Hangar wrote it, and not while its name is only planned', async () => {
    const dir = await tempFolder()
    const engine = new FakeEngine()
    const outputs = jobView().outputs.map((output, n) => ({
      ...output,
      path: join(dir, `out-${n}.jpg`),
      state: n === 0 ? ('published' as const) : ('planned' as const),
    }))
    for (const { path } of outputs) await writeFile(path, 'another’s')
    engine.put(1, { outputs, rootDir: dir, source: { path: join(dir, 'gone.jpg'), sizeBytes: 1, mtimeNs: '1' } })
    const host = hostFor(engine, dir)
    expect(await host.output(jobId(1), 0)).toEqual({ path: join(dir, 'out-0.jpg'), name: 'out-0.jpg', rootDir: dir })
    expect(await host.output(jobId(1), 1)).toBeNull()
    expect(await host.output(jobId(1), null)).toBeNull()
    for (const index of [2, -1, 0.5, Number.NaN]) expect(await host.output(jobId(1), index)).toBeNull()
    expect(await host.output(jobId(2), 0)).toBeNull()
  })

  it('is not handed out once a folder on the way leads out of the watched one', async () => {
    const [dir, elsewhere] = [await tempFolder(), await tempFolder()]
    await writeFile(join(elsewhere, 'a.jpg'), 'private')
    const engine = new FakeEngine()
    engine.put(1, {
      outputs: [],
      rootDir: dir,
      source: { path: join(dir, 'sub', 'a.jpg'), sizeBytes: 1, mtimeNs: '1' },
    })
    const host = hostFor(engine, dir)
    await symlink(elsewhere, join(dir, 'sub'))
    expect(await host.output(jobId(1), null)).toBeNull()
    await rm(join(dir, 'sub'))
    await mkdir(join(dir, 'sub'))
    await writeFile(join(dir, 'sub', 'a.jpg'), 'its own')
    expect(await host.output(jobId(1), null)).toMatchObject({ path: join(dir, 'sub', 'a.jpg') })
  })
})

it('the originals of jobs are given once each, as what a page may hand in again, and those that are gone are counted', async () => {
  const dir = await tempFolder()
  const engine = new FakeEngine()
  const source = (name: string) => ({ source: { path: join(dir, name), sizeBytes: 1, mtimeNs: '1' } })
  for (const name of ['a.jpg', 'b.jpg']) await writeFile(join(dir, name), name)
  await mkdir(join(dir, 'folder.jpg'))
  for (const [n, name] of ['a.jpg', 'a.jpg', 'b.jpg', 'gone.jpg', 'folder.jpg'].entries())
    engine.put(n + 1, source(name))
  const host = hostFor(engine, dir)
  const sources = await host.call('jobs.sources', { ids: [1, 2, 3, 4, 5, 6].map(jobId) })
  if (!sources.ok) throw new Error(sources.error.code)
  const { places, missing } = sources.value as PageResponse<'jobs.sources'>
  expect(places.map(({ name, path, kind }) => [name, path, kind])).toEqual([
    ['a.jpg', join(dir, 'a.jpg'), 'file'],
    ['b.jpg', join(dir, 'b.jpg'), 'file'],
  ])
  expect(missing).toBe(2)
  expect(places.map(({ token }) => host.places.resolve(token))).toEqual(places.map(({ path }) => path))
})
