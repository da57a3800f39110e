import type { MultipartPart } from '../../shared/runtime/ports.ts'

/** Small enough that each piece passed to the network shows progress on a slow line. */
const CHUNK_BYTES = 16 * 1024

export interface RequestBody {
  contentType: string
  contentLength: number
  chunks(): Generator<Uint8Array>
}

/** `multipart/form-data` (RFC 7578). `boundary` must be unguessable, so that no file can contain it on purpose. */
export function multipartBody(parts: MultipartPart[], boundary: string): RequestBody {
  const pieces: Uint8Array[] = []
  const text = (value: string) => pieces.push(new TextEncoder().encode(value))
  for (const { name, value } of parts) {
    text(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`)
    if (typeof value === 'string') {
      text(`\r\n\r\n${value}`)
    } else {
      text(`; filename="${quoted(value.filename)}"\r\nContent-Type: ${mediaType(value.contentType)}\r\n\r\n`)
      pieces.push(value.bytes)
    }
    text('\r\n')
  }
  text(`--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
    chunks: () => chunksOf(pieces),
  }
}

export function wholeBody({ bytes, contentType }: { bytes: Uint8Array; contentType: string }): RequestBody {
  return { contentType, contentLength: bytes.byteLength, chunks: () => chunksOf([bytes]) }
}

function* chunksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const piece of pieces)
    for (let from = 0; from < piece.byteLength; from += CHUNK_BYTES) yield piece.subarray(from, from + CHUNK_BYTES)
}

/** As browsers do (HTML standard, "Multipart form data"): no file name can end the header that contains it. */
function quoted(text: string): string {
  return text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')
}

function mediaType(text: string): string {
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(text)) throw new Error('multipart: not a media type')
  return text
}
