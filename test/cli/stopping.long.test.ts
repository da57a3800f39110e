import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endAtDeadline, unlessStopped } from '../../src/main/cli/stopping.ts'
import { ExitCode } from '../../src/shared/runtime/exit-codes.ts'
import { itWith, POSIX } from '../needs.ts'
import { untilTestEnds } from './for-all-tests.ts'
import { startCli, withScript } from './harness.ts'
import { folderForTest } from '../temp-folder.ts'

const never = new Promise<never>(() => undefined)

describe('Stopping a command', () => {
  it('is cut short at its deadline, with a word about it', async () => {
    const said: string[] = []
    const startedMs = performance.now()
    const keepAlive = setInterval(() => undefined, 1000)
    await new Promise<void>((resolve) => endAtDeadline({ err: (line) => said.push(line) }, resolve, 50))
    clearInterval(keepAlive)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(45)
    expect(said).toEqual([expect.stringMatching(/cut short.*unknown/)])
  })

  it('does not wait for what hangs, and leaves what ends alone', async () => {
    const stop = new AbortController()
    const hanging = unlessStopped(never, stop.signal)
    expect(await unlessStopped(Promise.resolve(3), stop.signal)).toBe(3)
    await expect(unlessStopped(Promise.reject(new Error('no')), stop.signal)).rejects.toThrow('no')
    stop.abort()
    expect(await hanging).toBeNull()
    expect(await unlessStopped(never, stop.signal)).toBeNull()
    // One that fails afterwards is nobody's any more.
    expect(await unlessStopped(Promise.reject(new Error('late')), stop.signal)).toBeNull()
  })
})

describe('The last resort', () => {
  /** Runs a web server with a script in its process; ends it once that has done its work. */
  async function running(script: string, until: RegExp, signal: NodeJS.Signals | null) {
    const dir = folderForTest()
    const command = ['serve', '--practice', '--port', '0', '--data-dir', join(dir, 'data')]
    const hangar = untilTestEnds(startCli(command, { env: { HOME: dir, ...withScript(script) } }))
    await hangar.said(until)
    const wasAlive = hangar.child.exitCode === null
    const { code, stdout, stderr } = await (signal === null ? hangar.ended : hangar.stop(signal))
    return { code, said: stdout + stderr, wasAlive }
  }
  /** Once its web server answers. */
  const later = (work: string) => `
    import { Server } from 'node:net'
    const { listen } = Server.prototype
    Server.prototype.listen = function (...given) {
      this.once('listening', () => setImmediate(() => { ${work} }))
      return listen.apply(this, given)
    }`

  it('lets a command go on after a promise that nobody awaited, says so, and ends it with 70', async () => {
    const stray = later("Promise.reject(new Error('stray'))")
    const { code, said, wasAlive } = await running(stray, /stray/, 'SIGTERM')
    expect(wasAlive).toBe(true)
    expect(said).toContain('Something unexpected happened: Error: stray')
    expect(code).toBe(ExitCode.internal)
  })

  it('ends a command after an exception that nobody caught, in one line and with 70', async () => {
    const stray = later("throw new Error('stray')")
    const { code, said } = await running(stray, /stray/, null)
    expect(said).toContain('Something unexpected happened: Error: stray')
    expect(said).not.toContain('    at ')
    expect(code).toBe(ExitCode.internal)
  })

  // Opening a pipe that nobody writes to lasts as long as reading from a drive that never answers.
  itWith(POSIX)('ends a command with its status also while a drive does not answer', async () => {
    const dir = folderForTest()
    const pipe = join(dir, 'drive')
    execFileSync('mkfifo', [pipe])
    const hung = (then: string) => `
      import { open } from 'node:fs'
      ${later(`open(${JSON.stringify(pipe)}, 'r', () => undefined); ${then}`)}`
    const asked = await running(hung("process.stderr.write('It hangs')"), /It hangs/, 'SIGTERM')
    expect(asked.wasAlive).toBe(true)
    expect(asked.code).toBe(ExitCode.ok)
    expect((await running(hung("throw new Error('stray')"), /stray/, null)).code).toBe(ExitCode.internal)
  })
})
