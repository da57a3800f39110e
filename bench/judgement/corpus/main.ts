/**
 * `node bench/judgement/corpus/main.ts FOLDER [PAIRS] [SEED] [MINUTES] [KEEP]`: has the judgement of served files decide about
 * results that compressors made of the pictures below a folder, and about as many that are not of their original, and prints how
 * many it got wrong at which limit. It yields to everything else on the machine. What was made is kept in the folder KEEP, so that
 * another run only judges.
 */
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { dirname, join, relative } from 'node:path'
import sharp from 'sharp'
import { judgeServed, least, MAX_DIFFERENCE } from '../../../src/main/core/judge-served.ts'
import { measureFiles } from '../../../src/main/images/judge-file.ts'
import type { ImageAnswer } from '../../../src/main/core/picture-tasks.ts'
import { doImageTask } from '../../../src/main/images/image-work.ts'
import { seededRandom } from '../../../test/images/pictures.ts'
import { dishonest, honest, type Original, type Variant } from './variants.ts'

const [folder = '', wanted = '3000', seed = '30', minutes = '20', keep = ''] = process.argv.slice(2)
const LIMITS = { framePixels: 1e8, totalPixels: 4e8 }
/** Larger ones are scaled to it first, but for each eighth: what is compared has a thousand cells at most. */
const MOST_PIXELS = 400_000
const MORE_PIXELS = 1_500_000
/** GIFs and WebPs are few: they come earlier. */
const EARLIER = 0.3
const NEIGHBOURS = 2
const LOW_PRIORITY = 10
const THRESHOLDS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7]

interface Judged {
  /** Taken, refused by the pictures themselves, or by anything else. */
  verdict: 'taken' | 'other_picture' | 'refused'
  why: string
  distance: number
  what: string
}

setPriority(LOW_PRIORITY)
sharp.concurrency(1)
sharp.cache(false)
const random = seededRandom(Number(seed))
const deadline = Date.now() + Number(minutes) * 60_000
const paths = filesBelow(folder).toSorted()
const drawn = paths
  .map((path) => ({ path, order: random() * (/\.(?:gif|webp)$/i.test(path) ? EARLIER : 1), isLarge: random() < 1 / 8 }))
  .toSorted((one, other) => one.order - other.order)
const judged: Record<'honest' | 'dishonest', Judged[]> = { honest: [], dishonest: [] }
const skipped = { pictures: 0, variants: 0, alike: 0 }
let pictures = 0

const isEnough = (): boolean =>
  Date.now() > deadline || Object.values(judged).every((list) => list.length >= Number(wanted))
if (keep !== '') await mkdir(keep, { recursive: true })
for (const { path, isLarge } of drawn) {
  if (isEnough()) break
  await tryPicture(path, isLarge ? MORE_PIXELS : MOST_PIXELS)
}
report()

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:jpe?g|png|gif|webp)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size < 6_000_000)
}

/** Null for what is no whole picture, or would not be sent. */
async function open(path: string, mostPixels: number): Promise<Original | null> {
  const read = await readFile(path)
  const seen = await doImageTask({ kind: 'inspect', bytes: read, limits: LIMITS }).catch(() => null)
  if (seen?.ok !== true || !('frames' in seen) || seen.type === 'avif' || seen.type === 'tiff') return null
  const pixels = seen.width * seen.height * seen.frames
  if (pixels <= mostPixels) return ofBytes(path, read)
  if (seen.frames > 1) return pixels <= MORE_PIXELS * 4 ? ofBytes(path, read) : null
  const width = Math.max(1, Math.round(seen.width * Math.sqrt(mostPixels / pixels)))
  const image = sharp(read, { failOn: 'none' }).autoOrient().keepIccProfile().resize({ width })
  const bytes = await (seen.type === 'jpeg' ? image.jpeg({ quality: 95 }) : image).toBuffer()
  return ofBytes(path, bytes)
}

async function ofBytes(path: string, bytes: Buffer): Promise<Original> {
  const metadata = await sharp(bytes, { failOn: 'none' }).metadata()
  return { path, bytes, metadata }
}

function inspected(bytes: Buffer): Promise<ImageAnswer> {
  return doImageTask({ kind: 'inspect', bytes, limits: LIMITS })
}

async function tryPicture(path: string, mostPixels: number): Promise<void> {
  const original = await open(path, mostPixels).catch(() => null)
  if (original === null) {
    skipped.pictures += 1
    return
  }
  pictures += 1
  const beside = paths.filter((one) => one !== path && dirname(one) === dirname(path))
  const at = beside.findIndex((one) => one > path)
  const near = at < 0 ? beside.slice(-NEIGHBOURS) : beside.slice(Math.max(0, at - 1), at - 1 + NEIGHBOURS)
  const neighbours = (await Promise.all(near.map((one) => open(one, mostPixels).catch(() => null)))).filter(
    (one) => one !== null,
  )
  for (const variant of honest(original)) await tryVariant('honest', original, variant)
  for (const variant of dishonest(
    original,
    neighbours.map(({ bytes }) => bytes),
  ))
    await tryVariant('dishonest', original, variant)
}

async function tryVariant(
  kind: 'honest' | 'dishonest',
  original: Original,
  { name, make, copy = null }: Variant,
): Promise<void> {
  if (Date.now() > deadline) return
  const served = await made(original, name, make)
  const whole = served === null ? null : await inspected(served).catch(() => null)
  if (served === null || whole?.ok !== true) {
    skipped.variants += 1
    return
  }
  if (kind === 'dishonest' && (await isAlike(served, original))) {
    skipped.alike += 1
    return
  }
  const measured = await measureFiles(served, original.bytes, { copy, limits: LIMITS }, () => Promise.resolve())
  if (!measured.ok) {
    skipped.variants += 1
    return
  }
  const [facts, given] = [measured.original.facts, measured.served.facts]
  const judgement = judgeServed(facts, given, { ...measured, copy })
  const fewer = kind === 'dishonest' && given.frames < facts.frames
  const why = judgement.fits ? (fewer ? 'frames_lost' : '') : 'code' in judgement.why ? judgement.why.code : ''
  const seen: Judged = {
    verdict: why === '' ? 'taken' : why === 'served_other_picture' ? 'other_picture' : 'refused',
    why,
    distance: Math.min(...measured.matches.map(least)),
    what: `${name}: ${relative(folder, original.path)}`,
  }
  judged[kind].push(seen)
  if (kind === 'honest' && seen.verdict !== 'taken')
    process.stderr.write(`REFUSED ${seen.distance} ${why} ${seen.what}\n`)
}

async function made({ path, bytes }: Original, name: string, make: Variant['make']): Promise<Buffer | null> {
  const file = join(keep, createHash('sha256').update(`${path} ${bytes.length} ${name}`).digest('hex'))
  const before = keep === '' ? null : await readFile(file).catch(() => null)
  if (before !== null) return before.length === 0 ? null : before
  const served = await make().catch(() => null)
  if (keep !== '') await writeFile(file, served ?? '')
  return served
}

/** Nobody could tell them apart: the mirror image of a symmetrical drawing, a grey picture made grey, a file that is there twice. */
async function isAlike(served: Buffer, { bytes }: Original): Promise<boolean> {
  const options = { failOn: 'none' as const, pages: 1 }
  const one = await sharp(served, options).metadata()
  const other = await sharp(bytes, options).metadata()
  if ((one.pages ?? 1) !== (other.pages ?? 1) || one.hasAlpha !== other.hasAlpha) return false
  if (one.autoOrient.width !== other.autoOrient.width || one.autoOrient.height !== other.autoOrient.height) return false
  const side = 128
  const pixels = (given: Buffer): Promise<Buffer> =>
    sharp(given, options)
      .autoOrient()
      .resize(side, side, { fit: 'fill' })
      .toColourspace('srgb')
      .flatten()
      .raw()
      .toBuffer()
  const [a, b] = [await pixels(served), await pixels(bytes)]
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length < 2
}

function report(): void {
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`)
  }
  say(
    `seed ${seed}; ${pictures} pictures of ${paths.length}; not whole or too large: ${skipped.pictures}; variants that could not be made: ${skipped.variants}; pairs that nobody could tell apart: ${skipped.alike}`,
  )
  for (const kind of ['honest', 'dishonest'] as const) {
    const list = judged[kind]
    say(`\n${kind}: ${list.length}`)
    for (const name of [...new Set(list.map(({ what }) => what.split(':')[0]!))].toSorted()) {
      const of = list.filter(({ what }) => what.startsWith(`${name}:`))
      const taken = of.filter(({ verdict }) => verdict === 'taken').length
      say(`  ${name}: ${of.length}, taken ${taken}, refused ${of.length - taken}`)
    }
    if (kind === 'honest')
      for (const { what, distance } of list
        .filter(({ distance }) => Number.isFinite(distance))
        .toSorted((one, other) => other.distance - one.distance)
        .slice(0, 12))
        say(`  furthest ${distance.toFixed(3)} ${what}`)
    for (const { what, why, distance } of list.filter(
      ({ verdict }) => (verdict === 'taken') === (kind === 'dishonest'),
    ))
      say(`  ${kind === 'honest' ? 'REFUSED' : 'MISSED'} ${distance.toFixed(3)} ${why} ${what}`)
  }
  say(`\nby the comparison alone (limit in use: ${MAX_DIFFERENCE})`)
  const compared = (kind: 'honest' | 'dishonest') =>
    judged[kind].filter(({ verdict, distance }) => verdict !== 'refused' && Number.isFinite(distance))
  for (const limit of THRESHOLDS) {
    const refused = compared('honest').filter(({ distance }) => distance > limit).length
    const missed = compared('dishonest').filter(({ distance }) => distance <= limit).length
    say(
      `  ${limit}: honest refused ${refused} of ${compared('honest').length}, others taken ${missed} of ${compared('dishonest').length}`,
    )
  }
}
