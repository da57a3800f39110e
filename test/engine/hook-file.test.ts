import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { HookFile, hooksFile, readHooks } from '../../src/main/engine/hook-file.ts'
import type { HookPayload } from '../../src/main/hooks/hook.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import type { EngineEvent } from '../../src/shared/contract/engine-port.ts'
import { say } from '../../src/shared/sentences/sentence.ts'
import { tempFolder } from '../files/temp-folder.ts'
import { describeWith, itWith, LINUX_ROOT, POSIX } from '../needs.ts'

const RUN = [process.execPath, 'a b']

/** A data folder with this in its file of hooks. */
async function dataWith(hooks: unknown): Promise<string> {
  const dir = await tempFolder()
  await writeFile(hooksFile(dir), typeof hooks === 'string' ? hooks : JSON.stringify(hooks), { mode: 0o644 })
  return dir
}

async function problemOf(dir: string): Promise<string | null> {
  const { hooks, problem } = await readHooks(dir, process.env)
  if (problem !== null) expect(hooks).toEqual([])
  return problem && englishText(problem)
}

function openFile(dataDir: string, documents: Documents, emit: (event: EngineEvent) => unknown = () => undefined) {
  return HookFile.open({ dataDir, env: process.env, secret: null, documents, clock: { nowMs: () => 7 }, emit })
}

describe('the file of hooks', () => {
  it('is read as it is, with programs as whole paths', async () => {
    const dir = await dataWith([
      { on: 'done', run: ['./tell', 'a b', '$HOME'] },
      { on: 'attention', run: ['node'] },
      { on: 'low_credits', below: 50, post: 'HTTP://LOCALHOST/h?room=7' },
    ])
    await writeFile(join(dir, 'tell'), '#!/bin/sh\n', { mode: 0o755 })
    const PATH = join(process.execPath, '..')
    expect(await readHooks(dir, { PATH })).toEqual({
      hooks: [
        { on: 'done', run: [join(dir, 'tell'), 'a b', '$HOME'] },
        { on: 'attention', run: [join(PATH, 'node')] },
        { on: 'low_credits', below: 50, post: 'http://localhost/h?room=7' },
      ],
      problem: null,
    })
  })

  it('need not be there', async () => {
    expect(await readHooks(await tempFolder(), process.env)).toEqual({ hooks: [], problem: null })
  })

  it.each([
    ['[', 'This is not JSON'],
    ['{}', 'expected array'],
    [[{ on: 'done', run: ['./nowhere'] }], 'There is no program "./nowhere"'],
    [[{ on: 'done', run: ['hangar-has-no-such-program'] }], 'There is no program'],
    [[{ on: 'done', run: [''] }], 'There is no program ""'],
    [[{ on: 'done', run: ['sh', 'a\u0000b'] }], '[0]: There is a NUL character.'],
    [[{ on: 'done', run: [] }], '[0].run: '],
    [[{ on: 'done', run: 'sh -c x' }], '[0].run: '],
    [[{ on: 'done' }], '[0]: Give either "run" or "post".'],
    [[{ on: 'done', run: ['sh'], post: 'https://a.example' }], '[0]: Give either "run" or "post".'],
    [[{ on: 'done', post: 'http://a.example/' }], 'What is sent would travel unencrypted'],
    [[{ on: 'done', post: 'http://127.0.0.1.example.com/' }], 'What is sent would travel unencrypted'],
    [[{ on: 'done', post: 'https://a:b@c.example/' }], 'Leave user name and password out'],
    [[{ on: 'done', post: 'tell' }], 'This is not an address'],
    [[{ on: 'done', below: 5, run: ['sh'] }], '[0]: Give "below" for "low_credits", and for nothing else.'],
    [[{ on: 'low_credits', run: ['sh'] }], '[0]: Give "below" for "low_credits", and for nothing else.'],
    [[{ on: 'later', run: ['sh'] }], '[0].on: '],
    [[{ on: 'done', run: ['sh'], secret: 's' }], 'secret'],
  ])('runs none of its hooks where one cannot be: %j', async (hooks, said) => {
    expect(await problemOf(await dataWith(hooks))).toContain(said)
  })

  it('keeps how each hook ended over a restart, and tells once that one begins to fail', async () => {
    const dir = await dataWith([
      { on: 'done', run: RUN },
      { on: 'attention', run: RUN },
    ])
    const db = openJournal(dir)
    const documents = new Documents(db)
    const events: EngineEvent[] = []
    const open = () => openFile(dir, documents, (event) => events.push(event))
    const file = await open()
    const [hook] = file.hooks()
    const one = { hook: hook!, payload: {} as HookPayload }
    const end = (why: ReturnType<typeof say> | null) => file.onEnd(one, why)
    const why = say('hook_exit', { status: '4' })
    end(why)
    end(why)
    expect(events.filter(({ type }) => type === 'hook_failed')).toEqual([{ type: 'hook_failed', hook: 'node' }])
    expect((await open()).list()).toMatchObject({
      file: hooksFile(dir),
      hooks: [{ last: { atMs: 7, why } }, { last: null }],
    })
    // Another hook in its place has not ended yet.
    await writeFile(hooksFile(dir), JSON.stringify([{ on: 'done', run: [...RUN, 'more'] }]))
    await file.read()
    expect(file.list().hooks).toMatchObject([{ hook: { run: [...RUN, 'more'] }, last: null }])
    db.close()
  })

  it('is made where there is none, and left where there is one', async () => {
    const dir = await tempFolder()
    const db = openJournal(dir)
    const file = await openFile(dir, new Documents(db))
    expect(await readFile(await file.make(), 'utf8')).toBe('[]\n')
    expect((await readHooks(dir, process.env)).problem).toBeNull()
    await writeFile(hooksFile(dir), '[ ]')
    await file.make()
    expect(await readFile(hooksFile(dir), 'utf8')).toBe('[ ]')
    db.close()
  })
})

describeWith(POSIX)('a file of hooks', () => {
  const hooks = [{ on: 'done', run: RUN }]

  it.each([
    ['by its group', (dir: string) => chmod(hooksFile(dir), 0o664)],
    ['by everybody', (dir: string) => chmod(hooksFile(dir), 0o646)],
    ['in a folder that its group may write', (dir: string) => chmod(dir, 0o775)],
  ])('is refused where it can be written %s, with what to do', async (_, open) => {
    const dir = await dataWith(hooks)
    await open(dir)
    expect(await problemOf(dir)).toMatch(/Others may change .+, and could have any program run by it\..*chmod go-w/)
  })

  it('is refused behind a link to one that others may write, and taken in a sticky folder', async () => {
    const [real, dir] = [await dataWith(hooks), await tempFolder()]
    await symlink(hooksFile(real), hooksFile(dir))
    expect(await problemOf(dir)).toBeNull()
    await chmod(hooksFile(real), 0o666)
    expect(await problemOf(dir)).toContain(`Others may change ${hooksFile(real)}`)
    await chmod(hooksFile(real), 0o600)
    for (const folder of [real, dir]) {
      await chmod(folder, 0o777)
      expect(await problemOf(dir)).toContain(`Others may change ${folder},`)
      await chmod(folder, 0o1777)
      expect(await problemOf(dir)).toBeNull()
    }
  })

  itWith(LINUX_ROOT)('is taken in a folder that everybody may write on a read-only file system', async () => {
    const folder = await tempFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=777', 'tmpfs', folder])
    try {
      await writeFile(hooksFile(folder), JSON.stringify(hooks), { mode: 0o644 })
      expect(await problemOf(folder)).not.toBeNull()
      execFileSync('mount', ['-o', 'remount,ro', folder])
      expect(await problemOf(folder)).toBeNull()
    } finally {
      execFileSync('umount', [folder])
    }
  })

  itWith(LINUX_ROOT)('is refused where it or its folder belongs to another user, also for root', async () => {
    const dir = join(await tempFolder(), 'data')
    await mkdir(dir)
    await rename(hooksFile(await dataWith(hooks)), hooksFile(dir))
    await chown(hooksFile(dir), 65_534, 65_534)
    expect(await problemOf(dir)).toContain(`Others may change ${hooksFile(dir)},`)
    await chown(hooksFile(dir), 0, 0)
    await chown(dir, 65_534, 65_534)
    expect(await problemOf(dir)).toContain('Others may change')
  })
})
