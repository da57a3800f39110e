import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { problemsIn, standstillMs } from '../../src/main/core/attention.ts'
import { NO_JOBS } from '../../src/shared/presentation/progress-figures.ts'
import { until } from '../until.ts'
import { drawPicture, folderWithPictures, jsonLines, runCli, startCli, startPractice } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

const CONTAINER = resolve(import.meta.dirname, '../../docs/container')

const well = {
  running: true,
  dataDir: '/d',
  folders: [],
  stopped: [],
  ledger: null,
  waiting: [],
  counts: { ...NO_JOBS, ready: 3 },
  paused: false,
  lastEventMs: 0,
  nowMs: 0,
}
const MINUTES = 60_000
const still = 'Nothing has moved for 15 min, though 3 pictures wait.'

it.each([
  [well, []],
  [{ ...well, running: false }, [['not_running', null, 'No Hangar is running on /d.']]],
  [{ ...well, nowMs: 15 * MINUTES }, [['nothing_moves', null, still]]],
  [{ ...well, running: false, nowMs: 60 * MINUTES }, [['not_running', null, 'No Hangar is running on /d.']]],
  [
    {
      ...well,
      folders: (['watched', 'paused', 'missing', 'refused'] as const).map((state) => ({
        id: state,
        path: `/${state}`,
        state,
        reason: null,
      })),
    },
    [
      ['watched_folder_missing', '/missing', 'Missing: /missing'],
      ['watched_folder_refused', '/refused', 'Not watched: /refused'],
    ],
  ],
])('of %j it says %j', (facts, said) =>
  expect(problemsIn(facts).map(({ code, subject, text }) => [code, subject, text])).toEqual(said),
)

it('counts as a standstill a quarter of an hour in which pictures waited and nothing happened', () => {
  const facts = { ...well, nowMs: 15 * MINUTES }
  expect(standstillMs(facts)).toBe(15 * MINUTES)
  expect(standstillMs({ ...facts, nowMs: 14.9 * MINUTES })).toBeNull()
  expect(standstillMs({ ...facts, counts: NO_JOBS })).toBeNull()
  expect(standstillMs({ ...facts, paused: true })).toBeNull()
  expect(standstillMs({ ...facts, lastEventMs: null })).toBeNull()
})

it('says of a part that has stopped what it works on', () => {
  const stopped = [{ task: 'folder_scan' as const, code: 'disk_full' as const, subject: 'one' }]
  const folders = [{ id: 'one', path: '/pictures', state: 'watched', reason: null }]
  const [said] = problemsIn({ ...well, stopped, folders })
  expect(said).toMatchObject({ code: 'part_stopped', subject: 'folder_scan /pictures' })
  expect(said!.text).toContain('/pictures')
})

it('says of held pictures and of a team ledger why', () => {
  const waiting = [
    { state: 'held' as const, code: 'disk_full' as const, detail: null, count: 4 },
    { state: 'failed' as const, code: 'damaged' as const, detail: null, count: 1 },
  ]
  const said = problemsIn({ ...well, waiting, ledger: { code: 'ledger_away', detail: null } })
  expect(said.map(({ code, subject }) => [code, subject])).toEqual([
    ['ledger_away', null],
    ['disk_full', null],
  ])
  expect(said[1]!.text).toMatch(/^4 held: .*disk/i)
})

/** Those of the container file and of the compose file, as arguments of a shell's `hangar`. */
function healthChecks(): string[][] {
  const text = ['Containerfile', 'compose.yaml'].map((name) => readFileSync(join(CONTAINER, name), 'utf8'))
  const found = text.map((file) => /^(?:HEALTHCHECK .* CMD|\s+test:) (\[.*\])$/m.exec(file)?.[1] ?? '[]')
  return found.map((list) => JSON.parse(list.replaceAll("'", '"')) as string[])
}

it('is what containers ask for their health', () => {
  const hangar = ['node', '/opt/hangar/out/main/cli.js', 'status', '--check']
  expect(healthChecks()).toEqual([hangar, ['CMD', ...hangar]])
})

it('ends with 0 while a watch runs, and with 7 for a key that is refused, and when none runs', async () => {
  const practice = await startPractice()
  const pictures = await folderWithPictures(['a.jpg'])
  const data = folderForAll()
  const check = (...more: string[]) => runCli(['status', '--check', '--data-dir', data, ...more])
  expect(await check()).toMatchObject({ code: 7, stdout: `No Hangar is running on ${data}.\n` })
  const watch = startCli(['watch', pictures, '--data-dir', data], { env: practice.env })
  await watch.said(/^done/m)
  expect(await check()).toMatchObject({ code: 0, stdout: 'All is well.\n' })
  await watch.stop()
  await drawPicture(join(pictures, 'b.jpg'))
  const wrong = startCli(['watch', '--data-dir', data], { env: { ...practice.env, HANGAR_API_KEY: 'wrong' } })
  await wrong.said(/refused the key/)
  await until('it is held', async () => (await check()).stdout.includes('1 held'))
  const refused = await check('--json')
  expect(refused.code).toBe(7)
  expect(jsonLines(refused.stdout)[0]).toMatchObject({
    running: true,
    problems: [expect.stringMatching(/^1 held: .*key/i)],
  })
  await wrong.stop()
  await practice.stop()
})

it('names the practice service that a running Hangar uses, whose credits a command can ask for', async () => {
  const at = ['--data-dir', folderForAll()]
  const served = startCli(['serve', '--practice', '--port', '0', ...at])
  await served.said(/works once/)
  expect((await runCli(['status', ...at])).stdout).toContain('Image service: practice\n')
  expect(await runCli(['credits', '--practice', ...at])).toMatchObject({ code: 0, stdout: '500 credits\n' })
  const options = { env: { HANGAR_API_KEY: 'some-key' } }
  const { code, stderr } = await runCli(['credits', '--service-url', 'http://127.0.0.1:9', ...at], options)
  expect([code, stderr]).toEqual([5, expect.stringContaining('uses another image service')])
  await served.stop()
})
