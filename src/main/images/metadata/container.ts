/** What a file holds beside its pixels, as it stands there. */
export interface FoundMetadata {
  /** The TIFF block, without the `Exif\0\0` that JPEG puts before it. */
  exif: Buffer | null
  /** Every packet, also those that one format splits into several. */
  xmp: Buffer[]
  /** IPTC-IIM records. */
  iptc: Buffer | null
  /** Keyword and value: PNG text; comments of JPEG and GIF have the keyword `Comment`. */
  texts: { keyword: string; value: string }[]
}

/** What is written in place of it. */
export interface NewMetadata {
  exif: Buffer | null
  xmp: Buffer | null
}

/**
 * How one format keeps metadata. Pure: bytes in, bytes out. Both throw `MalformedImage` (or a `RangeError`) for bytes whose
 * structure cannot be followed.
 */
export interface Container {
  read(bytes: Buffer): FoundMetadata
  /**
   * The same coded pixels, byte for byte, with what decides how they are shown (profiles, transparency, timing), and the new
   * metadata. `all`: nothing else goes along, unknown parts and what follows the picture included. `xmp`: all other metadata
   * stays as it is, and only XMP is replaced.
   */
  rewrite(bytes: Buffer, metadata: NewMetadata, replace: 'all' | 'xmp'): Buffer
}

export class MalformedImage extends Error {}

export function nothingFound(): FoundMetadata {
  return { exif: null, xmp: [], iptc: null, texts: [] }
}

/** EXIF as some programs hand it over to formats that do not want the prefix. */
export function withoutExifPrefix(block: Buffer): Buffer {
  return block.toString('latin1', 0, 6) === 'Exif\0\0' ? block.subarray(6) : block
}
