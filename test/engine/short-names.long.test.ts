import { spawnSync } from 'node:child_process'
import { tryRestore } from '../../src/main/engine/engine-files.ts'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { itWith, LINUX_ROOT, programs } from '../needs.ts'
import { makePicture, RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const mounts: string[] = []
afterEach(() => {
  for (const mount of mounts.splice(0).toReversed()) run('fusermount', '-uz', mount)
})

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}

/** A folder with encrypted names: 175 bytes are left of 255, and 79 of those within two others. */
async function encrypted(within: string): Promise<string> {
  const [inside, shown] = [join(within, 'encrypted'), join(world.dir, `shown-${mounts.length}`)]
  for (const dir of [inside, shown]) await mkdir(dir)
  run('encfs', '--standard', '--extpass=echo secret', inside, shown)
  mounts.push(shown)
  return shown
}

itWith(LINUX_ROOT, programs('encfs', 'fusermount'))(
  'where names may not be as long as elsewhere every name is shortened, and nothing is paid that cannot be written',
  async () => {
    const dir = await encrypted(world.dir)
    const name = `${'n'.repeat(164)}.jpg`
    for (const [n, kind] of (['beside', 'replace'] as const).entries()) {
      const [pictures, recipe] = [join(dir, kind), { ...RECIPE, widths: [40], output: { kind } }]
      await mkdir(pictures)
      await writeFile(join(pictures, name), await makePicture(n + 1, 'jpeg'))
      const [job] = await runToEnd(await world.engine(world.newDataFolder()), [pictures], { recipe })
      expect(job).toMatchObject({ state: 'done', reason: null })
      const names = await readdir(pictures, { recursive: true })
      const again = await runToEnd(await world.engine(world.newDataFolder()), [pictures], { recipe })
      expect(again.filter(({ state }) => state === 'done')).toEqual([])
      expect(world.charges).toHaveLength(n + 1)
      expect(await readdir(pictures, { recursive: true })).toEqual(names)
    }
    // Written twice over, which moves the earlier ones aside.
    const engine = await world.engine(world.newDataFolder())
    for (const quality of [60, 40])
      await runToEnd(engine, [join(dir, 'beside')], { recipe: { ...RECIPE, widths: [40], quality } })
    expect(world.charges).toHaveLength(2)
    expect(await tryRestore(join(dir, 'replace', name), dir, false)).toMatchObject({ restored: true })
  },
)
