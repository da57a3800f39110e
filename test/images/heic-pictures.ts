import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { boxesIn, readItemFile } from '../../src/main/images/metadata/item-boxes.ts'
import { folderForTest } from '../temp-folder.ts'
import { judge } from './judges.ts'

/** Each quarter of it has a colour of its own: red, green, blue, grey, line by line. */
export function quarters(width: number, height: number, alpha?: number) {
  const channels = alpha === undefined ? 3 : 4
  const pixels = Buffer.alloc(width * height * channels)
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += channels) {
      pixels.set(COLOURS[(y * 2 >= height ? 2 : 0) + (x * 2 >= width ? 1 : 0)]!, at)
      if (alpha !== undefined) pixels[at + 3] = x * 2 < width ? alpha : 255
    }
  return sharp(pixels, { raw: { width, height, channels } })
}
const COLOURS = ['dc2828', '28c83c', '283cdc', '808080'].map((hex) => [...Buffer.from(hex, 'hex')])
const NAMES = ['red', 'green', 'blue', 'grey'] as const

/** Which colour the middle of each quarter has, line by line. */
export async function quartersIn(bytes: Uint8Array): Promise<string[]> {
  const plain = sharp(bytes).toColourspace('srgb').removeAlpha()
  const { data, info } = await plain.raw().toBuffer({ resolveWithObject: true })
  return [0, 1, 2, 3].map((nth) => {
    const x = Math.floor((info.width * (nth % 2 === 0 ? 1 : 3)) / 4)
    const y = Math.floor((info.height * (nth < 2 ? 1 : 3)) / 4)
    const at = (y * info.width + x) * info.channels
    const apart = COLOURS.map((colour) => colour.reduce((sum, value, n) => sum + Math.abs(value - data[at + n]!), 0))
    return NAMES[apart.indexOf(Math.min(...apart))]!
  })
}

/** By libheif's encoder, of JPEGs and PNGs: a top-level picture for each, of which the first is the main one. */
export function heicOf(pictures: readonly Buffer[], args: readonly string[] = []): Buffer {
  const folder = folderForTest()
  const files = pictures.map((bytes, nth) => {
    const path = join(folder, `${nth}.${bytes[0] === 0xff ? 'jpg' : 'png'}`)
    writeFileSync(path, bytes)
    return path
  })
  const made = join(folder, 'made.heic')
  const { status, words } = judge('heif-enc', [...args, '-q', '90', '-o', made, ...files])
  if (status !== 0) throw new Error(words)
  return readFileSync(made)
}

/** The file with a box that turns its main picture by so many quarters, counter-clockwise (ISO 23008-12, 6.5.10). */
export function turnedHeic(heic: Buffer, quarterTurns: number): Buffer {
  const { meta, inMeta, primary } = readItemFile(heic)
  const iprp = inMeta.find(({ type }) => type === 'iprp')!
  const [ipco, ipma] = ['ipco', 'ipma'].map((name) =>
    boxesIn(heic, iprp.dataStart, iprp.end).find(({ type }) => type === name)!,
  ) as [ReturnType<typeof boxesIn>[0], ReturnType<typeof boxesIn>[0]]
  const index = boxesIn(heic, ipco.dataStart, ipco.end).length + 1
  const irot = Buffer.from([0, 0, 0, 9, ...Buffer.from('irot'), quarterTurns])
  const countAt = heic.indexOf(Buffer.from([0, primary]), ipma.dataStart + 8) + 2
  const listEnd = countAt + 1 + heic[countAt]!
  const made = Buffer.concat([
    heic.subarray(0, ipco.end),
    irot,
    heic.subarray(ipco.end, listEnd),
    Buffer.from([0x80 | index]),
    heic.subarray(listEnd),
  ])
  const added = irot.length + 1
  const grow = (at: number, by: number) => made.writeUInt32BE(made.readUInt32BE(at) + by, at)
  grow(meta.start, added)
  grow(iprp.start, added)
  grow(ipco.start, irot.length)
  grow(ipma.start + irot.length, 1)
  made[countAt + irot.length]! += 1
  // What lay behind has moved: every offset into it is one of four bytes.
  const iloc = inMeta.find(({ type }) => type === 'iloc')!
  for (const { method, extents } of readItemFile(heic).items)
    for (const { offset } of method === 0 ? extents : []) {
      const from = iloc.start > ipco.start ? iloc.start + added : iloc.start
      const sought = Buffer.alloc(4)
      sought.writeUInt32BE(offset)
      made.writeUInt32BE(offset + added, made.indexOf(sought, from))
    }
  return made
}

/** The file with another of its pictures as the main one. */
export function withMainPicture(heic: Buffer, nth: number): Buffer {
  const { inMeta, items } = readItemFile(heic)
  const made = Buffer.from(heic)
  const pitm = inMeta.find(({ type }) => type === 'pitm')!
  made.writeUInt16BE(items.filter(({ type }) => type === 'hvc1')[nth]!.id, pitm.dataStart + 4)
  return made
}
