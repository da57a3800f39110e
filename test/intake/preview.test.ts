import { appendFile, copyFile, readFile, utimes, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { openStandalonePreview } from '../../src/main/engine/standalone-preview.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { Prospect } from '../../src/main/intake/preview-intake.ts'
import { PreviewTotals } from '../../src/main/intake/preview-intake.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { createHttp } from '../../src/main/services/http.ts'
import { builtChildren } from '../built-children.ts'
import { ask, EngineWorld, makePicture, RECIPE, runToEnd } from '../engine/engine-harness.ts'
import { backTo } from '../journal/earlier-versions.ts'
import { quiet } from '../simulation/world.ts'

let world: EngineWorld

beforeEach(async () => {
  world = await EngineWorld.open()
})

afterEach(async () => {
  await world.close()
})

const LEFT_OUT: readonly string[] = ['frames_lost', 'saved_too_little', 'converted_not_kept', 'widths_not_kept']

const never = new AbortController().signal

/** The preview as `hangar run --dry-run` opens it. */
const open = (
  dataDir: string,
  stopping = never,
  caps = { perDay: null as number | null, perMonth: null, perFolderPerDay: null },
) =>
  openStandalonePreview(
    {
      dataDir,
      clock: realClock,
      random: Math.random,
      log: quiet,
      secrets: world.secrets,
      http: createHttp({ clock: realClock, version: 'test' }),
      child: builtChildren,
      practice: () => null,
      overrides: { imageBaseUrl: world.practice.imageBaseUrl, requestsPerMinute: 600, caps },
      imageWorkers: 2,
    },
    stopping,
  )

async function previewOf(dataDir: string, recipe: Recipe, paths = [world.pictures]) {
  const preview = await open(dataDir)
  try {
    const request = { paths, recipe, include: [], exclude: [], force: false }
    const { found, prospects } = await preview.inspect(request, never)
    const all: Prospect[] = []
    const totals = new PreviewTotals()
    for await (const prospect of prospects) {
      all.push(prospect)
      totals.add(prospect)
    }
    const groups = totals.groups(recipe.format)
    const price = groups.length === 0 ? null : await preview.price(groups)
    return { found, all, price, spend: totals.spend }
  } finally {
    await preview.close()
  }
}

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
  const { found, all, price, spend } = await previewOf(dataDir, recipe)
  expect(await world.listing()).toEqual(before)
  expect(world.charges).toHaveLength(charged)

  const engine = await world.engine(dataDir)
  const { balance } = await ask(engine, 'credits.balance', {})
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

describe('A preview of a mixed folder', () => {
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
  it.each(recipes)('says what a run then does: %s', async (_, changes) => {
    await compare({ ...RECIPE, ...changes })
  })
})

describe('A preview', () => {
  const request = (recipe = RECIPE) => ({ paths: [world.pictures], recipe, include: [], exclude: [], force: false })

  it('stops at once, in the middle of a picture', async () => {
    for (let n = 0; n < 40; n += 1) await world.addPicture(`${n}.jpg`, n)
    const stop = new AbortController()
    const preview = await open(world.newDataFolder(), stop.signal)
    const { prospects } = await preview.inspect(request(), stop.signal)
    let seen = 0
    const reading = (async () => {
      for await (const _ of prospects) if ((seen += 1) === 5) stop.abort(new Error('enough'))
    })()
    await expect(reading).rejects.toThrow()
    expect(seen).toBeLessThan(40)
    await preview.close()
  })

  it('comes picture by picture in the order of the names, whatever takes longer', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `${String(n).padStart(2, '0')}.jpg`)
    for (const [n, name] of names.entries()) await world.addPicture(name, n)
    await writeFile(join(world.pictures, '00.jpg'), await makePicture(3, 'jpeg'))
    const { all } = await previewOf(world.newDataFolder(), RECIPE)
    expect(all.map((one) => (one.kind === 'known' ? '' : basename(one.job.source.path)))).toEqual(names)
  })

  it('tells how many pictures a cap or a missing yes would hold, as they are held then', async () => {
    for (let n = 0; n < 5; n += 1) await world.addPicture(`${n}.jpg`, n)
    const dataDir = world.newDataFolder()
    const caps = { perDay: 3, perMonth: null, perFolderPerDay: null }
    const preview = await open(dataDir, never, caps)
    const spend = { dispatches: 5, pictures: 5, confirmed: true, maxCredits: null, creditsPerImage: null }
    const held = preview.held(spend)
    expect(preview.held({ ...spend, dispatches: 101, pictures: 101, confirmed: false })?.pictures).toBe(101)
    expect(preview.held({ ...spend, dispatches: 2, pictures: 2 })).toBeNull()
    await preview.close()
    const engine = await world.engine(dataDir, { overrides: { caps } })
    const jobs = await runToEnd(engine, [world.pictures])
    const waiting = jobs.filter(({ state }) => state === 'held')
    expect(waiting).toHaveLength(held!.pictures)
    expect(waiting[0]?.reason).toEqual(held?.reason)
  })

  it('tells a picture that is unknown from one that was paid for', async () => {
    const path = await world.addPicture('a.jpg', 1)
    const dataDir = world.newDataFolder()
    await runToEnd(await world.engine(dataDir), [path])
    await copyFile(path, join(world.pictures, 'elsewhere.jpg'))
    expect((await previewOf(dataDir, RECIPE)).all.at(-1)).toMatchObject({ kind: 'work', sent: null, isPaid: true })
    const db = openJournal(dataDir)
    db.exec(`UPDATE payments SET state = 'unknown'`)
    db.close()
    const { all, spend } = await previewOf(dataDir, RECIPE)
    expect(all.at(-1)).toMatchObject({ kind: 'over', job: { state: 'unknown', reason: { code: 'answer_lost' } } })
    expect(spend.dispatches).toBe(0)
  })

  it('reads a journal of an earlier version and leaves it as it is', async () => {
    const path = await world.addPicture('a.jpg', 1)
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir)
    await runToEnd(engine, [path])
    await world.stop(engine)
    const before = openJournal(dataDir)
    backTo(before, 7)
    before.close()
    const { all } = await previewOf(dataDir, RECIPE)
    expect(all).toMatchObject([{ kind: 'known' }, { kind: 'known', reason: 'already_done' }, { kind: 'known' }])
    const after = openJournal(dataDir, { readonly: true })
    expect(after.pragma('user_version', { simple: true })).toBe(7)
    after.close()
  })
})
