import { afterAll, expect, it } from 'vitest'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { makeJob } from '../queue/make-job.ts'
import { Folders, jsonLines, runCli } from './harness.ts'

const folders = new Folders()
afterAll(() => folders.removeAll())

it('counts removed jobs nowhere, and lists them when asked to', async () => {
  const data = await folders.make('data')
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
  expect((await runCli(['jobs', gone.id, '--data-dir', data])).stdout).toContain('taken from the list')
})
