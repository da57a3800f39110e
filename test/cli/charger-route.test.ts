import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { pageOf, record } from '../e2e/charger-records.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { Folders, runCli } from './harness.ts'

const folders = new Folders()
afterEach(closeAll)
afterAll(() => folders.removeAll())

const FIELDS = [
  record({ id: 1, icao: 'EDAA', airfield: 'Start', lat: 50, lng: 8 }),
  record({ id: 2, icao: 'EDAM', airfield: 'Middle', lat: 50, lng: 9.5 }),
  record({ id: 3, icao: 'EDAB', airfield: 'End', lat: 50, lng: 11 }),
]

async function route(args: string[], records: unknown[] = FIELDS) {
  const { origin } = await startHttp((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pageOf(records))),
  )
  const env = { HANGAR_CHARGER_URL: origin, HANGAR_CHARGER_TOKEN: 'a-token' }
  return runCli(['chargers', 'route', ...args, '--data-dir', await folders.make('data')], { env })
}

describe('hangar chargers route', () => {
  it('says the legs, the stops and what is not for navigation', async () => {
    const aircraft = ['--range', '75', '--reserve', '15', '--speed', '60', '--energy', '30']
    const { code, stdout, stderr } = await route(['edaa', 'End', ...aircraft, '--depart', '2026-03-01T09:00Z'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')[0]).toBe(
      'EDAA Start to EDAB End: at most 60 NM between charges (range 75 NM less reserve 15 NM), in still air.',
    )
    expect(stdout).toContain('1 charge stop, 1 h 56 min in the air, at least 35 min charging, 2 h 31 min in all')
    expect(stdout).toMatch(/57\.9 NM {2}089°T {2}58 min {2}23\.2 kWh {2}to EDAM Middle, 09:57 UTC/)
    expect(stdout).toContain('Planning aid, not for navigation.')
    expect(stdout).toContain('NO alternate in range')
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
    const gpx = (await route([...given, '--format', 'gpx'])).stdout
    expect(gpx.match(/<rtept /g)).toHaveLength(3)
    expect((await route([...given, '--format', 'csv'])).stdout.split('\r\n')).toHaveLength(4)
    expect(JSON.parse((await route([...given, '--format', 'geojson'])).stdout)).toMatchObject({
      type: 'FeatureCollection',
    })
  }, 60_000)

  it('says the longest gap when there is no route, and ends with 1', async () => {
    const { code, stdout, stderr } = await route(['EDAA', 'EDAB', '--range', '60', '--reserve', '10'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^There is no route: the longest gap is 57\.9 NM, between .* and .*, and 50 NM can be flown between charges\.\n$/,
    )
  })

  it('says that it does not know where an airfield is that nothing is listed at', async () => {
    const { code, stderr } = await route(['EDZZ', 'EDAB', '--range', '75'])
    expect([code, stderr]).toEqual([
      2,
      'No charger is listed at "EDZZ", so its position is not known. Give degrees instead, as in 52.2,13.16.\n',
    ])
  })

  it.each([
    [['EDAA', 'EDAB'], /required option '--range/],
    [['EDAA', 'EDAB', '--range', '50', '--reserve', '50'], /leaves nothing of the range/],
    [['EDAA', 'EDAB', '--range', '75', '--prefer', 'time'], /give --speed and --energy/],
    [['EDAA', '95,11', '--range', '75'], /no place on earth/],
    [['EDAA', 'eda', '--range', '75'], /may be EDAA Start, EDAB End, EDAM Middle/],
  ])('%j is wrong usage', async (args, words) => {
    const { code, stderr } = await route(args)
    expect(stderr).toMatch(words)
    expect(code).toBe(2)
  })
})
