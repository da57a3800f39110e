import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { changeSettings } from '../../src/main/engine/settings-store.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { pageOf, record } from '../e2e/charger-records.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { runCli } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

afterEach(closeAll)

const FIELDS = [
  record({ id: 1, icao: 'EDAA', airfield: 'Start', lat: 50, lng: 8 }),
  record({ id: 2, icao: 'EDAM', airfield: 'Middle', lat: 50, lng: 9.5 }),
  record({ id: 3, icao: 'EDAB', airfield: 'End', lat: 50, lng: 11 }),
]

async function route(args: string[], records: unknown[] = FIELDS, data?: string, before: string[] = []) {
  const { origin } = await startHttp((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pageOf(records))),
  )
  const env = { HANGAR_CHARGER_URL: origin, HANGAR_CHARGER_TOKEN: 'a-token' }
  return runCli(['chargers', ...before, 'route', ...args, '--data-dir', data ?? folderForAll()], { env })
}

describe('hangar chargers route', () => {
  it('says the legs, the stops and what is not for navigation', async () => {
    const aircraft = ['--range', '75', '--reserve', '15', '--speed', '60', '--energy', '30']
    const { code, stdout, stderr } = await route(['edaa', 'End', ...aircraft, '--depart', '2026-03-01T09:00Z'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'EDAA Start → EDAB End',
      'Range 75 NM, reserve 15 NM, in still air',
      'Departure: 2026-03-01 09:00 UTC',
    ])
    expect(stdout).toContain('1 stop, 116 NM; 1 h 56 min in the air, at least 35 min charging, 2 h 31 min in all')
    expect(stdout).toMatch(
      /EDAA Start → EDAM Middle, 09:57 UTC\n {4}57\.9 NM · 089° true · 58 min · 23\.2 kWh · 22% left/,
    )
    expect(stdout).toContain('Planning aid, not for navigation.')
    expect(stdout).toContain('warning: Only one charger here.')
  })

  it('flies in a wind: a way that there may be none back', async () => {
    const given = ['--range', '62', '--speed', '60', '--energy', '31', '--wind', '270/10']
    const east = await route(['EDAA', 'EDAB', ...given])
    expect([east.code, east.stderr]).toEqual([0, ''])
    expect(east.stdout).toContain(
      '\nRange 62 NM, reserve 0 NM, through the air\nPlanned in a wind of 270/10 kt: ranges are through the air.\n',
    )
    expect(east.stdout).toMatch(/→ EDAM Middle.*\n.*57\.9 NM · 089° true · 70 kt over ground · 50 min · 24\.8 kWh/)
    const west = await route(['EDAB', 'EDAA', ...given])
    expect([west.code, west.stdout]).toEqual([1, ''])
    // 57.86 NM at 50 of 60 kt, for both stretches.
    expect(west.stderr).toMatch(
      /^No route: the longest gap is 69\.5 NM, between EDA[BM] \w+ and EDA[AM] \w+, but only 62 NM can be flown between charges\. A range of 70 NM would be enough\. Planned in a wind of 270\/10 kt: ranges are through the air\.\n$/,
    )
    expect((await route(['EDAB', 'EDAA', ...given, '--range', '70'])).code).toBe(0)
    const { wind } = JSON.parse((await route(['EDAA', 'EDAB', ...given, '--json'])).stdout) as { wind: object }
    expect(wind).toEqual({ fromDegrees: 270, knots: 10 })
  })

  it('answers programs with all it knows, and writes a route as a file', async () => {
    const given = ['EDAA', '50,11', '--range', '75', '--reserve', '15']
    const { code, stdout } = await route([...given, '--json'])
    const answer = JSON.parse(stdout) as {
      kind: string
      forNavigation: boolean
      routes: { stops: { icao: string }[] }[]
    }
    expect([code, answer.kind, answer.forNavigation]).toEqual([0, 'routes', false])
    expect(answer.routes[0]!.stops.map(({ icao }) => icao)).toEqual(['EDAM'])
    expect((await route(given, FIELDS, undefined, ['--json'])).stdout).toContain('"kind":"routes"')
    const gpx = (await route([...given, '--format', 'gpx'])).stdout
    expect(gpx.match(/<rtept /g)).toHaveLength(3)
    const cup = (await route([...given, '--format', 'cup'])).stdout.split('\r\n')
    expect([cup.length, cup[4], cup[2]]).toEqual([
      7,
      '-----Related Tasks-----',
      expect.stringMatching(
        /^"EDAM Middle","EDAM",,5000.000N,00930.000E,,1,,,,"Planning aid, not for navigation\. Charge stop: /,
      ),
    ])
    expect((await route([...given, '--format', 'csv'])).stdout.split('\r\n')).toHaveLength(4)
    expect(JSON.parse((await route([...given, '--format', 'geojson'])).stdout)).toMatchObject({
      type: 'FeatureCollection',
    })
  })

  it('takes places of a file, and an aircraft and places that the window saved', async () => {
    const data = folderForAll()
    const db = openJournal(data)
    const aircraft = {
      id: 'a',
      name: 'D-EHGR',
      connectors: [],
      types: [],
      rangeNm: 150,
      reserve: { value: 20, unit: 'percent' as const },
      speedKt: 60,
      usableKwh: null,
      maxKw: null,
    }
    changeSettings(db, (stored) => ({
      ...stored,
      chargers: { ...stored.chargers, aircraft: [aircraft], places: [{ name: 'Kept', lat: 50, lng: 8.2 }] },
    }))
    db.close()
    const file = join(folderForAll(), 'own.gpx')
    await writeFile(file, '<gpx><wpt lat="50" lon="10.8"><name>Strip</name></wpt></gpx>')
    const flags = ['--places', file, '--aircraft', 'd-ehgr']
    const { code, stdout } = await route(['kept', 'STRIP', ...flags], FIELDS, data)
    expect(code).toBe(0)
    expect(stdout).toContain('Kept → Strip\nRange 150 NM, reserve 30 NM')
    expect(stdout).toMatch(/→ Strip, .*\n.*100 NM · .* · 1 h 40 min · 33% left/)
    const shorter = await route(['kept', 'STRIP', ...flags, '--range', '75'], FIELDS, data)
    expect(shorter.stdout).toContain('Range 75 NM, reserve 15 NM')
    const none = await route(['kept', 'strip', '--places', file, '--aircraft', 'D-NONE'], FIELDS, data)
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/^No aircraft named "D-NONE" is saved\./)])
    const lost = await route(['kept', 'strip', '--range', '75', '--places', `${file}.not`], FIELDS, data)
    expect([lost.code, lost.stderr]).toEqual([2, expect.stringMatching(/^The file cannot be read \(.*ENOENT/)])
  })

  it('names the waypoints that it leaves out, and plans from none that two places are called', async () => {
    const [one, two] = [join(folderForAll(), 'one.cup'), join(folderForAll(), 'two.gpx')]
    await writeFile(
      one,
      'name,lat,lon\nStrip,5000.000N,01048.000E\nWald,5000.000N,00812.000E\nHigh,9100.000N,00800.000E\n',
    )
    await writeFile(two, '<gpx><wpt lat="53" lon="8.2"><name>wald</name></wpt></gpx>')
    const flags = ['--range', '150', '--places', one, '--places', two]
    const { code, stdout, stderr } = await route(['EDAA', 'Strip', ...flags], FIELDS)
    expect([code, stdout]).toEqual([1, expect.stringContaining('→ Strip')])
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'High: this waypoint has no name or no valid position in the file (9100.000N 00800.000E).',
      'wald: the file has two waypoints of this name, at 50, 8.2 and at 53, 8.2; neither is taken.',
    ])
    const refused = await route(['Wald', 'Strip', ...flags], FIELDS)
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('at 50, 8.2 and at 53, 8.2; neither is taken.')
  })

  it.each([
    [['EDAA', 'EDAB'], /Give --range, or --aircraft/],
    [['EDAA', 'EDAB', '--range', '75', '--depart', '+010000-01-01T00:00Z'], /from 1970 to 2999/],
    [['EDAA', 'EDAB', '--range', '75', '--depart', '2026-05-01T09:00'], /with an offset/],
    [['EDAA', 'EDAB', '--range', '75', '--reserve', '30min'], /minutes needs --speed/],
    [['EDAA', 'EDAB', '--range', '75', '--wind', '270/15'], /A wind needs --speed/],
    [['EDAA', 'EDAB', '--range', '75', '--speed', '60', '--wind', '270/60'], /a speed above its own/],
    [['EDAA', 'EDAB', '--range', '75', '--speed', '60', '--wind', 'west'], /as in 270\/15/],
    [['EDAA', 'EDAB', '--range', '75', '--reserve', '30km'], /as in 15, 30min or 20%/],
    [['EDAA', 'EDAB', '--range', '75', '--reserve', '100%'], /leaves nothing of the range/],
    [['EDAA', 'EDAB', '--range', '50', '--reserve', '50'], /leaves nothing of the range/],
    [['EDAA', 'EDAB', '--range', '75', '--prefer', 'time'], /give --speed and --energy/],
    [['EDAA', '95,11', '--range', '75'], /not a place on Earth/],
    [['EDAA', 'eda', '--range', '75'], /may be EDAA Start, EDAB End, EDAM Middle/],
  ])('%j is wrong usage', async (args, words) => {
    const { code, stderr } = await route(args)
    expect(stderr).toMatch(words)
    expect(code).toBe(2)
  })
})
