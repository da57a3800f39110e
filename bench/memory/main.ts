/**
 * How much memory an image worker takes for each pixel, which is what `BYTES_PER_PIXEL` in `images/image-work.ts` is made
 * from. Each figure is a fresh worker's rise of its largest resident memory (`VmHWM`), the file itself included. Linux
 * only. Run: node bench/memory/main.ts [--width N] [--height N]
 */
import { readFileSync } from 'node:fs'
import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { entryPoint } from '../../src/main/children/entry-points.ts'
import type { ImageTask, WorkerReply, WorkerRequest } from '../../src/main/core/picture-tasks.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

const { values } = parseArgs({
  options: { width: { type: 'string', default: '3000' }, height: { type: 'string', default: '2000' } },
})
const [width, height] = [Number(values.width), Number(values.height)]
const limits = { framePixels: 1e8, totalPixels: 4e8 }

/** Even noise, enlarged four times, so that encoders find texture and not only static. */
function noise(channels: 3 | 4): Sharp {
  const [smallWidth, smallHeight] = [Math.ceil(width / 4), Math.ceil(height / 4)]
  const pixels = Buffer.alloc(smallWidth * smallHeight * channels)
  let state = 7919
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    pixels[at] = state >>> 24
  }
  return sharp(pixels, { raw: { width: smallWidth, height: smallHeight, channels } }).resize(width, height)
}

const plain = sharp({ create: { width, height, channels: 3, background: '#285ac8' } })
const pictures = {
  'one colour, PNG': await plain.png().toBuffer(),
  'noise, JPEG': await noise(3).jpeg({ quality: 90 }).toBuffer(),
  'noise, JPEG, progressive': await noise(3).jpeg({ quality: 90, progressive: true }).toBuffer(),
  'noise and transparency, PNG, 8 bits': await noise(4).png({ compressionLevel: 1 }).toBuffer(),
  'noise and transparency, PNG, 16 bits': await noise(4).toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer(),
}
const encode = (format: 'webp' | 'avif') => (bytes: Uint8Array) =>
  ({ kind: 'encode', bytes, limits, options: { format, quality: 80, metadata: 'keep-all' } }) as const
const tasks: Record<string, (bytes: Uint8Array) => ImageTask> = {
  'look inside': (bytes) => ({ kind: 'inspect', bytes, limits }),
  thumbnail: (bytes) => ({ kind: 'thumbnail', bytes, limits, px: 256 }),
  'smaller copy': (bytes) => ({ kind: 'shrink', bytes, limits, maxBytes: Math.max(20_000, bytes.length / 3) }),
  WebP: encode('webp'),
  AVIF: encode('avif'),
}

const largestKb = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Bytes for each pixel, and what the worker itself said that it needs at most. */
async function measure(task: ImageTask): Promise<{ took: number; declared: number }> {
  const child = fork(entryPoint('image-worker'), { serialization: 'advanced' })
  const send = (request: WorkerRequest) => child.send(request)
  let before = 0
  let declared = 0
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the worker ended')))
    child.on('message', (message) => {
      const reply = message as WorkerReply
      if (reply.kind === 'ready') {
        before = largestKb(child.pid!)
        send({ id: 1, task })
      } else if (reply.kind === 'needs') {
        declared = reply.bytes
        send({ id: 1, go: true })
      } else {
        const took = (largestKb(child.pid!) - before) * 1024
        child.removeAllListeners('exit').kill()
        if (!reply.answer.ok) reject(new Error(englishText(reply.answer.detail)))
        else resolve({ took: took / (width * height), declared: declared / (width * height) })
      }
    })
  })
}

const names = Object.keys(tasks)
process.stdout.write(
  [
    `Largest resident memory of a worker, over what it starts with, in bytes for each of ${(width * height) / 1e6} million pixels;`,
    'in brackets what it counts for.',
    '',
    `| picture | ${names.join(' | ')} |`,
    `| --- | ${names.map(() => '---').join(' | ')} |`,
    '',
  ].join('\n'),
)
for (const [picture, bytes] of Object.entries(pictures)) {
  const cells: string[] = []
  for (const name of names) {
    const { took, declared } = await measure(tasks[name]!(bytes))
    cells.push(`${took.toFixed(0)} (${declared.toFixed(0)})`)
  }
  process.stdout.write(`| ${picture} | ${cells.join(' | ')} |\n`)
}
