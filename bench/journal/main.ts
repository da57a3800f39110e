/**
 * What is asked of a journal, with as many jobs as `--jobs` says: `node bench/journal/main.ts [--jobs 100000] [--data-dir DIR]`.
 * Each question in a process of its own where its memory counts. A data folder that is named is filled if it is empty, and kept.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { batchOf } from '../ui/seed-journal.ts'
import { fillJournal } from './fill.ts'
import { QUESTIONS } from './questions.ts'

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '100000' }, 'data-dir': { type: 'string' } },
})
const jobs = Number(values.jobs)
const dataDir = values['data-dir'] ?? mkdtempSync(join(tmpdir(), 'hangar-journal-bench-'))
const NOW_MS = Date.parse('2026-11-01T12:00:00Z')

function bytesOf(dir: string): number {
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
}

try {
  if (!existsSync(join(dataDir, 'journal.db'))) await fillJournal(dataDir, jobs, NOW_MS)
  const diskBytes = bytesOf(dataDir) / jobs
  console.log(`${jobs} jobs\n\n| question | processor ms | resident MB more |\n| --- | --- | --- |`)
  const program = join(import.meta.dirname, 'ask.ts')
  for (const [nth, { what }] of QUESTIONS.entries()) {
    const asked = [program, dataDir, String(nth), batchOf(Math.floor(jobs / 2)), String(NOW_MS)]
    const output = execFileSync(process.execPath, ['--max-old-space-size=8192', ...asked])
    const { medianMs, moreMb } = JSON.parse(output.toString()) as { medianMs: number; moreMb: number }
    console.log(`| ${what} | ${medianMs.toFixed(1)} | ${moreMb.toFixed(0)} |`)
  }
  console.log(`| disk, bytes for each job | ${diskBytes.toFixed(0)} | |`)
} finally {
  if (values['data-dir'] === undefined) rmSync(dataDir, { recursive: true, force: true })
}
