import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { historyPath } from '../../src/main/chargers/charger-cache.ts'
import { ChargerHistory } from '../../src/main/chargers/charger-history.ts'
import type { ChargePoint } from '../../src/shared/chargers/charger.ts'
import type { PracticeServer } from '../practice/faulty-practice.ts'
import { charger } from '../shared/chargers/any-charger.ts'
import { quiet } from '../simulation/world.ts'
import { findings } from './axe.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { button, dialog, visible } from './by-hand.ts'
import { pageOf, record } from './charger-records.ts'
import { beginWithChargers, lines, listOnly, openChargers, panel, startChargerService } from './chargers-by-hand.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const ONE = { id: 1, icao: 'EDNY', airfield: 'Friedrichshafen', lat: 47.6713, lng: 9.5115 }
const TWO = { id: 2, icao: 'EDAZ', airfield: 'Schönhagen', lat: 52.2033, lng: 13.1564 }

let world: AppWorld
let service: PracticeServer

/**
 * A month of refreshes, one an hour, but for two days: charger 1 is out of order for a day and, last week, for twelve hours;
 * charger 2 is in use every other hour of the last week; charger 9 is no longer listed after a while.
 */
async function writePastMonth(path: string, nowMs: number): Promise<void> {
  // What the first refresh recorded, which is later than all of this.
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true })
  const history = ChargerHistory.open(path, quiet)
  const broken = ({ agoMs }: { agoMs: number }) =>
    (agoMs <= 3 * DAY && agoMs > 2.5 * DAY) || (agoMs <= 20 * DAY && agoMs > 19 * DAY)
  for (let agoMs = 31 * DAY; agoMs > 0; agoMs -= HOUR) {
    if (agoMs < 12 * DAY && agoMs > 10 * DAY) continue
    const atMs = nowMs - agoMs
    const at = (id: number, liveState: string): ChargePoint =>
      charger({ ...(id === 2 ? TWO : ONE), id, liveState, liveStateSyncedAt: new Date(atMs - 60_000).toISOString() })
    const isOdd = (agoMs / HOUR) % 2 === 1
    const chargers = [
      at(1, broken({ agoMs }) ? 'error' : 'available'),
      at(2, agoMs < 7 * DAY && isOdd ? 'busy' : 'available'),
      ...(agoMs > 5 * DAY ? [at(9, 'available')] : []),
    ]
    await history.record(chargers, { atMs, isComplete: true })
  }
  history.close()
}

const over = (page: AppWorld['page'], name: string) =>
  panel(page, new RegExp(`^${name}`)).getByRole('region', { name: 'Over time' })

describeWith(WHOLE_APP)('what a computer recorded of its chargers', () => {
  beforeAll(async () => {
    service = await startChargerService()
    await listOnly(service, pageOf([record(ONE), record(TWO)]))
    world = await openApp()
    await beginWithChargers(world, service)
    await visible(lines(world.page).first())
    await world.served.stop()
    await writePastMonth(historyPath(world.dataDir, service.chargerBaseUrl), Date.now())
    await world.start()
    await world.page.emulateMedia({ reducedMotion: 'reduce' })
    await openChargers(world.page)
    await visible(lines(world.page).first())
    // Known up to now.
    await listOnly(service, pageOf([record(ONE), record(TWO, { kw: '41' })]))
    await button(world.page, 'Refresh').click()
  })
  afterAll(async () => {
    await world?.close()
    await service?.close()
  })

  test('shows in the detail: shares of the known time, and a strip that is hatched where nothing is known', async () => {
    const { page } = world
    await lines(page).filter({ hasText: 'EDNY' }).click()
    const past = over(page, 'EDNY')
    await visible(past.getByText(/^Out of order 7\.1\s?% of the known time in the last 7 days/))
    await visible(past.getByText(/^Out of order 5\.4\s?% of the known time in the last 30 days/))
    await visible(past.getByText('Never seen charging by this computer.'))
    // As shares of the strip, left to right.
    const bars = await page.evaluate<{ kind: string; from: number; to: number }[]>(`
      [...document.querySelectorAll('.chargers-strip > rect')].map((rect) => {
        const part = (name) => Number(rect.getAttribute(name)) / 300
        return { kind: rect.getAttribute('class'), from: part('x'), to: part('x') + part('width') }
      })`)
    expect(bars.map(({ kind }) => kind)).toEqual(['free', 'broken', 'free', 'free', 'broken', 'free'])
    const [, , beforeGap, afterGap] = bars
    expect(beforeGap!.to).toBeCloseTo((30 - 12) / 30, 2)
    expect(afterGap!.from).toBeCloseTo((30 - 10) / 30, 2)
    expect(bars[0]!.from).toBeCloseTo(0, 2)
    expect(bars.at(-1)!.to).toBeCloseTo(1, 2)
    await visible(past.getByRole('img', { name: /hatched where nothing is known/ }))
    const hatching = "getComputedStyle(document.querySelector('.chargers-strip')).backgroundImage"
    expect(await page.evaluate<string>(hatching)).toContain('repeating-linear-gradient')
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('is in the log: page after page, by kind, with the way to each charger', async () => {
    const { page } = world
    await button(page, 'Change log').click()
    const log = dialog(page)
    const entries = log.getByRole('listitem')
    await visible(entries.first())
    expect(await entries.count()).toBe(100)
    await log.getByRole('button', { name: 'Older changes' }).click()
    await expect.poll(() => entries.count()).toBeGreaterThan(150)
    expect(await log.getByRole('button', { name: 'Older changes' }).count()).toBe(0)
    const times = await log.locator('.chargers-log .figures').allInnerTexts()
    expect(new Set(times).size).toBeGreaterThan(150)
    expect(await findings(page)).toEqual([])
    await log.getByLabel('Show').selectOption({ label: 'Out of order' })
    await expect.poll(() => entries.count()).toBe(2)
    expect(await entries.first().innerText()).toContain('Free → Out of order')
    await log.getByLabel('Show').selectOption({ label: 'New and no longer listed' })
    await expect.poll(() => entries.allInnerTexts()).toMatchObject([expect.stringContaining('Free → no longer listed')])
    await entries.first().getByRole('button').click()
    const past = over(page, 'EDNY')
    await visible(past.getByText(/^Not listed since/))
    await visible(panel(page, /^EDNY/).getByText('This charger is no longer listed.'))
    expect(await findings(page)).toEqual([])
  })
})
