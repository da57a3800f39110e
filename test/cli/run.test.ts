import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { RateBudgetState } from '../../src/main/core/rate-budget.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { readJournal } from '../../src/main/engine/stored-settings.ts'
import { freePort } from '../free-port.ts'
import { OddService } from '../odd-service.ts'
import { contentOf, folderWithPictures, jsonLines, runCli, startPractice, withScript } from './harness.ts'
import { practice, startPracticeForAll } from './for-all-tests.ts'
import { folderForAll } from '../temp-folder.ts'

startPracticeForAll()
const SETS = {
  twice: ['one.jpg', 'two.png'],
  json: ['a.jpg', 'b.jpg'],
  dry: ['dry-a.jpg', 'dry-b.png'],
  key: ['key-a.jpg'],
  credits: ['a.jpg', 'b.jpg'],
  gone: ['a.jpg'],
  odd: ['a.jpg', 'b.jpg'],
  some: ['a.jpg'],
  interrupt: ['a.jpg'],
  foreign: ['a.jpg', 'b.jpg', 'c.jpg'],
}
/** Made together and early: a file that was just touched is looked at twice, two seconds apart. */
let pictures: Record<keyof typeof SETS, string>

beforeAll(async () => {
  const made = Object.entries(SETS).map(async ([set, names]) => [set, await folderWithPictures(names)] as const)
  pictures = Object.fromEntries(await Promise.all(made)) as typeof pictures
  await writeFile(join(pictures.some, 'broken.jpg'), 'no picture at all')
})

/** With a data folder of its own. */
const run = async (args: string[], env: Record<string, string> = practice.env) =>
  runCli(['run', ...args, '--data-dir', folderForAll()], { env })

/** A command that is interrupted as it prints this, and no later, however late a test would read it. */
const interruptedAt = (text: string) =>
  withScript(`
    const { write } = process.stdout
    process.stdout.write = function (chunk, ...rest) {
      if (String(chunk).includes(${JSON.stringify(text)})) {
        process.stdout.write = write
        process.kill(process.pid, 'SIGINT')
      }
      return write.call(this, chunk, ...rest)
    }`)

describe.concurrent('hangar run', () => {
  it('writes results beside the originals, and a second run sends and writes nothing, even with a new data folder', async () => {
    const before = await contentOf(pictures.twice)
    const data = folderForAll()
    const args = ['run', pictures.twice, '--languages', 'en,de', '--data-dir', data]
    const first = await runCli(args, { env: practice.env })
    expect(first.stderr).toBe('')
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(/2 done/)
    const after = await contentOf(pictures.twice)
    expect(Object.keys(after)).toEqual([
      'one-optimized.jpg',
      'one.jpg',
      'one.jpg.alt.json',
      'one.webp',
      'two-optimized.png',
      'two.png',
      'two.png.alt.json',
      'two.webp',
    ])
    expect(after).toMatchObject(before)
    expect(await practice.charges('one')).toBe(1)

    for (const dir of [data, folderForAll()]) {
      const again = await runCli([...args.slice(0, -1), dir], { env: practice.env })
      expect(again.code).toBe(0)
      expect(again.stdout).toMatch(/0 done, 2 done before · 0 requests/)
      expect(await contentOf(pictures.twice)).toEqual(after)
    }
    expect([await practice.charges('one'), await practice.charges('two')]).toEqual([1, 1])
  })

  it('prints one JSON object a line: jobs at each change, how far it is, then the summary, and nothing else', async () => {
    const own = await startPractice()
    const { code, stdout } = await run([pictures.json, '--json'], own.env)
    const { requests } = own.ledger()
    await own.stop()
    expect(code).toBe(0)
    const lines = jsonLines(stdout)
    expect(lines.pop()).toEqual({
      event: 'summary',
      done: 2,
      failed: 0,
      skipped: 0,
      held: 0,
      unknown: 0,
      cancelled: 0,
      missed: 0,
      // Six, and a poll more for each that a slow service answers before the job has ended.
      requests: requests.filter(({ keyId }) => keyId !== null).length,
      seconds: expect.any(Number) as number,
    })
    // On a slow machine there is time for how far it is, too.
    expect(new Set(lines.map(({ event }) => event).filter((event) => event !== 'progress'))).toEqual(new Set(['job']))
    const states = lines.filter(({ path }) => path === join(pictures.json, 'a.jpg')).map(({ state }) => state)
    expect(states).toEqual(['ready', 'sending', 'waiting', 'fetching', 'writing', 'done'])
    const done = lines.find(({ path, state }) => path === join(pictures.json, 'a.jpg') && state === 'done')!
    expect(done['id']).toMatch(/^[0-9A-Z]{26}$/)
    expect((done['outputs'] as { role: string }[]).map(({ role }) => role).sort()).toEqual([
      'converted',
      'optimized',
      'sidecar',
    ])
  })

  it('with --dry-run sends and writes nothing and says what it would do, what it would cost and what is done', async () => {
    const data = folderForAll()
    const before = await contentOf(pictures.dry)
    const args = ['run', pictures.dry, '--dry-run', '--data-dir', data]
    const { code, stdout } = await runCli(args, { env: practice.env })
    expect(code).toBe(0)
    expect(stdout).toContain('dry-a-optimized.jpg, dry-a.webp, dry-a.jpg.alt.json')
    expect(stdout).toMatch(/2 pictures would be sent .* That costs 6 credits; the account has \d+/)
    expect(await contentOf(pictures.dry)).toEqual(before)
    expect(await practice.charges('dry')).toBe(0)
    const json = jsonLines((await runCli([...args, '--json'], { env: practice.env })).stdout)
    expect(json[0]).toMatchObject({ event: 'job', id: null, state: 'ready', operation: 'process' })
    expect(json.slice(-2)).toMatchObject([
      { event: 'plan', send: 2, required: 6, atMost: false, held: 0, hold: null },
      { event: 'summary', done: 0 },
    ])
  })

  it('with --dry-run prints pictures as they are looked at, and ends with 130 at once when it is interrupted', async () => {
    const many = await folderWithPictures(Array.from({ length: 150 }, (_, n) => `many-${n}.jpg`))
    const data = folderForAll()
    const env = interruptedAt('send: process')
    const { code, stdout } = await runCli(['run', many, '--dry-run', '--data-dir', data], { env })
    expect(code).toBe(130)
    expect(stdout).not.toContain('This was a dry run')
    expect(stdout.match(/send: process/g)!.length).toBeLessThan(150)
    expect(await contentOf(data)).toEqual({})
  })

  it('with --dry-run counts its requests for the run that follows', async () => {
    const data = folderForAll()
    const noted = () => readJournal(data, (db) => new Documents(db).list('budget', RateBudgetState))
    for (const length of [1, 2]) {
      const asked = await runCli(['run', pictures.dry, '--dry-run', '--data-dir', data], { env: practice.env })
      expect(asked).toMatchObject({ code: 0, stderr: '' })
      expect(noted()).toMatchObject([{ value: { entries: { length } } }])
    }
  })

  it('with --dry-run works without service and key, and says that the cost is not known', async () => {
    const { code, stdout } = await run([pictures.dry, '--dry-run'], {})
    expect(code).toBe(0)
    expect(stdout).toMatch(/2 pictures would be sent .* What it costs is not known/)
  })

  it('ends with 3 and a way out when no service, no key, or a wrong key is there', async () => {
    const none = await run([pictures.key], {})
    expect(none.code).toBe(3)
    expect(none.stderr).toContain('--practice')
    const noKey = await run([pictures.key], { HANGAR_SERVICE_URL: practice.imageBaseUrl })
    expect(noKey.code).toBe(3)
    expect(noKey.stderr).toContain('hangar key set image')
    const wrong = await run([pictures.key], { ...practice.env, HANGAR_API_KEY: 'not-the-right-key' })
    expect(wrong.code).toBe(3)
    expect(wrong.stderr).toContain('refused the key')
    expect(wrong.stdout + wrong.stderr).not.toContain('not-the-right-key')
  })

  it('ends with 4 when the credits do not suffice, having fetched the results of what was paid for', async (test) => {
    const poor = await startPractice({ credits: 3 })
    test.onTestFinished(poor.stop)
    const { code, stdout, stderr } = await run([pictures.credits], poor.env)
    expect(code).toBe(4)
    expect(stdout).toMatch(/1 done, 1 held/)
    expect(stderr).toContain('Top up')
  })

  it('ends with 6 when the service has not answered for --wait seconds', async () => {
    const env = { HANGAR_SERVICE_URL: `http://127.0.0.1:${await freePort()}/api/v1`, HANGAR_API_KEY: 'a-key' }
    const { code, stderr } = await run([pictures.gone, '--wait', '1'], env)
    expect(code).toBe(6)
    expect(stderr).toContain('1 picture not finished')
  })

  it.for([
    ['is no JSON', '<html>'],
    ['is nested too deep', '['.repeat(500_000) + ']'.repeat(500_000)],
  ] as const)(
    'ends with 6 after --wait seconds too, the other picture done, when what answers a poll %s',
    async ([, answer], test) => {
      const service = await OddService.open()
      test.onTestFinished(() => service.close())
      service.onPoll = (_, response, job) => {
        if (job?.id === 'JOB-1') response.end(answer)
        return job?.id === 'JOB-1'
      }
      const args = [pictures.odd, '--operation', 'optimize', '--wait', '2', '--json']
      const { code, stdout } = await run(args, { HANGAR_SERVICE_URL: service.baseUrl, HANGAR_API_KEY: 'key' })
      const jobs = jsonLines(stdout).filter(({ event }) => event === 'job')
      const states = new Map(jobs.map(({ path, state }) => [path, state]))
      expect([code, ...[...states.values()].sort()]).toEqual([6, 'done', 'waiting'])
      // The other picture is sent although the first one was asked for in vain.
      expect(service.jobs).toHaveLength(2)
    },
  )

  it('ends with 1 when some pictures fail, and says which and why', async () => {
    const { code, stdout, stderr } = await run([pictures.some])
    expect(code).toBe(1)
    expect(stdout).toMatch(/1 done, 1 failed/)
    expect(stdout).toMatch(/failed .*broken\.jpg/)
    expect(stderr).toContain('Save it as JPEG, PNG, GIF or WebP')
  })

  it('leaves bins and libraries out, says so, and writes nothing in a library even where it is named', async () => {
    const dir = pictures.foreign
    const library = join(dir, 'F.photoslibrary')
    for (const [name, to] of [
      ['b.jpg', join(dir, '@Recycle')],
      ['c.jpg', library],
    ] as const) {
      await mkdir(to)
      await rename(join(dir, name), join(to, name))
    }
    const data = folderForAll()
    const convert = (...args: string[]) =>
      runCli(['run', '--data-dir', data, '--operation', 'convert', '--if-larger', 'keep', ...args])
    const said = '2 folders left out because they are bins, snapshots or other programs’: @Recycle, F.photoslibrary.'
    const preview = await convert('--dry-run', dir)
    expect(preview.stdout).not.toContain('@Recycle')
    expect(preview.stderr).toContain(said)
    const ended = await convert('--json', dir)
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain(said)
    expect(ended.stdout).toContain('{"event":"left_out","count":2,"first":["@Recycle","F.photoslibrary"]}')
    expect(ended.stdout).toContain('"done":1')
    const refused = await convert(library)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('a library of another program')
    expect(await readdir(library)).toEqual(['c.jpg'])
    const insisted = await convert(library, join(dir, '@Recycle'), '--output', join(dir, 'out'))
    expect(insisted.stdout).toContain('2 done')
    expect(await readdir(library)).toEqual(['c.jpg'])
  })

  it('ends with 130 when it is interrupted, and the next run finishes without paying again', async (test) => {
    const slow = await startPractice({ jobTime: { kind: 'fixed', ms: 10_000 } })
    test.onTestFinished(slow.stop)
    const args = ['run', pictures.interrupt, '--json', '--data-dir', folderForAll()]
    const ended = await runCli(args, { env: { ...slow.env, ...interruptedAt('"state":"waiting"') } })
    expect(ended.code).toBe(130)
    expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ event: 'summary', done: 0 })
    const next = await runCli(args, { env: slow.env })
    expect(next.code).toBe(0)
    expect(jsonLines(next.stdout).at(-1)).toMatchObject({ event: 'summary', done: 1 })
    expect(await slow.charges()).toBe(1)
  })

  it('refuses a language that the service does not offer before anything is sent', async () => {
    const { code, stderr } = await run([pictures.key, '--languages', 'en,tl'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/does not offer tl\. It knows: .*\ben\b/)
    expect(await practice.charges('key')).toBe(0)
  })
})
