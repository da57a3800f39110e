/**
 * Asks one question of a journal: `node ask.ts DATA_DIR NTH BATCH NOW_MS`. Prints the median of the processor times of five after a first
 * one, and how much more memory was resident at most, as JSON.
 */
import { readFileSync } from 'node:fs'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { QUESTIONS } from './questions.ts'

const ROUNDS = 5
/** Longer questions are asked once. */
const LONG_MS = 5_000

const [dataDir, nth, batchId, now] = process.argv.slice(2)
const nowMs = Number(now)
const db = openJournal(dataDir!)
const store = new JobStore(db, () => nowMs)
const question = QUESTIONS[Number(nth)]!

/** Of the line in `/proc/self/status` (proc_pid_status(5)). */
function peakMb(): number {
  return (Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024) / 1e6
}

/** Processor time: another program that has the processor meanwhile does not count. */
function timed(): number {
  const before = process.cpuUsage()
  question.ask({ db, store, batchId: batchId!, nowMs })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const before = peakMb()
const firstMs = timed()
const times = firstMs > LONG_MS ? [firstMs] : Array.from({ length: ROUNDS }, timed)
const medianMs = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
console.log(JSON.stringify({ medianMs, moreMb: peakMb() - before }))
db.close()
