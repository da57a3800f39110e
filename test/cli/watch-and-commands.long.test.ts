import { copyFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentOf, drawPicture, folderWithPictures, jsonLines, runCli, startCli, startPractice } from './harness.ts'
import { practice, startPracticeForAll } from './for-all-tests.ts'
import { folderForAll } from '../temp-folder.ts'

startPracticeForAll()

describe('hangar folders', () => {
  it('lists what is remembered, says why one cannot be watched, and removes it, also beside a watch', async () => {
    const [one, two] = [folderForAll(), folderForAll()]
    const at = ['--data-dir', folderForAll()]
    const watch = startCli(['watch', one, two, '--json', ...at], { env: practice.env })
    await watch.said(/Stop with/)
    expect((await watch.stop()).code).toBe(0)
    await rm(one, { recursive: true })
    await symlink(two, one)

    const again = startCli(['watch', '--json', ...at], { env: practice.env })
    await again.said(/Stop with/)
    await again.said(/"event":"folder"[^]*"event":"folder"/)
    expect(again.text.stderr).toContain(`Not watched: ${one}. This is the same folder as ${two}`)
    expect(again.text.stderr).not.toContain(`Watching ${one}`)
    expect(again.text.stderr).toContain(`Watching ${two}`)
    const states = [
      { path: one, state: 'refused', reason: { code: 'same_folder', values: { path: two } } },
      { path: two, state: 'watched', reason: null },
    ]
    expect(jsonLines(again.text.stdout).filter(({ event }) => event === 'folder')).toMatchObject(states)
    expect(jsonLines((await runCli(['status', '--json', ...at])).stdout)[0]!['folders']).toMatchObject(states)
    const listed = jsonLines((await runCli(['folders', '--json', ...at])).stdout)
    expect(listed).toMatchObject(states)
    for (const command of ['status', 'folders'])
      expect((await runCli([command, ...at])).stdout).toContain(`This is the same folder as ${two}`)
    expect((await runCli(['folders', 'remove', 'nothing', ...at])).code).toBe(2)
    expect((await runCli(['folders', 'remove', one, ...at])).stdout).toContain('1 folder removed')
    expect(jsonLines((await runCli(['folders', '--json', ...at])).stdout)).toHaveLength(1)
    expect((await again.stop()).code).toBe(0)

    const id = String(listed[1]!['id'])
    expect(jsonLines((await runCli(['folders', 'remove', id, '--json', ...at])).stdout)).toEqual([
      { event: 'command', folders: [id] },
    ])
    expect((await runCli(['folders', ...at])).stdout).toContain('No folder is watched')
  })
})

describe.concurrent('hangar watch', () => {
  it('needs no account for what is converted on this computer', async ({ expect }) => {
    const args = [
      'watch',
      await folderWithPictures(['free.jpg']),
      '--operation',
      'convert',
      '--data-dir',
      folderForAll(),
    ]
    const watch = startCli(args, { env: {} })
    await watch.said(/done .*free\.jpg/)
    expect((await watch.stop()).code).toBe(0)
  })

  it('says in JSON how far it is while there is work, and status how long the rest takes', async ({ expect }) => {
    const names = Array.from({ length: 16 }, (_, n) => `paced-${n}.jpg`)
    const [folder, data] = [await folderWithPictures(names), folderForAll()]
    const at = ['--data-dir', data]
    const idle = jsonLines((await runCli(['status', '--json', ...at])).stdout)[0]
    expect(idle).toMatchObject({ resultsPerMinute: null, leftMs: null })

    // Eighteen calls a minute for background work: the rest has to wait for the next minute.
    const args = ['watch', folder, '--json', '--requests-per-minute', '20', ...at]
    const watch = startCli(args, { env: practice.env })
    // A busy computer tells how far it is before all of them are taken in.
    await watch.said(/"event":"progress","total":16/)
    const said = jsonLines(watch.text.stdout).find(({ event, total }) => event === 'progress' && total === 16)
    expect(Object.keys(said!).sort()).toEqual(['ended', 'event', 'leftMs', 'resultsPerMinute', 'savedBytes', 'total'])
    const status = async () => jsonLines((await runCli(['status', '--json', ...at])).stdout)[0]!
    await expect.poll(async () => (await status())['leftMs']).toBeGreaterThan(0)
    expect((await runCli(['status', ...at])).stdout).toMatch(/Results: (?:\S+ pictures a minute; )?.+ left/)
    expect((await watch.stop()).code).toBe(0)
  })

  it('processes what is there and what arrives, keeps others out, takes commands, and ends with 0 at SIGTERM', async () => {
    const folder = await folderWithPictures(['there.jpg'])
    const data = folderForAll()
    const spare = await folderWithPictures(['later.jpg'])
    const at = ['--data-dir', data]
    const watch = startCli(['watch', folder, '--json', '--languages', 'de', ...at], { env: practice.env })
    await watch.said(/there\.jpg","state":"done"/)

    const other = await runCli(['run', spare, ...at], { env: practice.env })
    expect(other.code).toBe(5)
    expect(other.stderr).toContain('--data-dir')
    const status = jsonLines((await runCli(['status', '--json', ...at], { env: practice.env })).stdout)[0]
    expect(status).toMatchObject({ event: 'status', running: true, folders: [{ path: folder, paused: false }] })
    const credits = await runCli(['credits', '--json', ...at], { env: practice.env })
    expect([credits.code, jsonLines(credits.stdout)[0]]).toMatchObject([0, { event: 'credits' }])

    expect((await runCli(['cancel', '--away', ...at])).stdout).toContain('Nothing waits for a drive')
    const none = jsonLines((await runCli(['cancel', '--away', '--json', ...at])).stdout)
    expect(none).toEqual([{ event: 'command', changed: 0 }])
    const pause = await runCli(['pause', ...at])
    expect(pause.stdout).toContain('Sending is paused')
    await copyFile(join(spare, 'later.jpg'), join(folder, 'later.jpg'))
    await watch.said(/later\.jpg","state":"ready"/)
    const id = /"id":"(\w{26})","path":"[^"]*later\.jpg"/.exec((await runCli(['jobs', '--json', ...at])).stdout)?.[1]
    expect((await runCli(['cancel', id!, ...at])).stdout).toBe('1 picture changed.\n')
    await watch.said(/later\.jpg","state":"cancelled"/)
    for (const [command, done] of [
      [['resume'], { paused: false }],
      [['retry', id!], { changed: 1 }],
    ] as const)
      expect(jsonLines((await runCli([...command, '--json', ...at])).stdout)).toEqual([{ event: 'command', ...done }])
    await watch.said(/later\.jpg","state":"done"/)

    const ended = await watch.stop()
    expect(ended.code).toBe(0)
    expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ event: 'summary', done: 2, cancelled: 0 })
    expect(await practice.charges('later')).toBe(1)
  })

  it('remembers its folders, so that it can be started without naming them', async () => {
    const folder = await folderWithPictures(['kept.jpg'])
    const at = ['--data-dir', folderForAll()]
    const nothing = await runCli(['watch', ...at], { env: practice.env })
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('hangar watch DIR')])
    const first = startCli(['watch', folder, '--operation', 'optimize', ...at], { env: practice.env })
    await first.said(/done +.*kept\.jpg/)
    await first.stop()

    const second = startCli(['watch', ...at], { env: practice.env })
    await second.said(/Watching .*\(optimize/)
    await drawPicture(join(folder, 'new.jpg'))
    await second.said(/done +.*new\.jpg/)
    expect((await second.stop('SIGINT')).code).toBe(0)
    expect(Object.keys(await contentOf(folder)).filter((name) => name.endsWith('.webp'))).toEqual([])
  })

  it('is refused options of folders without naming any, even where folders are remembered', async () => {
    const at = ['--data-dir', folderForAll()]
    const first = startCli(['watch', await folderWithPictures(['named.jpg']), ...at], { env: practice.env })
    await first.said(/done +.*named\.jpg/)
    await first.stop()
    for (const args of [
      ['--only-new'],
      ['--force'],
      ['--also', 'tiff'],
      ['--include', '*.jpg'],
      ['--languages', 'de'],
    ]) {
      const refused = await runCli(['watch', ...args, ...at], { env: practice.env })
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain('Name the folders')
    }
  })

  it('leaves what is in a new folder alone with --only-new, also after a restart, and takes what comes or changes', async () => {
    const folder = await folderWithPictures(['stays-before.jpg', 'stays-changes.jpg'])
    const before = await contentOf(folder)
    const at = ['--data-dir', folderForAll()]
    expect((await runCli(['watch', '--only-new', '--force', folder, ...at], { env: practice.env })).code).toBe(2)
    const first = startCli(['watch', '--only-new', folder, ...at], { env: practice.env })
    await first.said(/Stop with/)
    await drawPicture(join(folder, 'stays-new.jpg'))
    await first.said(/done +.*stays-new\.jpg/)
    await first.stop()

    // The same words again, as a system service starts it: what came in between is new.
    await drawPicture(join(folder, 'stays-between.jpg'))
    await drawPicture(join(folder, 'stays-changes.jpg'))
    const second = startCli(['watch', '--only-new', folder, ...at], { env: practice.env })
    await second.said(/done +.*stays-between\.jpg/)
    await second.said(/done +.*stays-changes\.jpg/)
    expect((await second.stop()).code).toBe(0)
    expect(await practice.charges('stays')).toBe(3)
    expect(await practice.charges('stays-before')).toBe(0)
    expect((await contentOf(folder))['stays-before.jpg']).toBe(before['stays-before.jpg'])
  })

  it('ends with 3 without a service and never falls into practice', async () => {
    const folder = await folderWithPictures(['no.jpg'])
    const { code, stderr } = await runCli(['watch', folder, '--data-dir', folderForAll()])
    expect([code, stderr]).toEqual([3, expect.stringContaining('--practice')])
  })
})

describe.concurrent('commands about pictures', () => {
  it('settle a lost answer only as a person decides', async (test) => {
    const lossy = await startPractice()
    test.onTestFinished(lossy.stop)
    const effect = { kind: 'reset', when: 'after-work' } as const
    await lossy.control({ type: 'add-weather', rules: [{ on: 'dispatch', times: 1, effect }] })
    const folder = await folderWithPictures(['lost.jpg'])
    const at = ['--data-dir', folderForAll()]
    const run = await runCli(['run', folder, ...at], { env: lossy.env })
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('hangar resolve')
    const again = await runCli(['run', folder, ...at], { env: lossy.env })
    expect(again.code).toBe(1)
    expect(await lossy.charges()).toBe(1)

    const [job] = jsonLines((await runCli(['jobs', '--state', 'unknown', '--json', ...at])).stdout)
    expect(job).toMatchObject({ event: 'job', state: 'unknown', reason: { code: 'unclear_answer' } })
    const shown = await runCli(['jobs', String(job!['id']), ...at])
    expect(shown.stdout).toContain('It may have been charged')
    expect((await runCli(['resolve', '--all', ...at])).code).toBe(2)
    const resolved = await runCli(['resolve', '--all', '--resend', ...at], { env: lossy.env })
    expect([resolved.code, resolved.stdout]).toEqual([0, expect.stringContaining('1 picture changed')])
    const last = await runCli(['run', folder, ...at], { env: lossy.env })
    expect([last.code, await lossy.charges()]).toEqual([0, 2])
  })

  it('are refused for ids that are not there, and for neither ids nor --all', async () => {
    const at = ['--data-dir', folderForAll()]
    for (const args of [['retry', 'NOSUCH'], ['cancel'], ['jobs', 'NOSUCH'], ['retry', 'NOSUCH', '--all']])
      expect([args, (await runCli([...args, ...at])).code]).toEqual([args, 2])
  })

  it('let more than 100 pictures go only after someone agreed', async () => {
    const names = Array.from({ length: 101 }, (_, n) => `many-${n}.jpg`)
    const folder = await folderWithPictures(names)
    const at = ['--data-dir', folderForAll()]
    const args = ['run', folder, '--operation', 'analyze', '--requests-per-minute', '600', ...at]
    const held = await runCli(args, { env: practice.env })
    expect(held.code).toBe(1)
    expect(held.stderr).toMatch(/101 pictures are to be sent .* at most 303 credits.*--yes/)
    expect(await practice.charges('many')).toBe(0)
    const confirmed = await runCli(['confirm', '--all', ...at], { env: practice.env })
    expect(confirmed.stdout).toContain('101 pictures may be sent')
    const sent = await runCli([...args, '--yes'], { env: practice.env })
    expect([sent.code, await practice.charges('many')]).toEqual([0, 101])
  })
})

it('hangar restore brings back an original that --output replace replaced', async () => {
  const folder = await folderWithPictures(['kept.jpg'])
  const before = await contentOf(folder)
  const replace = ['--output', 'replace', '--operation', 'optimize', '--data-dir', folderForAll()]
  expect((await runCli(['run', folder, ...replace], { env: practice.env })).code).toBe(0)
  expect((await contentOf(folder))['kept.jpg']).not.toBe(before['kept.jpg'])
  const restored = await runCli(['restore', folder, '--json'])
  expect(restored.code).toBe(0)
  expect(jsonLines(restored.stdout)).toMatchObject([
    { event: 'restore', path: join(folder, 'kept.jpg'), restored: true },
  ])
  expect((await contentOf(folder))['kept.jpg']).toBe(before['kept.jpg'])
})
