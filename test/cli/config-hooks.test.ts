import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hooksIn } from '../../src/main/cli/config-hooks.ts'
import { readConfigFile } from '../../src/main/cli/read-config.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { describeWith, itWith, LINUX_ROOT, POSIX } from '../needs.ts'
import { until } from '../until.ts'
import { Folders, jsonLines, runCli, startCli, startPractice, type Practice } from './harness.ts'
import { hookRecorder } from './hook-recorder.ts'

const folders = new Folders()
let practice: Practice
beforeAll(async () => {
  practice = await startPractice()
})
afterAll(async () => {
  await closeAll()
  await practice.stop()
  await folders.removeAll()
})

/** A configuration in a folder of its own, which only its owner may write. */
async function configOf(config: object, name = 'hangar.json'): Promise<string> {
  const file = join(await folders.make('config'), name)
  await writeFile(file, JSON.stringify(config), { mode: 0o644 })
  return file
}
const program = (flag: string) => JSON.parse(flag) as string[]
const check = (file: string) => runCli(['config', 'check', file])

describe('hooks in a configuration', () => {
  it('are told by a start with it, and a flag about the same event comes in their place', async () => {
    const [ofFile, ofFlag] = [await hookRecorder(folders), await hookRecorder(folders)]
    const { origin, requests } = await startHttp((_, response) => response.writeHead(200).end())
    const file = await configOf({
      caps: { perDay: 7 },
      hooks: [
        { on: 'done', run: program(ofFile.flag) },
        { on: 'low_credits', below: 1_000_000, post: `${origin}/low` },
      ],
    })
    const env = { ...practice.env, HANGAR_HOOK_SECRET: 'a-secret-of-its-own' }
    const data = await folders.make('data')
    const run = async (...more: string[]) => {
      const pictures = await folders.withPictures([`${more.length}.jpg`])
      return runCli(['run', pictures, '--config', file, '--data-dir', data, ...more], { env })
    }
    expect((await run()).code).toBe(0)
    expect(await ofFile.told()).toMatchObject([{ read: { event: 'done', counts: { done: 1 } }, args: ['a b'] }])
    expect(requests.map(({ url }) => url)).toEqual(['/low'])
    expect((await run('--on-done', ofFlag.flag)).code).toBe(0)
    expect([(await ofFile.told()).length, (await ofFlag.told()).length]).toEqual([1, 1])
    const kept = async () =>
      (await Promise.all((await readdir(data)).map((name) => readFile(join(data, name)).catch(() => '')))).join('')
    expect(await kept()).toContain('"perDay":7')
    expect(await kept()).not.toContain(program(ofFile.flag)[1])
    // Of a start alone: without it, there are none.
    const plain = await folders.withPictures(['plain.jpg'])
    expect((await runCli(['run', plain, '--data-dir', data], { env })).code).toBe(0)
    expect(await ofFile.told()).toHaveLength(1)
    expect(await kept()).not.toContain(program(ofFile.flag)[1])
  })

  it.each(['watch', 'serve'])('are told by "hangar %s" too, and one that hangs is ended with it', async (command) => {
    const hook = await hookRecorder(folders, 'setInterval(() => {}, 1000)')
    const pictures = await folders.withPictures([`${command}.jpg`])
    const file = await configOf({ hooks: [{ on: 'done', run: program(hook.flag) }], folders: [{ path: pictures }] })
    const started = startCli([command, '--config', file, '--data-dir', await folders.make('data')], {
      env: practice.env,
    })
    await until('it is told', async () => (await hook.told()).length > 0)
    const [told] = await hook.told()
    started.child.kill('SIGTERM')
    expect((await started.ended).code).toBe(0)
    await until('it has ended', () => !isAlive(told!.pid))
  })

  it('are shown by a check, each part quoted, with what a terminal would act on as codes', async () => {
    const file = await configOf({
      hooks: [
        { on: 'done', run: ['./tell', 'a b', '\u202e"; rm -rf ~', '\u001b[2J'] },
        { on: 'low_credits', below: 50, post: 'https://chat.example/hooks/7' },
      ],
    })
    const tell = join(file, '../tell')
    await writeFile(tell, '#!/bin/sh\n', { mode: 0o755 })
    const { code, stdout } = await check(file)
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'Nothing is wrong with it.',
        'When a batch has ended, this runs:',
        `  "${tell}"`,
        '  "a b"',
        String.raw`  "\u{202e}\"; rm -rf ~"`,
        String.raw`  "\u001b[2J"`,
        'When the balance falls below 50, this is posted to:',
        '  "https://chat.example/hooks/7"',
        '',
      ].join('\n'),
    )
    const [line] = jsonLines((await runCli(['config', 'check', file, '--json'])).stdout)
    expect(line).toMatchObject({ problems: 0, hooks: [{ on: 'done', target: { file: tell } }, { below: 50 }] })
  })

  it.each([
    [{ on: 'done', run: ['./nowhere'] }, 'hooks[0]: There is no program "./nowhere"'],
    [{ on: 'done', run: ['hangar-has-no-such-program'] }, 'hooks[0]: There is no program'],
    [{ on: 'done', run: [' '] }, 'hooks[0]: Name a program'],
    [{ on: 'done', run: ['sh', 'a\u0000b'] }, 'hooks[0]: A program and its arguments cannot contain a NUL'],
    [{ on: 'done', run: [] }, 'hooks[0].run: Give at least 1 entry.'],
    [{ on: 'done', run: 'sh -c x' }, 'hooks[0].run: Give a list'],
    [{ on: 'done' }, 'hooks[0]: Give either "run"'],
    [{ on: 'done', run: ['sh'], post: 'https://a.example' }, 'hooks[0]: Give either "run"'],
    [{ on: 'done', post: 'http://a.example/' }, 'hooks[0]: What is posted would travel unencrypted'],
    [{ on: 'done', post: 'https://a:b@c.example/' }, 'hooks[0]: Leave user name and password out'],
    [{ on: 'done', below: 5, run: ['sh'] }, 'hooks[0]: Leave "below" out'],
    [{ on: 'low_credits', run: ['sh'] }, 'hooks[0]: Give a figure of credits'],
    [{ on: 'later', run: ['sh'] }, 'hooks[0].on: Give one of "done", "attention", "low_credits".'],
    [{ on: 'done', run: ['sh'], secret: 's' }, 'hooks[0].secret: There is no such member.'],
  ])('start nothing where one cannot be: %j', async (hook, said) => {
    const file = await configOf({ hooks: [hook] })
    const checked = await check(file)
    expect([checked.code, checked.stdout]).toEqual([2, ''])
    expect(checked.stderr).toContain(said)
  })

  it('keep a watch from starting, and need a secret to post', async () => {
    const wrong = await configOf({ hooks: [{ on: 'done', run: ['./nowhere'] }] })
    const start = async (file: string) =>
      runCli(['watch', await folders.make('in'), '--config', file, '--data-dir', await folders.make('data')], {
        env: practice.env,
      })
    expect(await start(wrong)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be used as it is') as string,
    })
    const posting = await configOf({ hooks: [{ on: 'done', post: 'https://a.example/' }] })
    expect(await start(posting)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('HANGAR_HOOK_SECRET') as string,
    })
  })

  it('are left out of what is taken over and written, and are no setting', async () => {
    const hook = await hookRecorder(folders)
    const data = await folders.make('data')
    const file = await configOf({ caps: { perDay: 7 }, hooks: [{ on: 'done', run: program(hook.flag) }] })
    const taken = await runCli(['config', 'import', file, '--yes', '--data-dir', data])
    expect(taken).toMatchObject({ code: 0, stdout: expect.not.stringContaining('hook') as string })
    expect(taken.stderr).toContain('Its hooks were left out: they are for a start with --config.')
    const written = await runCli(['config', 'export', '--data-dir', data])
    expect(JSON.parse(written.stdout)).toMatchObject({ caps: { perDay: 7 } })
    expect(written.stdout).not.toContain('hooks')
    const pictures = await folders.withPictures(['a.jpg'])
    expect((await runCli(['run', pictures, '--data-dir', data], { env: practice.env })).code).toBe(0)
    expect(await hook.told()).toEqual([])
    expect(await runCli(['settings', 'set', 'hooks', '[]', '--data-dir', data])).toMatchObject({ code: 2 })
  })
})

describeWith(POSIX)('a configuration with hooks', () => {
  const hooks = [{ on: 'done', run: [process.execPath] }]

  it.each([
    ['by its group', (file: string) => chmod(file, 0o664)],
    ['by everybody', (file: string) => chmod(file, 0o646)],
    ['in a folder that its group may write', (file: string) => chmod(join(file, '..'), 0o775)],
  ])('is refused where it can be written %s, with what to do', async (_, open) => {
    const file = await configOf({ hooks })
    await open(file)
    const { code, stderr } = await check(file)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^hooks: Others may write (.+), and could have any program run by this file: chmod go-w '\1'$/m,
    )
    await writeFile(file, JSON.stringify({ caps: {} }))
    expect((await check(file)).code).toBe(0)
  })

  it('is refused behind a link to one that others may write, and taken in a sticky folder', async () => {
    const [file, other] = [await configOf({ hooks }), await folders.make('link')]
    await symlink(file, join(other, 'link.json'))
    await symlink('link.json', join(other, 'hangar.json'))
    expect((await check(join(other, 'hangar.json'))).code).toBe(0)
    await chmod(file, 0o666)
    expect((await check(join(other, 'hangar.json'))).stderr).toContain(`Others may write ${file}`)
    await chmod(file, 0o600)
    await chmod(join(other), 0o777)
    expect((await check(join(other, 'hangar.json'))).stderr).toContain(`Others may write ${other},`)
    await chmod(join(other), 0o1777)
    expect((await check(join(other, 'hangar.json'))).code).toBe(0)
  })

  itWith(LINUX_ROOT)(
    'is refused where what was read is not what is looked at, since a folder above was swapped',
    async () => {
      const above = await folders.make('above')
      const [place, aside] = [join(above, 'config'), join(above, 'aside')]
      const put = async (owner: number) => {
        await mkdir(place)
        await writeFile(join(place, 'hangar.json'), JSON.stringify({ hooks }), { mode: 0o644 })
        for (const path of [place, join(place, 'hangar.json')]) await chown(path, owner, owner)
      }
      await put(0)
      await rename(place, aside)
      await put(12_345)
      const read = await readConfigFile(join(place, 'hangar.json'))
      if (!read.ok) throw new Error('it was not read')
      await rename(place, join(above, 'gone'))
      await rename(aside, place)
      const { problems } = await hooksIn(read, { file: join(place, 'hangar.json'), env: process.env })
      expect(problems).toMatchObject([{ path: 'hooks', message: expect.stringContaining('another user') as string }])
    },
  )

  itWith(LINUX_ROOT)(
    'is taken in a folder that everybody may write, but on a read-only file system, as containers have it',
    async () => {
      const folder = await folders.make('mounted')
      const file = join(folder, 'hangar.json')
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=777', 'tmpfs', folder])
      try {
        await writeFile(file, JSON.stringify({ hooks }), { mode: 0o644 })
        expect((await check(file)).code).toBe(2)
        execFileSync('mount', ['-o', 'remount,ro', folder])
        expect((await check(file)).code).toBe(0)
      } finally {
        execFileSync('umount', [folder])
      }
    },
  )

  itWith(LINUX_ROOT)('is refused where it or its folder belongs to another user, also for root', async () => {
    const file = await configOf({ hooks })
    await chown(file, 65_534, 65_534)
    expect((await check(file)).stderr).toContain(`hooks: ${file} belongs to another user`)
    await chown(file, 0, 0)
    await chown(join(file, '..'), 65_534, 65_534)
    expect((await check(file)).stderr).toContain('belongs to another user')
  })

  it('is refused below a folder that others may write, and taken below a sticky one', async () => {
    const above = await folders.make('above')
    await mkdir(join(above, 'deep/config'), { recursive: true })
    const file = join(above, 'deep/config/hangar.json')
    await writeFile(file, JSON.stringify({ hooks }), { mode: 0o644 })
    expect(await refusalOf(file)).toEqual([])
    await chmod(above, 0o777)
    expect(await refusalOf(file)).toMatchObject([{ message: expect.stringContaining(`write ${above},`) as string }])
    await chmod(above, 0o1777)
    expect(await refusalOf(file)).toEqual([])
  })

  itWith(LINUX_ROOT)(
    'is refused below a folder of another user, also where a link of theirs leads out of it',
    async () => {
      const [file, theirs] = [await configOf({ hooks }), await folders.make('theirs')]
      await mkdir(join(theirs, 'mine'))
      await writeFile(join(theirs, 'mine/hangar.json'), JSON.stringify({ hooks }), { mode: 0o644 })
      await symlink(join(file, '..'), join(theirs, 'out'))
      for (const way of ['mine', 'out']) expect(await refusalOf(join(theirs, way, 'hangar.json'))).toEqual([])
      await chown(theirs, 65_534, 65_534)
      for (const way of ['mine', 'out'])
        expect(await refusalOf(join(theirs, way, 'hangar.json'))).toMatchObject([
          { message: expect.stringContaining(`${theirs} belongs to another user`) as string },
        ])
    },
  )
})

async function refusalOf(file: string) {
  const read = await readConfigFile(file)
  if (!read.ok) throw new Error('it was not read')
  return (await hooksIn(read, { file, env: process.env })).problems
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
