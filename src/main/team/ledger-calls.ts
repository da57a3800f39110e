import { createHash } from 'node:crypto'
import { ServiceResult } from '../../shared/jobs/job.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import type { PaidKey } from '../../shared/recipes/recipe.ts'
import { isUsableId } from '../core/usable-id.ts'
import { parseStored } from '../journal/documents.ts'
import type { Statement } from './ledger-connection.ts'

/** A function of the ledger, by the types of its parameters. */
export const statement = (name: string, types: string): Statement => {
  const marks = types.split(' ').map((type, index) => `$${index + 1}::${type}`)
  return { name, text: `SELECT * FROM hangar.${name}(${marks.join(', ')})` }
}

/** Measures time by both clocks: the monotonic one stops during sleep, and the wall clock may be set. */
export function stopwatch(clock: Clock): () => number {
  const [wallMs, monotonicMs] = [clock.nowMs(), clock.monotonicMs()]
  return () => Math.max(clock.nowMs() - wallMs, clock.monotonicMs() - monotonicMs)
}

export function digest(paidKey: PaidKey): Buffer {
  return createHash('sha256').update(paidKey, 'utf8').digest()
}

/** Days are those of this computer's time zone, by the database's clock. */
export function zoneMinutes(clock: Clock): number {
  return -new Date(clock.nowMs()).getTimezoneOffset()
}

/** A ledger's answers are not trusted to make sense. */
export function numberOf(value: unknown, range: { least: number; most?: number; else: number }): number {
  const number = Number(value ?? NaN)
  return Number.isFinite(number) ? Math.min(range.most ?? 1e12, Math.max(range.least, Math.floor(number))) : range.else
}

/** Null for anything that cannot be a job id of the service. */
export const idOf = (value: unknown): string | null => (typeof value === 'string' && isUsableId(value) ? value : null)

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Null if it does not parse: asking the service again is free. */
export function resultOf(value: unknown): ServiceResult | null {
  const result = parseStored(String(value), ServiceResult).value
  return result !== null && isUsableId(result.imageId) ? result : null
}
