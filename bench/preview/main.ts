/**
 * What a preview takes beside its bound: a bare loop that reads, hashes and decodes each picture once, in as many of the same
 * image workers. Each in a process of its own, in turn, and the ratio of each pair, so that load on the machine hits both. The
 * journal that the preview looks things up in has 100,000 pictures. Linux. Run: node bench/preview/main.ts [--pictures N] [--rounds N] [--width N]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { openJournal } from '../../src/main/journal/journal.ts'
import { countStolen } from '../busy.ts'
import { photo } from '../photo.ts'
import { measureProcess, type Measured } from '../pictures/measure-process.ts'

const { values } = parseArgs({
  options: {
    pictures: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '5' },
    width: { type: 'string', default: '1000' },
  },
})
const [count, rounds, width] = [Number(values.pictures), Number(values.rounds), Number(values.width)]
const KNOWN = 100_000
const TO_A_FOLDER = 300
const SIDE = join(import.meta.dirname, 'one-side.ts')

const scratch = mkdtempSync(join(tmpdir(), 'hangar-preview-bench-'))
const [pictures, dataDir] = [join(scratch, 'pictures'), join(scratch, 'data')]

/** No two are the same: each has a comment of its own behind its first marker. */
async function fill(): Promise<void> {
  const scaled = async (seed: number) =>
    sharp(await photo(seed))
      .resize(width)
      .jpeg({ quality: 85 })
      .toBuffer()
  const photos = await Promise.all([1, 2, 3, 4].map(scaled))
  for (let n = 0; n < count; n += 1) {
    const dir = join(pictures, String(Math.floor(n / TO_A_FOLDER)))
    mkdirSync(dir, { recursive: true })
    const bytes = photos[n % photos.length]!
    const text = Buffer.from(`picture ${n}`)
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), text])
    writeFileSync(join(dir, `${n}.jpg`), Buffer.concat([bytes.subarray(0, 2), comment, bytes.subarray(2)]))
  }
}

function fillJournal(): void {
  mkdirSync(dataDir)
  const db = openJournal(dataDir)
  const rows = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${KNOWN})`
  db.exec(`
    INSERT INTO jobs (id, batch_id, path, signature, service_id, state, created_at_ms, updated_at_ms, doc, name_key,
      size_bytes)
      ${rows} SELECT printf('01J%023d', n), 'b', '/elsewhere/' || n || '.jpg', '', '', 'done', 0, 0, '{}', '', 1 FROM n;
    INSERT INTO outputs (path, sha256, source_path, job_id, role, state)
      ${rows} SELECT '/elsewhere/' || n || '.webp', printf('%064x', n), '/elsewhere/' || n || '.jpg', 'j', 'converted', 'published' FROM n;
    INSERT INTO output_hashes (sha256) SELECT sha256 FROM outputs`)
  db.close()
}

const side = (name: 'bare' | 'preview'): Promise<Measured> =>
  measureProcess(process.execPath, [SIDE, name, pictures, dataDir, String(count)])
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN

try {
  await fill()
  fillJournal()
  // After this the pictures come from memory, for both.
  await side('bare')
  const stolen = countStolen()
  const pairs: { bare: Measured; preview: Measured }[] = []
  for (let nth = 0; nth < rounds; nth += 1) {
    const bareFirst = nth % 2 === 0 ? await side('bare') : null
    const preview = await side('preview')
    pairs.push({ bare: bareFirst ?? (await side('bare')), preview })
  }
  const row = (what: string, of: keyof Measured, unit: string, per: number) => {
    const [bare, preview] = (['bare', 'preview'] as const).map((name) =>
      (median(pairs.map((pair) => pair[name][of])) / per).toFixed(0),
    )
    const ratios = pairs.map((pair) => pair.preview[of] / pair.bare[of])
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
    return `| ${what} | ${bare} ${unit} | ${preview} ${unit} | ${median(ratios).toFixed(2)} (${range}) |`
  }
  console.log(
    [
      `${count} JPEGs, ${width} pixels wide; a journal of ${KNOWN} pictures; medians of ${rounds} pairs;`,
      `${stolen()} of the processors' time was taken by others on the same host.`,
      '',
      '|  | bare loop | preview | ratio (least to most) |',
      '| --- | --- | --- | --- |',
      row('Time', 'wallMs', 'ms', 1),
      row('Processor time', 'cpuMs', 'ms', 1),
      row('Largest memory, all processes', 'peakBytes', 'MiB', 2 ** 20),
    ].join('\n'),
  )
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
