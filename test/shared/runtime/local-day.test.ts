import { expect, it, onTestFinished } from 'vitest'
import { jobCalls } from '../../../src/main/page/calls/job-calls.ts'
import type { PageCallDeps } from '../../../src/main/page/calls/page-call-deps.ts'
import { startOfDay, startOfMonth } from '../../../src/main/queue/spend.ts'
import { localDay } from '../../../src/shared/runtime/local-day.ts'

const AT = Date.UTC(2026, 10, 21, 23, 30)

/** Until the test is over. */
function inZone(zone: string): void {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  onTestFinished(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
}

it.each([
  ['Pacific/Auckland', '2026-11-22'],
  ['UTC', '2026-11-21'],
  ['America/Los_Angeles', '2026-11-21'],
])('The day in %s is the one on the wall there', (zone, day) => {
  inZone(zone)
  expect(localDay(AT)).toBe(day)
})

const ZONES = ['Europe/Berlin', 'America/Havana', 'Africa/Cairo', 'Atlantic/Azores']
it.each(ZONES)('Caps count from midnight and the first of the month, also where clocks change then (%s)', (zone) => {
  inZone(zone)
  const wrong: string[] = []
  for (let at = Date.UTC(2026, 0, 2); at < Date.UTC(2027, 0, 1); at += 2 * 3_600_000) {
    const [day, month] = [startOfDay(at), startOfMonth(at)]
    const isOfDay = localDay(day) === localDay(at) && localDay(day - 1) !== localDay(at)
    const monthOf = (moment: number) => localDay(moment).slice(0, 7)
    const isOfMonth = monthOf(month) === monthOf(at) && monthOf(month - 1) !== monthOf(at)
    if (!isOfDay || !isOfMonth) wrong.push(new Date(at).toISOString())
  }
  expect(wrong).toEqual([])
})

it('An export is named after the day here, not the one in Greenwich', async () => {
  inZone('Pacific/Auckland')
  const clock = { nowMs: () => AT, monotonicMs: () => 0, setTimer: () => () => undefined }
  const exported = await jobCalls({ clock } as unknown as PageCallDeps)['jobs.export']({ ids: [], format: 'csv' })
  expect(exported.filename).toBe('hangar-2026-11-22.csv')
})
