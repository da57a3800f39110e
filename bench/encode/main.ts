/**
 * What encoding through the image worker costs over calling sharp in a bare loop: the price of the process boundary,
 * the checks and the metadata rules. Each picture is done by both sides in turn and the ratio taken of that pair, so that
 * load on the machine hits both. Run: node bench/encode/main.ts [--pictures N] [--rounds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import type { ConvertFormat } from '../../src/shared/recipes/recipe.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { AVIF_EFFORT, avifQualityFor } from '../../src/main/images/avif-quality.ts'
import { createImageWorker } from '../../src/main/images/image-worker-client.ts'
import { forkChild } from '../../src/main/children/fork-child.ts'
import { photo } from '../photo.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

const { values } = parseArgs({
  options: {
    pictures: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
})
const pictureCount = Number(values.pictures)
const rounds = Number(values.rounds)
const QUALITY = 80

const clock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

const bare = (bytes: Buffer, format: ConvertFormat): Promise<Buffer> => {
  const image = sharp(bytes, { autoOrient: true }).keepIccProfile()
  return (
    format === 'webp'
      ? image.webp({ quality: QUALITY })
      : image.avif({ quality: avifQualityFor(QUALITY), effort: AVIF_EFFORT })
  ).toBuffer()
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN

async function timed(task: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await task()
  return performance.now() - startMs
}

sharp.cache(false)
sharp.concurrency(2)
const worker = createImageWorker({ child: forkChild, clock })
const photos = await Promise.all(Array.from({ length: pictureCount }, (_, index) => photo(index + 1)))
const throughWorker = async (bytes: Buffer, format: ConvertFormat): Promise<void> => {
  const answer = await worker.encode({
    bytes,
    options: { format, quality: QUALITY, metadata: 'keep-without-location' },
  })
  if (!answer.ok) throw new Error(englishText(answer.detail))
}

const results: Record<string, { bareMs: number; workerMs: number; ratio: number }> = {}
for (const format of ['webp', 'avif'] as const) {
  // AVIF takes many times as long; fewer pictures say as much.
  const chosen = format === 'webp' ? photos : photos.slice(0, Math.max(1, Math.floor(pictureCount / 3)))
  await throughWorker(photos[0] ?? Buffer.alloc(0), 'webp')
  const pairs: { bareMs: number; workerMs: number }[] = []
  for (let round = 0; round < rounds; round++) {
    for (const bytes of chosen) {
      const bareMs = await timed(() => bare(bytes, format))
      pairs.push({ bareMs, workerMs: await timed(() => throughWorker(bytes, format)) })
    }
  }
  const bareMs = median(pairs.map((pair) => pair.bareMs))
  const workerMs = median(pairs.map((pair) => pair.workerMs))
  results[format] = { bareMs, workerMs, ratio: median(pairs.map((pair) => pair.workerMs / pair.bareMs)) }
  console.log(
    `${format}: bare sharp ${bareMs.toFixed(0)} ms, through the worker ${workerMs.toFixed(0)} ms a picture, ratio ${results[format].ratio.toFixed(3)} (medians of ${pairs.length} pairs)`,
  )
}
const inspections: number[] = []
for (const bytes of photos) inspections.push(await timed(() => worker.inspect({ bytes })))
const inspectMs = median(inspections)
console.log(`inspect: ${inspectMs.toFixed(0)} ms a picture (${(photos[0]?.length ?? 0) >> 10} KiB, 2400 × 1600)`)
await worker.close()
if (values.json !== undefined) {
  writeFileSync(
    values.json,
    `${JSON.stringify({ bench: 'encode', pictures: pictureCount, rounds, results, inspectMs }, null, 2)}\n`,
  )
}
