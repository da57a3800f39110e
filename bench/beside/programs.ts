import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { avifQualityFor } from '../../src/main/images/avif-quality.ts'

export type Format = 'webp' | 'avif'

/** Hangar's default. All programs use libwebp and libaom, so that one number of theirs is about one look. */
const QUALITY = 80
const AVIF_QUALITY = avifQualityFor(QUALITY)
/** libaom's own scale, of which 100 - quality is the share. */
const CQ_LEVEL = Math.round(63 * (1 - AVIF_QUALITY / 100))
const qualityOf = (format: Format): number => (format === 'webp' ? QUALITY : AVIF_QUALITY)

export interface Program {
  name: string
  formats: readonly Format[]
  /** The program that must be there, and the Debian package that has it. */
  needs?: { program: string; debianPackage: string }
  /**
   * A shell command that makes a file `NAME.FORMAT` of each picture `NAME.EXTENSION` in the folder. It stands in `to`, or beside the
   * picture where the program writes there.
   */
  command(work: { from: string; to: string; format: Format; scratch: string }): string
  version(): string
  /** How long it leaves a picture alone that has just changed. That is waited for before, and not measured. */
  settlesMs?: number
}

const node = quote(process.execPath)
const CLI = resolve(import.meta.dirname, '../../out/main/cli.js')

/** Runs `each` for two files at a time; `$1` is the picture and `$out` the result without its ending. */
function twoAtATime(from: string, to: string, each: string): string {
  const script = `out="$0/$(basename "\${1%.*}")"; ${each} || exit 1`
  return `find ${quote(from)} -type f -print0 | xargs -0 -n 1 -P 2 sh -c ${quote(script)} ${quote(to)}`
}

export const PROGRAMS: readonly Program[] = [
  {
    name: 'Hangar',
    formats: ['webp', 'avif'],
    settlesMs: 2500,
    command: ({ from, format, scratch }) =>
      `${node} ${quote(CLI)} run ${quote(from)} --operation convert --format ${format} --if-larger keep --yes ` +
      `--data-dir ${quote(join(scratch, 'data'))}`,
    version: () => outputOf(process.execPath, CLI, '--version'),
  },
  {
    name: 'cwebp',
    formats: ['webp'],
    needs: { program: 'cwebp', debianPackage: 'webp' },
    command: ({ from, to }) => twoAtATime(from, to, `cwebp -quiet -metadata all -q ${QUALITY} "$1" -o "$out.webp"`),
    version: () => outputOf('cwebp', '-version'),
  },
  {
    name: 'avifenc',
    formats: ['avif'],
    needs: { program: 'avifenc', debianPackage: 'libavif-bin' },
    command: ({ from, to }) =>
      twoAtATime(
        from,
        to,
        `avifenc -s 6 --min 0 --max 63 -a end-usage=q -a cq-level=${CQ_LEVEL} "$1" "$out.avif" >/dev/null`,
      ),
    version: () => outputOf('avifenc', '--version'),
  },
  {
    name: 'mogrify',
    formats: ['webp', 'avif'],
    needs: { program: 'mogrify', debianPackage: 'imagemagick' },
    command: ({ from, to, format }) =>
      `find ${quote(from)} -type f -exec mogrify -path ${quote(to)} -format ${format} -quality ${qualityOf(format)} {} +`,
    version: () => outputOf('mogrify', '-version'),
  },
  {
    name: 'sharp loop',
    formats: ['webp', 'avif'],
    command: ({ from, to, format }) =>
      `${node} ${quote(join(import.meta.dirname, 'sharp-loop.ts'))} ${quote(from)} ${quote(to)} ${format} ${qualityOf(format)}`,
    version: () =>
      outputOf(process.execPath, '-p', "const v = require('sharp').versions; `sharp ${v.sharp}, libvips ${v.vips}`"),
  },
  {
    name: 'vips copy',
    formats: ['webp', 'avif'],
    needs: { program: 'vips', debianPackage: 'libvips-tools' },
    // sharp, which runs in this process, sets VIPSHOME, and the system's libvips then looks for its modules there.
    command: ({ from, to, format }) =>
      twoAtATime(from, to, `env -u VIPSHOME vips copy "$1" "$out.${format}[Q=${qualityOf(format)}]"`),
    version: () => outputOf('vips', '--version'),
  },
]

export const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** The first line that a program says of its version. */
function outputOf(program: string, ...args: string[]): string {
  const { stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return (stdout.split('\n')[0] ?? '').trim()
}

/** One word for `sh`. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
