import { appendFile, copyFile, readFile, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { affordPlan, batchPrice } from '../../src/main/core/spend-guard.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { ask, makePicture, RECIPE, runToEnd } from '../engine/engine-harness.ts'
import { openWorldForEachTest, world } from '../engine/world-for-each-test.ts'
import { previewOf } from './previews.ts'

openWorldForEachTest()

const LEFT_OUT: readonly string[] = ['frames_lost', 'saved_too_little', 'converted_not_kept', 'widths_not_kept']

/** Two frames, one above the other. */
const animation = () =>
  sharp(Buffer.from(Array.from({ length: 40 * 60 * 3 }, (_, n) => (n * 7) & 0xff)), {
    raw: { width: 40, height: 60, channels: 3, pageHeight: 30 },
  })
    .gif({ delay: [100, 100] })
    .toBuffer()

/** One of everything: new, twice the same, done, a changed result, names in the way, damaged, too large, a wrong type, an animation, forged sidecars. */
async function fill(dataDir: string): Promise<void> {
  const at = (name: string) => join(world.pictures, name)
  await world.addPicture('done/a.jpg', 1)
  await world.addPicture('done/b.png', 2, 'png')
  const engine = await world.engine(dataDir)
  await runToEnd(engine, [world.pictures])
  await world.stop(engine)
  await appendFile(at('done/b.webp'), 'a person was here')
  await world.addPicture('new.jpg', 3)
  await copyFile(at('new.jpg'), at('new again.jpg'))
  await copyFile(at('done/a.jpg'), at('paid.jpg'))
  await world.addPicture('same.jpg', 4)
  await world.addPicture('same.png', 5, 'png')
  await writeFile(at('same-optimized.jpg'), await makePicture(6, 'jpeg'))
  await world.addPicture('is.webp', 7, 'webp')
  await writeFile(at('cut.jpg'), (await makePicture(8, 'jpeg')).subarray(0, 3000))
  await writeFile(at('text.jpg'), 'no picture')
  await writeFile(at('large.jpg'), Buffer.concat([await makePicture(9, 'jpeg'), Buffer.alloc(10_485_760)]))
  await writeFile(at('moving.gif'), await animation())
  await world.addPicture('forged.jpg', 10)
  await writeFile(at('forged.jpg.alt.json'), '{"not":"a sidecar"}')
  await world.addPicture('claimed.jpg', 11)
  const sidecar = JSON.parse(await readFile(at('done/a.jpg.alt.json'), 'utf8')) as { source: object; outputs: object[] }
  const forged = { ...sidecar, source: { ...sidecar.source, name: 'claimed.jpg', sha256: '0'.repeat(64) } }
  await writeFile(at('claimed.jpg.alt.json'), JSON.stringify(forged))
  // Nothing was touched a moment ago: the intake looks twice at what was.
  const names = Object.keys(await world.listing())
  const past = new Date(Date.now() - 60_000)
  for (const name of names) await utimes(at(name), past, past)
}

/** What a preview says, and what then happens, in the same words. */
async function compare(recipe: Recipe): Promise<void> {
  const dataDir = world.newDataFolder()
  await fill(dataDir)
  const before = await world.listing()
  const charged = world.charges.length
  const { found, all, groups, spend } = await previewOf(world, dataDir, recipe)
  expect(await world.listing()).toEqual(before)
  expect(world.charges).toHaveLength(charged)

  const engine = await world.engine(dataDir)
  const { balance } = await ask(engine, 'credits.balance', {})
  const plan = affordPlan(groups)
  const answers = await Promise.all(plan.questions.map(({ question }) => ask(engine, 'credits.afford', question)))
  const price = batchPrice(plan, answers)
  const jobs = await runToEnd(engine, [world.pictures], { recipe })
  const after = await world.listing()
  const nameOf = (path: string) => relative(world.pictures, path)
  const shown = all.flatMap((prospect) =>
    prospect.kind === 'work' ? prospect.names.map((name) => nameOf(join(prospect.dir, name))) : [],
  )
  expect(new Set(shown).size).toBe(shown.length)
  const written = Object.keys(after).filter(
    (name) => after[name] !== before[name] && !name.includes('.hangar-originals'),
  )
  // What only the result tells: that of an animation too few frames came back, or that a file saves nothing.
  const leftOut = new Set(
    jobs
      .filter(({ notes }) => notes.some(({ code }) => LEFT_OUT.includes(code)))
      .map(({ source }) => nameOf(source.path)),
  )
  const isSurprise = (name: string) => leftOut.has(name.replace('-optimized', '')) && !(name in after)
  expect(shown.filter((name) => written.includes(name) || !(name in after || isSurprise(name))).sort()).toEqual(
    written.sort(),
  )

  const said = all.flatMap((prospect) => {
    if (prospect.kind === 'known') return []
    const { job } = prospect
    return [`${nameOf(job.source.path)} ${prospect.kind === 'work' ? 'done' : `${job.state} ${job.reason?.code}`}`]
  })
  const happened = jobs.map(
    ({ source, state, reason }) => `${nameOf(source.path)} ${state === 'done' ? 'done' : `${state} ${reason?.code}`}`,
  )
  expect(said.sort()).toEqual(happened.sort())
  expect(found).toBe(all.length)

  expect(world.charges.length - charged).toBe(spend.dispatches)
  const spent = balance - (await ask(engine, 'credits.balance', {})).balance
  if (price === null || price.atMost) expect(spent).toBeLessThanOrEqual(price?.required ?? 0)
  else expect(spent).toBe(price.required)
}

const recipes: [string, Partial<Recipe>][] = [
  ['with everything beside the originals', {}],
  ['at two widths, as AVIF', { widths: [80, 120], format: 'avif' }],
  [
    'in place of the originals, with smaller copies of large ones',
    { output: { kind: 'replace' }, oversize: 'downscale' },
  ],
  ['compressed only', { operation: 'optimize' }],
  ['converted here', { operation: 'convert', convertOn: 'here', widths: [100] }],
  ['described only', { operation: 'analyze' }],
]
it.each(recipes)('a preview of a mixed folder says what a run then does: %s', async (_, changes) => {
  await compare({ ...RECIPE, ...changes })
})
