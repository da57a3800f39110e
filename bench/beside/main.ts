/**
 * Hangar's conversion beside the programs that people use for it today, on the same pictures: time, memory, bytes, look, and what
 * survives. Linux, after a build.
 * Run: npm run bench beside -- --pictures DIR [--pictures DIR] [--count N] [--seed N] [--json FILE]
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Distances } from '../encode/distances.ts'
import { countStolen } from '../busy.ts'
import { measureProcess } from '../pictures/measure-process.ts'
import { choosePictures } from './choose-pictures.ts'
import { lookBeside } from './looks.ts'
import { isThere, PROGRAMS, quote, type Format, type Program } from './programs.ts'
import { judgeSurvival, makeWitnesses, THINGS, type Survival } from './survival.ts'

const { values } = parseArgs({
  options: {
    pictures: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
})

interface Row {
  program: string
  format: Format
  made: number
  wallMs: number
  cpuMs: number
  peakBytes: number
  bytes: number
  looks: Distances[]
  survival: Survival
}

const scratch = mkdtempSync(join(tmpdir(), 'hangar-bench-beside-'))
const [pictures, witnesses] = [join(scratch, 'pictures'), join(scratch, 'witnesses')]

/** Results of a program in a folder of its own, with the pictures beside them: Hangar does nothing twice. */
async function convert(program: Program, format: Format, originals: string) {
  const home = mkdtempSync(join(scratch, 'run-'))
  const [from, to, times] = [join(home, 'from'), join(home, 'to'), join(home, 'times')]
  for (const folder of [from, to]) mkdirSync(folder)
  for (const name of readdirSync(originals)) copyFileSync(join(originals, name), join(from, name))
  await delay(program.settlesMs ?? 0)
  // A picture that a program refuses is counted by its missing result.
  const command = `${program.command({ from, to, format, scratch: home })}; times > ${quote(times)}`
  const { wallMs, peakBytes, ...seen } = await measureProcess('sh', ['-c', command])
  const resultOf = (name: string): string | null =>
    [to, from].map((folder) => join(folder, `${name}.${format}`)).find((path) => existsSync(path)) ?? null
  // The shell knows of all it waited for, however short; what nobody waited for was only seen from outside.
  const cpuMs = Math.max(seen.cpuMs, childrensMs(readFileSync(times, 'utf8')))
  return { wallMs, peakBytes, cpuMs, resultOf, home }
}

/** Of what `times` prints: the shell's own user and system time, and below it that of all it waited for, as `0m1.5s`. */
function childrensMs(printed: string): number {
  const [, children = ''] = printed.trim().split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + (Number(m) * 60 + Number(s)) * 1000,
    0,
  )
}

async function measure(program: Program, format: Format): Promise<Row> {
  const { resultOf, home, ...measured } = await convert(program, format, pictures)
  const made = readdirSync(pictures).flatMap((name) => {
    const result = resultOf(parse(name).name)
    return result === null ? [] : [{ original: join(pictures, name), result }]
  })
  const looks: Distances[] = []
  for (const { original, result } of made) {
    const look = await lookBeside(original, result, scratch)
    if (look !== null) looks.push(look)
  }
  const bytes = made.reduce((sum, { result }) => sum + statSync(result).size, 0)
  const small = await convert(program, format, witnesses)
  const survival = await judgeSurvival(witnesses, small.resultOf)
  for (const folder of [home, small.home]) rmSync(folder, { recursive: true })
  process.stderr.write(`${program.name}, ${format}: ${(measured.wallMs / 1000).toFixed(1)} s\n`)
  return { program: program.name, format, made: made.length, ...measured, bytes, looks, survival }
}

const sorted = (row: Row, metric: keyof Distances): number[] =>
  row.looks.map((look) => look[metric]).toSorted((a, b) => a - b)
const middle = (numbers: number[]): number => numbers[numbers.length >> 1] ?? NaN

/** How many results, and how many of them have other sides than the upright picture. */
const made = ({ made: all, looks }: Row): string =>
  looks.length < all ? `${all}, ${all - looks.length} turned` : `${all}`

function table(format: Format, rows: readonly Row[]): string {
  const look = (row: Row, metric: keyof Distances, digits: number): string => {
    const all = sorted(row, metric)
    return `${middle(all).toFixed(digits)}, ${(all.at(-1) ?? NaN).toFixed(digits)}`
  }
  return [
    `| ${format} | made | time | processor time | largest memory | bytes | SSIMULACRA: median, worst | Butteraugli: median, worst |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      (row) =>
        `| ${row.program} | ${made(row)} | ${(row.wallMs / 1000).toFixed(1)} s | ${(row.cpuMs / 1000).toFixed(1)} s ` +
        `| ${(row.peakBytes / 2 ** 20).toFixed(0)} MiB | ${(row.bytes / 1e6).toFixed(2)} MB ` +
        `| ${look(row, 'ssimulacra', 3)} | ${look(row, 'butteraugli', 2)} |`,
    ),
    '',
    `| ${format}: what survives | ${THINGS.join(' | ')} |`,
    `| --- |${' --- |'.repeat(THINGS.length)}`,
    ...rows.map(({ program, survival }) => `| ${program} | ${THINGS.map((thing) => survival[thing]).join(' | ')} |`),
  ].join('\n')
}

/** Without these there is no table. */
const JUDGES = [
  { program: 'ssimulacra_main', debianPackage: 'libjxl-devtools' },
  { program: 'butteraugli_main', debianPackage: 'libjxl-devtools' },
  { program: 'exiftool', debianPackage: 'libimage-exiftool-perl' },
]

/** Why there is no table; null where there can be one. */
function whyNot(): string | null {
  if (values.pictures.length === 0) return 'no `--pictures DIR` names a folder of JPEGs and PNGs'
  const lacking = JUDGES.filter(({ program }) => !isThere(program))
  const named = lacking.map(({ program, debianPackage }) => `${program} (Debian: ${debianPackage})`).join(', ')
  return lacking.length === 0 ? null : `missing: ${named}`
}

async function report(): Promise<string> {
  const missing = PROGRAMS.flatMap(({ needs }) => (needs === undefined || isThere(needs.program) ? [] : [needs]))
  const present = PROGRAMS.filter(({ needs }) => needs === undefined || !missing.includes(needs))
  for (const folder of [pictures, witnesses]) mkdirSync(folder)
  const chosen = await choosePictures(values.pictures, Number(values.count), Number(values.seed))
  if (chosen.length === 0)
    throw new Error(`No usable JPEG or PNG of 0.1 to 2.5 megapixels in ${values.pictures.join(', ')}`)
  for (const [nth, { bytes, extension }] of chosen.entries())
    writeFileSync(join(pictures, `${nth + 1}.${extension}`), bytes)
  await makeWitnesses(witnesses)
  const stolen = countStolen()
  const [loadBefore] = loadavg()
  const rows: Row[] = []
  for (const format of ['webp', 'avif'] as const)
    for (const program of present.filter(({ formats }) => formats.includes(format)))
      rows.push(await measure(program, format))
  const pngs = chosen.filter(({ extension }) => extension === 'png').length
  const megabytes = chosen.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
  return [
    `${chosen.length - pngs} JPEGs and ${pngs} PNGs, ${megabytes.toFixed(1)} MB, seed ${values.seed}; one run each; ` +
      `load ${loadBefore!.toFixed(1)} to ${loadavg()[0]!.toFixed(1)}, ${stolen()} of the processors' time taken by others on the same host.`,
    '',
    ...present.map((program) => `- ${program.name}: ${program.version()}`),
    ...missing.map(({ program, debianPackage }) => `- ${program} is missing (Debian: ${debianPackage})`),
    '',
    table(
      'webp',
      rows.filter(({ format }) => format === 'webp'),
    ),
    '',
    table(
      'avif',
      rows.filter(({ format }) => format === 'avif'),
    ),
  ].join('\n')
}

try {
  const reason = whyNot()
  console.log(reason === null ? await report() : `Not measured: ${reason}.`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
