import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Logger } from '../../src/shared/runtime/ports.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { createHeicDecoder } from '../../src/main/images/heic-decoder.ts'
import { createMemoryBudget } from '../../src/main/images/memory-budget.ts'
import { tempFolder } from '../files/temp-folder.ts'
import { describeWith, itWith, LINUX, LINUX_ROOT, POSIX } from '../needs.ts'
import { quiet } from '../simulation/world.ts'
import { until } from '../until.ts'

const BYTES = Buffer.from('what a picture is not')
const whole = { isolate: async () => ({ ok: true as const, bytes: BYTES, pixels: 100 }) }
const large = { isolate: async () => ({ ok: true as const, bytes: Buffer.alloc(2_000_000), pixels: 100 }) }

describeWith(POSIX)('a program that decodes HEIC', () => {
  let [bin, dir, notes] = ['', '', '']
  beforeEach(async () => {
    const folder = await tempFolder()
    ;[bin, dir, notes] = ['bin', 'decoded', 'notes'].map((name) => join(folder, name)) as [string, string, string]
    await mkdir(bin)
    await writeFile(notes, '')
  })

  /** A program of this name that does this. `$1` is the HEIC and `$2` the file to make; `$NOTES` is a file to tell the test in. */
  async function program(name: string, lines: string): Promise<string> {
    const path = join(bin, name)
    await writeFile(path, `#!/bin/sh\nNOTES='${notes}'\n${lines}\n`)
    await chmod(path, 0o755)
    return path
  }
  const PATH = () => `${bin}:/usr/bin:/bin`
  const open = (more: Partial<Parameters<typeof createHeicDecoder>[0]> = {}) => {
    const env = { PATH: bin }
    const decoder = createHeicDecoder({ clock: realClock, log: quiet, dir, env, platform: 'linux', ...more })
    onTestFinished(() => decoder.close())
    return decoder
  }
  const noted = async () => (await readFile(notes, 'utf8')).trim().split('\n')
  const isRunning = (pid: string): boolean => {
    try {
      process.kill(Number(pid), 0)
      return true
    } catch {
      return false
    }
  }
  const haveEnded = async () => !(await noted()).some(isRunning)

  it('is looked for where the path says, by its newer name first, and never in the current folder', async () => {
    const decoder = open({ env: { PATH: `.::bin:${bin}` } })
    const before = process.cwd()
    process.chdir(join(bin, '..'))
    onTestFinished(() => process.chdir(before))
    await writeFile('heif-dec', '#!/bin/sh\ncp "$1" "$2"\n', { mode: 0o755 })
    await decoder.look()
    expect(decoder.isThere).toBe(false)
    expect(await decoder.decode(whole, BYTES)).toMatchObject({ ok: false, reason: 'no_heic_program' })
    // Installed meanwhile.
    await program('heif-convert', 'echo old >> "$NOTES"; cp "$1" "$2"')
    expect(await decoder.decode(whole, BYTES)).toMatchObject({ ok: true })
    await program('heif-dec', 'echo new >> "$NOTES"; cp "$1" "$2"')
    expect(await open().decode(whole, BYTES)).toMatchObject({ ok: true })
    expect(await noted()).toEqual(['old', 'new'])
  })

  it('is none on Windows', async () => {
    await program('heif-dec', 'cp "$1" "$2"')
    const decoder = open({ platform: 'win32' })
    expect(await decoder.decode(whole, BYTES)).toMatchObject({ ok: false, reason: 'no_heic_program' })
  })

  it('gets two whole paths in a folder of its own, none of our variables and no input', async () => {
    process.env['HANGAR_CANARY'] = 'canary'
    onTestFinished(() => {
      delete process.env['HANGAR_CANARY']
    })
    await program(
      'heif-dec',
      'printf "%s\\n" "$#" "$1" "$2" "$(pwd)" "$(cat)" >> "$NOTES"; env >> "$NOTES"; cp "$1" "$2"',
    )
    expect(await open().decode(whole, BYTES)).toEqual({ ok: true, bytes: BYTES })
    const [count, input = '', output = '', cwd, given, ...env] = await noted()
    expect([count, given]).toEqual(['2', ''])
    expect(input).toMatch(new RegExp(`^${dir}/run-[^/]+/picture\\.heic$`))
    expect(output).toBe(input.replace(/heic$/, 'png'))
    expect(cwd).toBe(join(input, '..'))
    expect(env.join('\n')).not.toContain('canary')
    expect(new Set(env.map((line) => line.split('=')[0]))).toEqual(
      new Set(
        ['PATH', 'HOME', 'LC_ALL', 'TMPDIR', 'PWD', '_'].filter((name) =>
          env.some((line) => line.startsWith(`${name}=`)),
        ),
      ),
    )
  })

  it("is macOS's own there, and makes a TIFF", async () => {
    const sips = await program('sips', 'printf "%s " "$@" >> "$NOTES"; cp "$4" "$6"')
    expect(await open({ platform: 'darwin', sips }).decode(whole, BYTES)).toEqual({ ok: true, bytes: BYTES })
    expect(await noted()).toEqual([
      expect.stringMatching(/^-s format tiff \S+\/picture\.heic --out \S+\/picture\.tiff$/),
    ])
  })

  it('runs once for a picture, and what it made is gone when all is over', async () => {
    await mkdir(dir)
    await writeFile(join(dir, 'left by a kill'), '')
    await program('heif-dec', 'echo run >> "$NOTES"; cp "$1" "$2"')
    const decoder = open()
    for (const _ of [1, 2, 3]) expect(await decoder.decode(whole, BYTES)).toEqual({ ok: true, bytes: BYTES })
    expect(await noted()).toEqual(['run'])
    const kept = await readdir(dir)
    expect(kept).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.png$/)])
    // Somebody tidied up.
    await rm(join(dir, kept[0]!))
    expect(await decoder.decode(whole, BYTES)).toMatchObject({ ok: true })
    expect(await noted()).toEqual(['run', 'run'])
    await decoder.close()
    expect(await readdir(join(dir, '..'))).not.toContain('decoded')
  })

  it('that takes too long is killed with what it started', async () => {
    await program('heif-dec', `PATH=${PATH()}; sleep 600 & echo $! >> "$NOTES"; echo $$ >> "$NOTES"; wait`)
    let passLimit = () => undefined as void
    const setTimer = (ms: number, callback: () => void) => {
      if (ms !== 77_000) return realClock.setTimer(ms, callback)
      passLimit = callback
      return () => undefined
    }
    const made = open({ limitMs: 77_000, clock: { setTimer } }).decode(whole, BYTES)
    await until('it runs', async () => (await noted()).length === 2)
    passLimit()
    expect(await made).toMatchObject({
      ok: false,
      reason: 'heic_failed',
      detail: { code: 'took_too_long', values: { seconds: 77 } },
    })
    await until('both have ended', haveEnded)
    expect(await readdir(dir)).toEqual([])
  })

  it('is killed with what it started when its task is given up, and when Hangar ends', async () => {
    await program('heif-dec', `PATH=${PATH()}; sleep 600 & echo $! >> "$NOTES"; echo $$ >> "$NOTES"; wait`)
    const given = new AbortController()
    const decoder = open()
    const first = decoder.decode(whole, BYTES, given.signal)
    await until('it runs', async () => (await noted()).length === 2)
    given.abort()
    await expect(first).rejects.toMatchObject({ code: 'aborted' })
    const second = decoder.decode(whole, Buffer.from('another'))
    const ended = expect(second).rejects.toMatchObject({ code: 'aborted' })
    await until('the next runs', async () => (await noted()).length === 4)
    await decoder.close()
    await ended
    await until('all have ended', haveEnded)
  })

  it('that ends leaves nothing of its own running', async () => {
    await program('heif-dec', `PATH=${PATH()}; sleep 600 & echo $! >> "$NOTES"; cp "$1" "$2"`)
    expect(await open().decode(whole, BYTES)).toMatchObject({ ok: true })
    await until('it has ended', haveEnded)
  })

  it('that writes without end is stopped', async () => {
    await program('heif-dec', `PATH=${PATH()}; echo $$ >> "$NOTES"; cat /dev/zero > "$2"`)
    const made = await open().decode(whole, BYTES)
    expect(made).toMatchObject({ ok: false, reason: 'heic_failed', detail: { code: 'heic_too_large' } })
    await until('it has ended', haveEnded)
    expect(await readdir(dir)).toEqual([])
  })

  itWith(LINUX)('that takes far more memory than its picture needs is stopped', async () => {
    const lines: unknown[] = []
    const warn: Logger['warn'] = (_, values) => {
      lines.push(values)
    }
    const log: Logger = { ...quiet, warn }
    await program(
      'heif-dec',
      `PATH=${PATH()}; echo $$ >> "$NOTES"; exec dd if=/dev/zero of=/dev/null bs=400M count=100`,
    )
    expect(await open({ log }).decode(whole, BYTES)).toMatchObject({
      ok: false,
      reason: 'heic_failed',
      detail: { code: 'heic_too_much_memory', values: { program: 'heif-dec' } },
    })
    expect(lines).toMatchObject([{ how: 'too_much_memory' }])
    await until('it has ended', haveEnded)
    expect(await readdir(dir)).toEqual([])
  })

  it('is quoted with one short line, without escapes and our folder', async () => {
    const lines: [string, unknown][] = []
    const warn: Logger['warn'] = (message, values) => {
      lines.push([message, values])
    }
    const log: Logger = { ...quiet, warn }
    await program(
      'heif-dec',
      `PATH=${PATH()}; printf '\\n\\033[31mNo good: %s %s\\nsecond' "$1" "$(head -c 9999 /dev/zero | tr '\\0' x)" >&2; exit 1`,
    )
    const made = await open({ log }).decode(whole, BYTES)
    if (made.ok) throw new Error('it did not fail')
    expect(made).toMatchObject({
      reason: 'heic_failed',
      detail: { code: 'heic_said', values: { program: 'heif-dec' } },
    })
    const { said } = lines[0]![1] as { said: string }
    expect(lines).toHaveLength(1)
    expect(said).toMatch(/^\[31mNo good: \/picture\.heic x+$/)
    expect(said.length).toBeLessThanOrEqual(160)
  })

  it.each([
    ['says nothing and fails', 'exit 3'],
    ['makes nothing', 'exit 0'],
    ['makes an empty file', ': > "$2"'],
    ['makes a folder', `PATH=/usr/bin:/bin; mkdir "$2"`],
  ])('that %s has made no picture', async (_what, lines) => {
    await program('heif-dec', lines)
    expect(await open().decode(whole, BYTES)).toMatchObject({ ok: false, reason: 'heic_failed' })
    expect(await readdir(dir)).toEqual([])
  })

  it('is asked again once its folder can be made, or was removed by somebody', async () => {
    await program('heif-dec', 'cp "$1" "$2"')
    await writeFile(dir, '')
    const decoder = open({ dir: join(dir, 'below') })
    await expect(decoder.decode(whole, BYTES)).rejects.toMatchObject({ code: 'not_writable' })
    await rm(dir)
    await mkdir(dir)
    expect(await decoder.decode(whole, BYTES)).toMatchObject({ ok: true })
    await rm(join(dir, 'below'), { recursive: true })
    expect(await decoder.decode(whole, BYTES)).toMatchObject({ ok: true })
  })

  itWith(LINUX_ROOT)('says nothing about a picture for which the disk has no room', async () => {
    await mkdir(dir)
    const mount = (...args: string[]) => execFileSync('mount', ['-t', 'tmpfs', ...args, 'tmpfs', dir])
    mount('-o', 'size=1m')
    onTestFinished(() => {
      execFileSync('umount', ['-l', dir])
    })
    await program('heif-dec', `PATH=${PATH()}; head -c 4000000 /dev/zero > "$2"`)
    const decoder = open({ dir: join(dir, 'below') })
    await expect(decoder.decode(whole, BYTES)).rejects.toMatchObject({ code: 'disk_full' })
    await expect(decoder.decode(large, Buffer.from('large'))).rejects.toMatchObject({ code: 'disk_full' })
    expect(await readdir(join(dir, 'below'))).toEqual([])
    mount('-o', 'remount,size=16m')
    expect(await decoder.decode(whole, BYTES)).toMatchObject({ ok: true })
  })

  it('that is removed meanwhile is an error of that picture, and the other one is taken from then on', async () => {
    const path = await program('heif-dec', 'cp "$1" "$2"')
    const decoder = open()
    expect(await decoder.decode(whole, BYTES)).toMatchObject({ ok: true })
    await rm(path)
    const next = Buffer.from('another')
    expect(await decoder.decode(whole, next)).toMatchObject({ ok: false, reason: 'no_heic_program' })
    expect(decoder.isThere).toBe(false)
    await program('heif-convert', 'cp "$1" "$2"')
    expect(await decoder.decode(whole, next)).toMatchObject({ ok: true })
  })

  it('waits for memory, and that wait ends with the task', async () => {
    await program('heif-dec', 'echo run >> "$NOTES"; cp "$1" "$2"')
    const memory = createMemoryBudget(1600)
    const other = memory.ask(1600, () => undefined)
    const given = new AbortController()
    const decoder = open({ memory })
    const waiting = decoder.decode(whole, BYTES, given.signal)
    const next = decoder.decode(whole, Buffer.from('another'))
    given.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    expect(await noted()).toEqual([''])
    other.giveBack()
    expect(await next).toMatchObject({ ok: true })
  })
})
