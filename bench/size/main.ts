/**
 * How large the source is, folder by folder, how large what is built, and how long it takes to start. Linux. Run:
 * node bench/size/main.ts [CHECKOUT…]: built checkouts to compare, by turns; without any, this one.
 */
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { countStolen } from '../busy.ts'
import { countSource, outBytes, type FolderSize } from './count-source.ts'
import { serveStart, versionCpuMs } from './measure-start.ts'

const ROUNDS = 15

const given = process.argv.slice(2).map((dir) => resolve(dir))
const checkouts = given.length > 0 ? given : [join(import.meta.dirname, '../..')]
const heads = given.length > 0 ? checkouts.map((dir) => basename(dir)) : ['this checkout']

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

const counts = checkouts.map((dir) => countSource(dir))
const folders = [...new Set(counts.flatMap((all) => all.map(({ folder }) => folder)))]
  .toSorted()
  .toSorted((one, other) => Number(one === 'all') - Number(other === 'all'))
const cells = (size: FolderSize | undefined): (string | number)[] =>
  size === undefined ? ['–', '–', '–'] : [size.files, size.lines, size.medianLines]
const sides = heads.flatMap((head) =>
  ['files', 'lines', 'median'].map((what) => (heads.length > 1 ? `${head}: ${what}` : what)),
)

console.log('Code and styles below `src`, without catalogues and tests.\n')
console.log(
  table(
    ['folder', ...sides],
    folders.map((name) => [name, ...counts.flatMap((all) => cells(all.find(({ folder }) => folder === name)))]),
  ),
)

const built = checkouts.filter((dir) => existsSync(join(dir, 'out/main/cli.js')))
if (built.length < checkouts.length) console.log('\nNot built, so neither weighed nor started: npm run build.')
if (built.length > 0) {
  const stolen = countStolen()
  const measured = built.map(() => ({ versionMs: [] as number[], serveMs: [] as number[], serveCpuMs: [] as number[] }))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [n, dir] of built.entries()) {
      const figures = measured[n]!
      figures.versionMs.push(versionCpuMs(dir))
      const { wallMs, cpuMs } = await serveStart(dir)
      figures.serveMs.push(wallMs)
      figures.serveCpuMs.push(cpuMs)
    }
  const middle = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)[ROUNDS >> 1]!.toFixed(0)
  console.log(
    `\nMedians of ${ROUNDS} starts, by turns; ${stolen()} of the processors' time went to others on the host.\n`,
  )
  console.log(
    table(
      ['', ...built.map((dir) => heads[checkouts.indexOf(dir)]!)],
      [
        ['`out/` without maps, KB', ...built.map((dir) => Math.round(outBytes(dir)! / 1000))],
        ['`hangar --version`, ms of processor time', ...measured.map(({ versionMs }) => middle(versionMs))],
        ['`hangar serve` until its page answers, ms', ...measured.map(({ serveMs }) => middle(serveMs))],
        ['… and its processor time until then, ms', ...measured.map(({ serveCpuMs }) => middle(serveCpuMs))],
      ],
    ),
  )
}
