/**
 * What Hangar costs beside a loop of twenty lines that does the same to the same pictures: time, processor time and memory
 * as ratios, measured in turn, its files beside those of the encoders' own tools, and how WebP and AVIF of one quality look.
 *
 * HANGAR_PICTURES=DIR takes the JPEGs of that folder, 300 at most; otherwise photo-like pictures are made. Linux, after a
 * build. Run: node bench/pictures/main.ts [--rounds N] [--json FILE]
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { avifQualityFor } from '../../src/main/images/avif-quality.ts'
import { photo } from '../photo.ts'
import { measureProcess, type Measured } from './measure-process.ts'
import { sameLook } from './same-look.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, json: { type: 'string' } } })
const rounds = Number(values.rounds)
const MAX_PICTURES = 300
const MADE_PICTURES = 24
const COMPARED_SIZES = 20
const QUALITY = 80

const CLI = resolve(import.meta.dirname, '../../out/main/cli.js')
const LOOP = join(import.meta.dirname, 'plain-loop.ts')
const scratch = mkdtempSync(join(tmpdir(), 'hangar-bench-pictures-'))
const pictures = join(scratch, 'pictures')

async function collect(): Promise<void> {
  mkdirSync(pictures)
  const dir = process.env['HANGAR_PICTURES']
  if (dir === undefined) {
    for (let nth = 1; nth <= MADE_PICTURES; nth += 1) writeFileSync(join(pictures, `${nth}.jpg`), await photo(nth))
    return
  }
  const found = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^\.jpe?g$/i.test(extname(path)))
    .sort()
  found.slice(0, MAX_PICTURES).forEach((path, nth) => copyFileSync(join(dir, path), join(pictures, `${nth}.jpg`)))
}

/** Hangar waits until nothing has changed for two seconds: of these pictures it is known that none is still being copied. */
const SETTLED_MS = 2500

/** Each in a fresh copy: Hangar does nothing twice. */
async function byHangar(
  nth: number,
  format: string,
  most = MAX_PICTURES,
): Promise<{ measured: Measured; folder: string }> {
  const folder = join(scratch, `hangar-${format}-${nth}`)
  mkdirSync(folder)
  for (const name of readdirSync(pictures).slice(0, most)) copyFileSync(join(pictures, name), join(folder, name))
  await delay(SETTLED_MS)
  const options = ['--operation', 'convert', '--format', format, '--metadata', 'keep', '--if-larger', 'keep', '--yes']
  const args = [CLI, 'run', folder, ...options, '--data-dir', join(scratch, `data-${format}-${nth}`)]
  return { measured: await measureProcess(process.execPath, args), folder }
}

async function byLoop(nth: number): Promise<Measured> {
  const folder = join(scratch, `loop-${nth}`)
  mkdirSync(folder)
  return measureProcess(process.execPath, [LOOP, pictures, folder])
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
const ratio = (pairs: [Measured, Measured][], of: keyof Measured): number =>
  median(pairs.map(([hangar, loop]) => hangar[of] / loop[of]))

function sizeBeside(folder: string, format: 'webp' | 'avif'): number {
  let [own, others] = [0, 0]
  for (const name of readdirSync(pictures).slice(0, COMPARED_SIZES)) {
    const other = join(scratch, `other.${format}`)
    const from = join(pictures, name)
    if (format === 'webp') execFileSync('cwebp', ['-quiet', '-metadata', 'all', '-q', `${QUALITY}`, from, '-o', other])
    else
      execFileSync(
        'avifenc',
        ['-s', '6', '--min', '0', '--max', '63', '-a', 'end-usage=q', '-a', `cq-level=${cqLevel()}`, from, other],
        { stdio: 'ignore' },
      )
    own += statSync(join(folder, name.replace('.jpg', `.${format}`))).size
    others += statSync(other).size
  }
  return own / others
}

/** libaom's own scale, of which 100 - quality is the share. */
const cqLevel = (): number => Math.round(63 * (1 - avifQualityFor(QUALITY) / 100))

try {
  await collect()
  const names = readdirSync(pictures)
  const megabytes = names.reduce((sum, name) => sum + statSync(join(pictures, name)).size, 0) / 1e6
  const pairs: [Measured, Measured][] = []
  let folder = ''
  for (let nth = 0; nth < rounds; nth += 1) {
    const loop = await byLoop(nth)
    const hangar = await byHangar(nth, 'webp')
    folder = hangar.folder
    pairs.push([hangar.measured, loop])
  }
  const report = {
    pictures: names.length,
    megabytes,
    load: loadavg()[0],
    pairs,
    time: ratio(pairs, 'wallMs'),
    cpu: ratio(pairs, 'cpuMs'),
    memory: ratio(pairs, 'peakBytes'),
    webpToCwebp: sizeBeside(folder, 'webp'),
  }
  const avif = await byHangar(0, 'avif', COMPARED_SIZES)
  const looks = await sameLook(
    names.map((name) => join(pictures, name)),
    scratch,
  )
  const sizes = { ...report, avifToAvifenc: sizeBeside(avif.folder, 'avif'), looks }
  console.log(
    [
      `${names.length} JPEGs, ${megabytes.toFixed(0)} MB, ${rounds} rounds in turn, load ${(report.load ?? 0).toFixed(1)}`,
      '',
      '| Hangar to a plain sharp loop with one checking decode | ratio (median) |',
      '| ------------------------------------------------------ | -------------- |',
      `| time | ${report.time.toFixed(2)} |`,
      `| processor time | ${report.cpu.toFixed(2)} |`,
      `| largest memory | ${report.memory.toFixed(2)} |`,
      `| bytes of WebP to cwebp -q ${QUALITY} | ${report.webpToCwebp.toFixed(2)} |`,
      `| bytes of AVIF to avifenc at the same level | ${sizes.avifToAvifenc.toFixed(2)} |`,
      '',
      `largest memory: Hangar ${mebibytes(pairs, 0)} MiB, loop ${mebibytes(pairs, 1)} MiB`,
      '',
      "Medians of crops from the pictures' middles; less is nearer to the picture.",
      '',
      "| quality of the recipe | AVIF's own | AVIF's bytes to WebP's | SSIMULACRA, WebP / AVIF | Butteraugli, WebP / AVIF |",
      '| --------------------- | ---------- | ---------------------- | ----------------------- | ------------------------ |',
      ...looks.map(
        ({ quality, avifQuality, size, webp: one, avif: other }) =>
          `| ${quality} | ${avifQuality} | ${size.toFixed(2)} | ${one.ssimulacra.toFixed(3)} / ${other.ssimulacra.toFixed(3)} | ` +
          `${one.butteraugli.toFixed(2)} / ${other.butteraugli.toFixed(2)} |`,
      ),
    ].join('\n'),
  )
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(sizes, null, 2)}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function mebibytes(pairs: [Measured, Measured][], side: 0 | 1): string {
  return (median(pairs.map((pair) => pair[side].peakBytes)) / 2 ** 20).toFixed(0)
}
