import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export { folderForTest as scratch } from '../../temp-folder.ts'

export function run(command: string, args: string[], input?: Buffer | string): Buffer {
  return execFileSync(command, args, { input, maxBuffer: 256 * 1_048_576, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Runs `exiftool` once with a file of arguments; what it refuses to write it says, and goes on. */
export function exiftoolWith(dir: string, lines: string[]): string {
  mkdirSync(dir, { recursive: true })
  const list = join(dir, 'arguments.txt')
  writeFileSync(list, `${lines.join('\n')}\n`)
  try {
    return run('exiftool', ['-@', list]).toString()
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout)
  }
}

/** These files with these fields added by `exiftool`, as far as their format takes them. */
export function withFields(
  dir: string,
  files: readonly (readonly [string, Buffer])[],
  fields: readonly string[],
): [string, Buffer][] {
  const options = [...fields, '-m', '-q', '-q', '-overwrite_original']
  exiftoolWith(
    dir,
    files.flatMap(([name, bytes]) => [...options, written(dir, name, bytes), '-execute']),
  )
  return files.map(([name]) => [name, bytesAt(`${dir}/${name}`)])
}

/** Everything that `exiftool` finds in each file, hidden places included, with its group. */
export function everythingIn(paths: string[]): Map<string, Record<string, unknown>> {
  const options = ['-j', '-a', '-u', '-G1', '-ee', '-charset', 'iptc=utf8']
  const out = run('exiftool', ['-@', '-'], [...options, ...paths].join('\n'))
  const rows = JSON.parse(out.toString()) as (Record<string, unknown> & { SourceFile: string })[]
  // The file system's own words about it hold the folder's name and times.
  const isAbout = (key: string) => !/^(?:SourceFile$|System:|ExifTool:ExifToolV)/.test(key)
  const about = (row: object) => Object.fromEntries(Object.entries(row).filter(([key]) => isAbout(key)))
  return new Map(rows.map((row) => [row.SourceFile, about(row)]))
}

/** The same of one file, which is written for that. */
export const fieldsOf = (dir: string, name: string, bytes: Uint8Array): Record<string, unknown> =>
  [...everythingIn([written(dir, name, bytes)]).values()][0] ?? {}

/** A picture with fields that `exiftool` wrote into it. */
export function tagged(dir: string, type: string, picture: Buffer, fields: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(fields).map(([field, value]) => `-${field}=${value}`)
  return withFields(dir, [[`source.${type}`, picture]], [...lines, '-charset', 'iptc=utf8'])[0]![1]
}

const DECODERS: Record<string, (path: string) => Buffer> = {
  jpg: (path) => run('djpeg', ['-pnm', path]),
  // Not vips: it is the library under the code that is tested.
  png: (path) => run('convert', [path, '-strip', 'rgba:-']),
  webp: (path) => run('dwebp', ['-quiet', '-pam', path, '-o', '-']),
  gif: (path) => run('convert', [path, '-strip', 'rgba:-']),
}

/** The pixels as another program decodes them. */
export function pixelsOf(dir: string, bytes: Buffer, extension: string): Buffer {
  const path = join(dir, `pixels.${extension}`)
  writeFileSync(path, bytes)
  return DECODERS[extension]!(path)
}

export function written(dir: string, name: string, bytes: Uint8Array): string {
  const path = join(dir, name)
  writeFileSync(path, bytes)
  return path
}

export const bytesAt = (path: string): Buffer => readFileSync(path)
