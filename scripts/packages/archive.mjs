/** Archives that depend on nothing but what is in them: same files, same bytes. */
import { readFileSync } from 'node:fs'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/** 2000-01-01: no date is true of all files, and a zip can name none before 1980. */
export const MADE_S = 946_684_800
const DOS_DATE = (20 << 9) | (1 << 5) | 1
const UTF8_NAMES = 0x0800
const DEFLATED = 8

/**
 * An entry is `{ name, file | bytes, isProgram }`: its path in the archive with `/`, where its bytes are, and whether it can be
 * started; `isSetuid` has it run as its owner, in a tar. In a tar a name that ends with `/` is a folder. Entries are packed by name.
 * Links are not for here.
 */
const inOrder = (entries) => entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
const bytesOf = ({ file, bytes }) => bytes ?? readFileSync(file)

/** The highest takes nearly three times as long, for 0.6 % fewer bytes. */
const LEVEL = 6

/** A tar in gzip; a lower level is for tests. */
export function tarGz(entries, level = LEVEL) {
  return gzipSync(tar(entries), { level })
}

/** ustar, owned by root. */
function tar(entries) {
  const parts = []
  for (const entry of inOrder(entries)) {
    const bytes = bytesOf(entry)
    parts.push(tarHeader(entry, bytes.length), bytes, Buffer.alloc(-bytes.length & 511))
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

function tarHeader({ name, isProgram, isSetuid }, size) {
  const header = Buffer.alloc(512)
  const [prefix, base] = splitName(name)
  const octal = (value, length) => value.toString(8).padStart(length - 1, '0')
  header.write(base, 0)
  const isFolder = name.endsWith('/')
  header.write(octal((isSetuid === true ? 0o4000 : 0) | (isProgram || isFolder ? 0o755 : 0o644), 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(MADE_S, 12), 136)
  header.write('        0', 148)
  if (isFolder) header.write('5', 156)
  header.write('ustar\0' + '00', 257)
  header.write('root', 265)
  header.write('root', 297)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** A tar has 100 bytes for a name, and 155 for the folders before it. */
function splitName(name) {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [prefix, base] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(base) <= 100 && Buffer.byteLength(prefix) <= 155) return [prefix, base]
  }
  throw new Error(`The name is too long for a tar: ${name}`)
}

export function zip(entries) {
  const [local, central] = [[], []]
  let offset = 0
  const listed = inOrder(entries)
  for (const entry of listed) {
    const [bytes, name] = [bytesOf(entry), Buffer.from(entry.name)]
    const packed = deflateRawSync(bytes, { level: LEVEL })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(UTF8_NAMES, 2)
    fields.writeUInt16LE(DEFLATED, 4)
    fields.writeUInt16LE(DOS_DATE, 8)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    // Made on Unix, so that a program stays one where that counts.
    place.writeUInt32LE(((entry.isProgram ? 0o100755 : 0o100644) << 16) >>> 0, 6)
    place.writeUInt32LE(offset, 10)
    local.push(Buffer.from('PK\x03\x04'), fields, name, packed)
    central.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 3]), fields, place, name)
    offset += 30 + name.length + packed.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0)
  end.writeUInt16LE(listed.length, 8)
  end.writeUInt16LE(listed.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, list, end])
}

/** What a Debian package is: files one after another, each `{ name, bytes }`, in this order. */
export function ar(members) {
  const parts = [Buffer.from('!<arch>\n')]
  for (const { name, bytes } of members) {
    const fields = [name.padEnd(16), `${MADE_S}`.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)]
    parts.push(Buffer.from(`${fields.join('')}${`${bytes.length}`.padEnd(10)}\`\n`), bytes)
    if (bytes.length % 2 === 1) parts.push(Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}
