import sharp from 'sharp'
import { pngChunks, pngOf } from '../../src/main/images/png-chunks.ts'

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

export interface TestFrame {
  left?: number
  top?: number
  width: number
  height: number
  colour: Rgba
  delay?: [numerator: number, denominator: number]
  /** 0 keep, 1 clear, 2 restore. */
  dispose?: number
  /** 0 replace, 1 over. */
  blend?: number
}

async function pixelsOf({ width, height, colour }: TestFrame): Promise<Buffer> {
  const raw = Buffer.from(Array.from({ length: width * height }, () => [...colour]).flat())
  const png = await sharp(raw, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
  return Buffer.concat([...pngChunks(png)].filter(({ name }) => name === 'IDAT').map(({ data }) => data))
}

/** An animated PNG, written by hand. `hidden` is a picture that is no frame, for programs that cannot play it. */
export async function apng(
  frames: readonly TestFrame[],
  options: { plays?: number; hidden?: TestFrame; extra?: { name: string; data: Buffer }[]; declared?: number } = {},
): Promise<Buffer> {
  const canvas = options.hidden ?? frames[0]!
  const header = Buffer.from('00000000000000000806000000', 'hex')
  header.writeUInt32BE(canvas.width, 0)
  header.writeUInt32BE(canvas.height, 4)
  const control = Buffer.alloc(8)
  control.writeUInt32BE(options.declared ?? frames.length, 0)
  control.writeUInt32BE(options.plays ?? 0, 4)
  const chunks = [{ name: 'IHDR', data: header }, ...(options.extra ?? []), { name: 'acTL', data: control }]
  if (options.hidden !== undefined) chunks.push({ name: 'IDAT', data: await pixelsOf(options.hidden) })
  let number = 0
  for (const [index, frame] of frames.entries()) {
    const { width, height, left = 0, top = 0, delay = [1, 10], dispose = 0, blend = 0 } = frame
    const data = Buffer.alloc(26)
    ;[number++, width, height, left, top].forEach((value, at) => data.writeUInt32BE(value, at * 4))
    data.writeUInt16BE(delay[0], 20)
    data.writeUInt16BE(delay[1], 22)
    data.set([dispose, blend], 24)
    chunks.push({ name: 'fcTL', data })
    const pixels = await pixelsOf(frame)
    if (index === 0 && options.hidden === undefined) {
      chunks.push({ name: 'IDAT', data: pixels })
      continue
    }
    const sequence = Buffer.alloc(4)
    sequence.writeUInt32BE(number++)
    chunks.push({ name: 'fdAT', data: Buffer.concat([sequence, pixels]) })
  }
  return pngOf([...chunks, { name: 'IEND', data: Buffer.alloc(0) }])
}
