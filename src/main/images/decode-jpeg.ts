/** What the decoder says of a JPEG that lost pixels. Its other warnings are about the head, or bytes that are none. */
const LOST = /^(?:Premature end|Corrupt JPEG data: (?!bad ICC marker|\d{1,2} extraneous bytes))/

/** `decode` must reject with all messages of the decoder, one per line. Rejects if pixels are lost. */
export async function decodeJpeg(decode: (failOn: 'warning' | 'error') => Promise<void>): Promise<void> {
  try {
    return await decode('warning')
  } catch (cause) {
    if (linesOf(cause).some((line) => LOST.test(line))) throw cause
    // A warning about the head stops the decoder before it reaches the picture.
    await decode('error')
  }
}

const OF_LIBRARY =
  /^(?:Input (?:buffer|file) has corrupt header:)?\s*(?:(?:Vips|vips)\w*: |\w+(?:load|load_buffer|2vips): )?/

/** The library's messages, each line once, without the names of its components; empty if it gave no reason. */
export function linesOf(error: unknown): string[] {
  const message = error instanceof Error ? error.message : String(error)
  const lines = message.split('\n').map((line) => line.replace(OF_LIBRARY, '').trim())
  return [...new Set(lines.filter((line) => line !== '' && line !== 'Unknown error'))]
}

/** Processes of a frame header: baseline, extended and progressive, with Huffman or arithmetic coding. */
const COMMON_PROCESSES = [0, 1, 2, 9, 10]
/** Markers among those of frames that are none: code tables, extensions, arithmetic conditioning. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc]

/** How a JPEG was coded, by its head; null where that cannot be found. */
export function jpegFrame(bytes: Buffer): { bits: number; process: number; isRare: boolean } | null {
  for (const { marker, start } of segmentsIn(bytes)) {
    if (marker < 0xc0 || marker > 0xcf || NO_FRAMES.includes(marker) || start + 5 > bytes.length) continue
    const process = marker - 0xc0
    return { bits: bytes[start + 4]!, process, isRare: !COMMON_PROCESSES.includes(process) }
  }
  return null
}

export const [END_OF_IMAGE, START_OF_SCAN] = [0xd9, 0xda]

/** The segments as a decoder finds them, past stray bytes and coded pixels. `next`: by the length of this one, which may be wrong. */
export function* segmentsIn(bytes: Buffer): Generator<{ marker: number; start: number; next: number }> {
  for (let at = 2; ;) {
    const start = bytes.indexOf(0xff, at)
    const marker = start < 0 ? undefined : bytes[start + 1]
    if (marker === undefined) return
    if (marker === END_OF_IMAGE) {
      yield { marker, start, next: start + 2 }
      return
    }
    if (marker === 0xff) at = start + 1
    else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at = start + 2
    else {
      if (start + 4 > bytes.length) return
      at = start + 2 + bytes.readUInt16BE(start + 2)
      yield { marker, start, next: at }
    }
  }
}
