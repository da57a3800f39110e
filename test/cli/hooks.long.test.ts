import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../until.ts'
import { drawPicture, Folders, jsonLines, startCli, startPractice, type Practice } from './harness.ts'
import { isAlive } from '../hooks/is-alive.ts'
import { dataWithHooks, hookRecorder, type Told } from './hook-recorder.ts'

const folders = new Folders()
let practice: Practice
beforeAll(async () => {
  practice = await startPractice()
})
afterAll(async () => {
  await practice.stop()
  await folders.removeAll()
})

describe('hangar watch and hangar serve', () => {
  it('tell what has ended while they run, and of the last picture when they are stopped', async () => {
    const file = join(await folders.make('hook'), 'told.jsonl')
    // Begun at the stop, it has three seconds: a shell needs some milliseconds of them.
    const run = ['/bin/sh', '-c', 'cat >> "$0"', file]
    const done = async () =>
      jsonLines(await readFile(file, 'utf8')).map(({ counts }) => (counts as { done: number }).done)
    const pictures = await folders.withPictures(['a.jpg'])
    const data = await dataWithHooks(folders, [{ on: 'done', run }])
    const watch = startCli(['watch', pictures, '--data-dir', data], { env: practice.env })
    await until('it is told', async () => (await done()).length === 1)
    await drawPicture(join(pictures, 'b.jpg'))
    await watch.said(/b\.jpg/)
    watch.child.kill('SIGTERM')
    expect((await watch.ended).code).toBe(0)
    // Of one batch, since the second picture came within a minute.
    expect(await done()).toEqual([1, 2])

    const failing = await hookRecorder(folders, 'process.exit(1)')
    await writeFile(join(data, 'hooks.json'), JSON.stringify([{ on: 'done', run: failing.run }]))
    const serve = startCli(['serve', '--data-dir', data, '--port', '0'], { env: practice.env })
    await serve.said(/Hangar is at/)
    await drawPicture(join(pictures, 'c.jpg'))
    await serve.said(/The hook node for done failed\. It ended with exit status 1\./)
    expect((await failing.told())[0]!.env).not.toHaveProperty('HANGAR_API_KEY')
    serve.child.kill('SIGTERM')
    await serve.ended
  })

  it('end a hook that hangs soon after they are stopped', async () => {
    const hook = await hookRecorder(folders, 'setInterval(() => {}, 1000)')
    const pictures = await folders.withPictures(['a.jpg'])
    const data = await dataWithHooks(folders, [{ on: 'done', run: hook.run }])
    const args = ['watch', pictures, '--data-dir', data, '--json']
    const watch = startCli(args, { env: practice.env })
    await until('it hangs', async () => (await hook.told()).length === 1)
    watch.child.kill('SIGTERM')
    const { code, stdout } = await watch.ended
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toContainEqual(
      expect.objectContaining({ event: 'hook', ok: false, why: 'It was ended, because Hangar stops.' }),
    )
  })

  it('end it with themselves when they are stopped a second time', async () => {
    const hook = await hookRecorder(folders, "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)")
    const pictures = await folders.withPictures(['a.jpg'])
    const data = await dataWithHooks(folders, [{ on: 'done', run: hook.run }])
    const args = ['watch', pictures, '--data-dir', data]
    const watch = startCli(args, { env: practice.env })
    await until('it hangs', async () => (await hook.told()).length === 1)
    watch.child.kill('SIGTERM')
    await watch.said(/Once more ends it at once/)
    watch.child.kill('SIGTERM')
    expect((await watch.ended).code).toBe(130)
    const [{ pid }] = (await hook.told()) as [Told]
    await until('the hook is gone', () => !isAlive(pid))
  })

  it('tell what needs a person while they run, once', async () => {
    const hook = await hookRecorder(folders)
    const pictures = await folders.withPictures(['a.jpg'])
    const env = { ...practice.env, HANGAR_API_KEY: 'wrong' }
    const data = await dataWithHooks(folders, [{ on: 'attention', run: hook.run }])
    const args = ['watch', pictures, '--data-dir', data, '--json']
    const watch = startCli(args, { env })
    await until('it is told', async () => (await hook.told()).length === 1)
    await drawPicture(join(pictures, 'b.jpg'))
    await watch.said(/b\.jpg.*"held"/)
    watch.child.kill('SIGTERM')
    expect((await watch.ended).code).toBe(0)
    expect((await hook.told()).map(({ read }) => read.reasons![0]!.code)).toEqual(['key_refused'])
  })
})
