import { MalformedImage, nothingFound, type Container } from './container.ts'
import { textOfBytes } from './text-of-bytes.ts'

const TRAILER = 0x3b
const EXTENSION = 0x21
const IMAGE = 0x2c
const GRAPHIC_CONTROL = 0xf9
const COMMENT = 0xfe
const APPLICATION = 0xff

/** Application extensions for the loop count and the colour profile. */
const PROFILE = 'ICCRGBG1012'
const PICTURE = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', PROFILE])
const APPLICATION_HEADER_BYTES = 14
const END_OF_BLOCKS = Buffer.from([0])
const XMP = 'XMP DataXMP'
/** XMP is not split into sub-blocks. Readers that expect sub-block lengths hit this countdown, which leads them to its end. */
const XMP_END = Buffer.from([0x01, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0x00])

interface Block {
  kind: 'image' | 'control' | 'comment' | 'application' | 'other'
  application: string
  whole: Buffer
}

export const gif: Container = {
  read(bytes) {
    const found = nothingFound()
    for (const { kind, application, whole } of blocksOf(bytes).blocks) {
      if (kind === 'comment') found.texts.push({ keyword: 'Comment', value: textOfBytes(dataOf(whole.subarray(2))) })
      if (application === XMP && whole.length > 14 + XMP_END.length)
        found.xmp.push(whole.subarray(14, whole.length - XMP_END.length))
    }
    return found
  },

  end: (bytes) => blocksOf(bytes).end,

  rewrite(bytes, { xmp }, keeps) {
    if (keeps === 'all' && xmp === undefined) return bytes
    const { blocks, head, end } = blocksOf(bytes)
    const kept = blocks.filter((block) => (keeps === 'all' ? block.application !== XMP : isPicture(block)))
    const parts = withoutLooseControls(kept).map((block) => (keeps === 'all' ? block.whole : plainBlock(block)))
    if (xmp) parts.unshift(Buffer.from([EXTENSION, APPLICATION, 11]), Buffer.from(XMP), xmp, XMP_END)
    return Buffer.concat([head, ...parts, Buffer.from([TRAILER]), ...(keeps === 'all' ? [bytes.subarray(end)] : [])])
  },
}

function isPicture({ kind, application }: Block): boolean {
  return kind === 'image' || kind === 'control' || (kind === 'application' && PICTURE.has(application))
}

/** A control block, or one about repetitions, without bytes that do not belong to it. */
function plainBlock({ kind, application, whole }: Block): Buffer {
  if (kind === 'control')
    return Buffer.concat([Buffer.from([EXTENSION, GRAPHIC_CONTROL, 4]), whole.subarray(3, 7), END_OF_BLOCKS])
  if (kind !== 'application' || application === PROFILE) return whole
  const loops = whole.subarray(APPLICATION_HEADER_BYTES, APPLICATION_HEADER_BYTES + 4)
  const isLoops = loops[0] === 3 && loops[1] === 1
  return Buffer.concat([whole.subarray(0, APPLICATION_HEADER_BYTES), ...(isLoops ? [loops] : []), END_OF_BLOCKS])
}

/** A control block applies to the next image; one whose image is missing would apply to the wrong one. */
function withoutLooseControls(blocks: Block[]): Block[] {
  return blocks.filter(({ kind, whole }, index) => {
    if (kind !== 'control') return true
    const next = blocks.slice(index + 1).find((block) => block.kind !== 'application' && block.kind !== 'comment')
    return whole[2]! >= 4 && next !== undefined && next.kind !== 'control'
  })
}

function blocksOf(bytes: Buffer): { head: Buffer; blocks: Block[]; end: number } {
  if (bytes.length < 13) throw new MalformedImage('no header')
  const colourTableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  const headEnd = 13 + colourTableBytes(bytes[10]!)
  const blocks: Block[] = []
  for (let at = headEnd; at < bytes.length;) {
    const start = at
    const block = bytes[at]!
    // Some encoders end the blocks of an image twice.
    if (block === 0) {
      at += 1
      continue
    }
    if (block === TRAILER) return { head: bytes.subarray(0, headEnd), blocks, end: at + 1 }
    let kind: Block['kind'] = 'other'
    let application = ''
    if (block === EXTENSION) {
      const label = bytes[at + 1]
      if (label === GRAPHIC_CONTROL) kind = 'control'
      else if (label === COMMENT) kind = 'comment'
      else if (label === APPLICATION) {
        kind = 'application'
        application = bytes[at + 2] === 11 ? bytes.toString('latin1', at + 3, at + 14) : ''
      }
      at = application === XMP ? endOfXmp(bytes, at + 14) : skipBlocks(bytes, at + 2)
    } else if (block === IMAGE) {
      kind = 'image'
      at = skipBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0))
    } else throw new MalformedImage('an unknown block')
    if (at > bytes.length) break
    blocks.push({ kind, application, whole: bytes.subarray(start, at) })
  }
  throw new MalformedImage('no trailer')
}

function skipBlocks(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!
  return at + 1
}

function endOfXmp(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(XMP_END, start)
  return end < 0 ? skipBlocks(bytes, start) : end + XMP_END.length
}

/** The contents of sub-blocks, without their lengths. */
function dataOf(blocks: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < blocks.length && blocks[at] !== 0; at += 1 + blocks[at]!)
    parts.push(blocks.subarray(at + 1, at + 1 + blocks[at]!))
  return Buffer.concat(parts)
}
