import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { makeJob } from '../queue/make-job.ts'
import { folderWithPictures, jsonLines, runCli, startPractice } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

it('counts removed jobs nowhere, and lists them when asked to', async () => {
  const data = folderForAll()
  const db = openJournal(data)
  const store = new JobStore(db, () => Date.now())
  const reason = { code: 'rejected_by_service', detail: null } as const
  const [gone, stays] = [makeJob({ state: 'failed', reason }), makeJob({ state: 'done' })]
  for (const job of [gone, stays]) store.insert(job)
  store.remove({ ids: [gone.id], states: [], kind: 'unsettled' }, 'undo')
  db.close()
  const at = ['--json', '--data-dir', data]
  const told = async (...args: string[]) => jsonLines((await runCli([...args, ...at])).stdout)
  const [status] = await told('status')
  expect(status).toMatchObject({ counts: { failed: 0, done: 1 }, waiting: [] })
  const ids = async (...args: string[]) => (await told('jobs', ...args)).map(({ id }) => id as string)
  expect(await ids()).toEqual([stays.id])
  expect(await ids('--removed')).toEqual([gone.id])
  expect((await runCli(['jobs', gone.id, '--data-dir', data])).stdout).toContain('taken off the list')
})

it('tells of a picture by its path what its sidecar knows, long after its job is gone', async () => {
  const practice = await startPractice()
  onTestFinished(() => practice.stop())
  const pictures = await folderWithPictures(['kept.jpg'])
  const [results, data] = [folderForAll(), folderForAll()]
  const at = ['--data-dir', data]
  await runCli(['run', pictures, '--output', results, '--languages', 'en,de', ...at], { env: practice.env })
  const db = openJournal(data)
  expect(new JobStore(db, () => Date.now()).clearSettled(Date.now() + 1000)).toBe(1)
  db.close()
  const path = join(pictures, 'kept.jpg')
  const [told] = jsonLines((await runCli(['jobs', path, '--json', ...at])).stdout)
  expect(told).toMatchObject({ event: 'sidecar', path, sidecarPath: join(results, 'kept.jpg.alt.json') })
  expect(told!['present']).toContain(join(results, 'kept-optimized.jpg'))
  await rm(join(results, 'kept-optimized.jpg'))
  const shown = await runCli(['jobs', 'kept.jpg', ...at], { cwd: pictures })
  expect(shown.stdout).toMatch(/optimized: .*kept-optimized\.jpg .*gone or changed/)
  expect(shown.stdout).toMatch(/ {2}de: .+ \[.+\]/)
  const unknown = await runCli(['jobs', join(pictures, 'other.jpg'), ...at])
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Nothing is known')])
})
