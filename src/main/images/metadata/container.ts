import type { PhotoshopResources } from './iptc.ts'

/** The metadata of a file, unparsed. */
export interface FoundMetadata {
  /** The TIFF block, without the `Exif\0\0` that JPEG puts before it. */
  exif: Buffer | null
  /** Every packet; a packet that is split into several parts is joined. */
  xmp: Buffer[]
  /** IPTC-IIM records. */
  iptc: Buffer | null
  photoshop: PhotoshopResources
  /** Keyword and value: PNG text; comments of JPEG and GIF have the keyword `Comment`. */
  texts: { keyword: string; value: string }[]
  density: Density | null
}

/** Pixels per length; the unit is a number of the format's own, so that it means nothing in another. */
export interface Density {
  unit: number
  across: number
  down: number
}

/** What a file gets in place of what it has of the kind: null removes, undefined leaves it. A kind that the format lacks is left out. */
export interface NewParts {
  exif?: Buffer | null | undefined
  xmp?: Buffer | null | undefined
  /** Added to what the file has. */
  iptc?: Buffer | undefined
  density?: Density | undefined
  profile?: Buffer | undefined
}

/** Reads and writes the metadata of one format. Both throw `MalformedImage` or `RangeError` for bytes that cannot be parsed. */
export interface Container {
  read(bytes: Buffer): FoundMetadata
  /** The offset after the last byte of the picture. What follows is legal: motion photos, gain maps. */
  end(bytes: Buffer): number
  /** The coded pixels byte for byte, with what affects their rendering, and the new parts. `picture`: everything else is dropped. */
  rewrite(bytes: Buffer, parts: NewParts, keeps: 'picture' | 'all'): Buffer
}

export class MalformedImage extends Error {}

/** What was made of a file's bytes; null where they cannot be parsed. */
export function orNull<Made>(make: () => Made): Made | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof MalformedImage || error instanceof RangeError) return null
    throw error
  }
}

export function nothingFound(): FoundMetadata {
  return { exif: null, xmp: [], iptc: null, photoshop: new Map(), texts: [], density: null }
}

/** Some programs write the JPEG prefix in formats that do not use it. */
export function withoutExifPrefix(block: Buffer): Buffer {
  return block.toString('latin1', 0, 6) === 'Exif\0\0' ? block.subarray(6) : block
}
