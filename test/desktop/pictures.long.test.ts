import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JobRow } from '../../src/shared/contract/jobs.ts'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'
import { ROOT } from './runtime/runtime-place.ts'

const SAMPLES = join(ROOT, 'resources/samples')
const isPicture = (name: string) => /\.(jpe?g|png|gif|webp)$/.test(name)

describeWith(REAL_ELECTRON)('pictures in a real Electron', () => {
  let world: DesktopWorld
  let app: DesktopApp

  beforeEach(async () => {
    world = await DesktopWorld.open()
    app = await world.start().ready()
  })
  afterEach(() => world.close())

  const done = async () => (await app.counts()).done
  const rows = () => app.page<number>("document.querySelectorAll('.jobs-line').length")

  it('appear as one row each under a pointer that rests where they appear, and leave no trace of two GLibs', async () => {
    const samples = (await readdir(SAMPLES)).filter(isPicture)
    await app.main(({ shell }) => {
      const revealed: string[] = []
      Object.assign(globalThis, { revealed })
      Object.assign(shell, { showItemInFolder: (path: string) => revealed.push(path) })
    })
    await app.click('button', 'Try samples')
    await expect.poll(rows).toBe(samples.length)
    expect(await app.page("document.body.textContent.includes('new · show')")).toBe(false)
    await expect.poll(done).toBe(samples.length)
    expect(app.stderr).not.toMatch(/GLib|g_object|assertion/)
    const kinds = app.processes().map(({ kind }) => kind)
    expect(kinds).toContain('node image-worker')
    expect(kinds).not.toContain('node.mojom.NodeService')

    const { sections } = await app.call<{ sections: { ids: string[] }[] }>('jobs.index', {})
    const ids = sections.flatMap((section) => section.ids)
    const { rows: jobs } = await app.call<{ rows: JobRow[] }>('jobs.rows', { ids })
    const [job] = jobs as [JobRow]
    const folder = join(
      app.dataDir,
      (await readdir(app.dataDir)).find((name) => name.startsWith('samples-'))!,
    )
    const files = await readdir(folder)
    for (const name of samples) expect(files).toContain(`${name}.alt.json`)
    const shown = `createImageBitmap(await (await fetch('/picture/${job.id}/thumb?v=${job.updatedAtMs}')).blob())`
    expect(await app.page(`(async () => (await ${shown}).width > 0)()`)).toBe(true)
    const served = await app.page<number[]>(`(async () => {
      const bytes = await (await fetch('/download/${job.id}/original')).arrayBuffer()
      return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    })()`)
    const original = createHash('sha256')
      .update(await readFile(join(folder, job.name)))
      .digest()
    expect(Buffer.from(served)).toEqual(original)
    await app.call('outputs.reveal', { id: job.id, index: 0 })
    const revealed = await app.main(() => (globalThis as never as { revealed: string[] }).revealed)
    expect(revealed).toEqual([expect.stringContaining(folder)])
  })

  it.each(['node image-worker', 'node practice'])('are all done although %s is killed among them', async (kind) => {
    const samples = (await readdir(SAMPLES)).filter(isPicture)
    await app.click('button', 'Try samples')
    const find = () => app.processes().find((each) => each.kind === kind)?.pid
    await until(`${kind} runs`, () => find() !== undefined)
    // Before that there is no job yet, and one that is being sent may be unknown afterwards.
    await expect
      .poll(async () => {
        const { waiting, fetching, writing, done: ended } = await app.counts()
        return waiting + fetching + writing + ended
      })
      .toBe(samples.length)
    process.kill(find()!, 'SIGKILL')
    await expect.poll(done).toBe(samples.length)
    const { unknown, failed } = await app.counts()
    expect({ unknown, failed }).toEqual({ unknown: 0, failed: 0 })
  })
})
