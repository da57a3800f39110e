import { crc32, inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'

/** Names and contents by the list at the end of a zip (PKWARE APPNOTE 4.3), each right by its checksum. */
export function unzipped(bytes: Buffer): [name: string, content: Buffer][] {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = bytes.readUInt32LE(end + 16)
  return Array.from({ length: bytes.readUInt16LE(end + 10) }, () => {
    const [packedBytes, nameBytes] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + packedBytes)
    const content = bytes.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 16))
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes)
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    return [name, content]
  })
}
