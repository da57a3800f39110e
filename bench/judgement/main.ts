/**
 * What the comparison of a served file with its original takes, for a photograph of 12 megapixels and the same compressed.
 * Run: node bench/judgement/main.ts
 */
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import sharp from 'sharp'
import { doImageTask, prepareImageLibrary } from '../../src/main/images/image-work.ts'
import type { ImageTask } from '../../src/main/core/picture-tasks.ts'
import { photo } from '../photo.ts'

const RUNS = 15
const LIMITS = { framePixels: 1e8, totalPixels: 4e8 }

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

async function timed(task: ImageTask): Promise<{ wall: number; processor: number }> {
  const [walls, processors] = [[] as number[], [] as number[]]
  for (let run = 0; run < RUNS; run += 1) {
    const [before, startedAt] = [process.cpuUsage(), performance.now()]
    const answer = await doImageTask(task)
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    walls.push(performance.now() - startedAt)
    const { user, system } = process.cpuUsage(before)
    processors.push((user + system) / 1000)
  }
  return { wall: median(walls), processor: median(processors) }
}

// As an image worker has it.
prepareImageLibrary(2)
const large = sharp(await photo(1)).resize(4000, 3000, { fit: 'fill' })
const original = await large.clone().jpeg({ quality: 92 }).toBuffer()
const png = await large.clone().png({ compressionLevel: 1 }).toBuffer()
const webp = await large.clone().webp({ quality: 92, effort: 0 }).toBuffer()
const inP3 = await large.clone().withIccProfile('p3').jpeg({ quality: 92 }).toBuffer()
for (const [name, of, made] of [
  ['baseline, quality 76', original, large.clone().jpeg({ quality: 76 })],
  ['progressive (mozjpeg), quality 76', original, large.clone().jpeg({ quality: 76, mozjpeg: true })],
  ['the same without its profile', inP3, sharp(inP3, { ignoreIcc: true }).jpeg({ quality: 76, mozjpeg: true })],
  ['PNG', png, large.clone().png({ palette: true, effort: 1 })],
  ['WebP, quality 76', webp, large.clone().webp({ quality: 76, effort: 0 })],
] as const) {
  const served = await made.toBuffer()
  const judged = await timed({ kind: 'judge', bytes: served, original: of, copy: null, limits: LIMITS })
  const inspected = await timed({ kind: 'inspect', bytes: served, limits: LIMITS })
  const ms = ({ wall, processor }: typeof judged): string =>
    `${wall.toFixed(1)} ms (${processor.toFixed(1)} ms of processor time)`
  const sizes = [of, served].map(({ length }) => Math.round(length / 1024)).join(' to ')
  process.stdout.write(
    `${name}, 4000 × 3000, ${sizes} KiB: compared in ${ms(judged)}; inspected before in ${ms(inspected)}; medians of ${RUNS}\n`,
  )
}
