/**
 * What encoding through the image worker costs over calling sharp in a bare loop: the price of the process boundary,
 * the checks and the metadata rules. Each picture is done by both sides in turn and the ratio taken of that pair, so that
 * load on the machine hits both. Run: node bench/encode/main.ts [--pictures N] [--rounds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import type { ConvertFormat } from '../../src/shared/recipe.ts'
import type { Clock } from '../../src/shared/ports.ts'
import { AVIF_EFFORT } from '../../src/main/files/image-work.ts'
import { createImageWorker } from '../../src/main/files/image-worker-client.ts'
import { forkChild } from '../../src/main/fork-child.ts'

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

/** Photo-like: soft gradients with grain, so that neither encoder nor decoder gets it for free. */
async function photo(seed: number): Promise<Buffer> {
  const [width, height] = [2400, 1600]
  const pixels = Buffer.alloc(width * height * 3)
  let state = seed * 7919
  for (let at = 0, y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      const grain = (state >>> 27) - 16
      const shade = 128 + 90 * Math.sin((x + seed * 300) / 190) * Math.cos(y / 230)
      pixels[at++] = shade + grain
      pixels[at++] = 0.8 * shade + 20 + grain
      pixels[at++] = 240 - 0.7 * shade + grain
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

const bare = (bytes: Buffer, format: ConvertFormat): Promise<Buffer> => {
  const image = sharp(bytes, { autoOrient: true }).keepIccProfile()
  return (
    format === 'webp' ? image.webp({ quality: QUALITY }) : image.avif({ quality: QUALITY, effort: AVIF_EFFORT })
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
  const answer = await worker.encode(bytes, { format, quality: QUALITY, metadata: 'keep-without-location' })
  if (!answer.ok) throw new Error(answer.detail)
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
for (const bytes of photos) inspections.push(await timed(() => worker.inspect(bytes)))
const inspectMs = median(inspections)
console.log(`inspect: ${inspectMs.toFixed(0)} ms a picture (${(photos[0]?.length ?? 0) >> 10} KiB, 2400 × 1600)`)
await worker.close()
if (values.json !== undefined) {
  writeFileSync(
    values.json,
    `${JSON.stringify({ bench: 'encode', pictures: pictureCount, rounds, results, inspectMs }, null, 2)}\n`,
  )
}
