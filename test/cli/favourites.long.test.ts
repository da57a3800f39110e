import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { pageOf, record } from '../e2e/charger-records.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { jsonLines, runCli, startCli } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

afterEach(closeAll)

const RECORDS = [
  record({ id: 1, icao: 'EDAA', airfield: 'Start', lat: 50, lng: 8 }),
  record({ id: 2, icao: 'EDAA', airfield: 'Start', lat: 50, lng: 8 }),
  record({ id: 3, icao: 'EDAB', airfield: 'End', lat: 50, lng: 11 }),
]

it('favourites leave as GPX and CUP and come back, one of several at an airfield too, also beside a watch', async () => {
  const { origin } = await startHttp((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pageOf(RECORDS))),
  )
  const env = { HANGAR_CHARGER_URL: origin, HANGAR_CHARGER_TOKEN: 'a-token' }
  const [data, other, dir] = [folderForAll(), folderForAll(), folderForAll()]
  const chargers = (folder: string, ...args: string[]) =>
    runCli(['chargers', ...args, '--data-dir', folder], { env, cwd: dir })
  const favourites = async (folder: string) => {
    const { stdout } = await chargers(folder, '--favourites', '--format', 'json')
    return (jsonLines(stdout)[0] as unknown as { id: number }[]).map(({ id }) => id)
  }

  await writeFile(
    join(dir, 'trip.gpx'),
    `<gpx><wpt lat="50" lon="8"><name>EDAA\u202e (2)</name><desc>Charger 2</desc></wpt><wpt lat="1" lon="1"><name>Sea</name></wpt><wpt lat="50" lon="11"/></gpx>`,
  )
  const shown = await chargers(data, 'favourites', 'import', 'trip.gpx', '--dry-run')
  expect(shown).toMatchObject({
    code: 1,
    stdout: 'EDAA Start\n',
    stderr:
      '–: this waypoint has no name or no valid position in the file (50, 11).\nSea: no such charger is within a mile.\n1 charger would be marked, 0 are favourites already.\n',
  })
  expect(await favourites(data)).toEqual([])
  expect((await chargers(data, 'favourites', 'import', 'trip.gpx')).stderr).toContain('run again with --yes')
  const marked = await chargers(data, 'favourites', 'import', 'trip.gpx', '--yes', '--json')
  expect(jsonLines(marked.stdout)).toEqual([
    {
      event: 'favourites',
      marked: true,
      dryRun: false,
      chargers: [{ id: 2, name: 'EDAA Start' }],
      already: 0,
      unknown: ['Sea'],
      leftOut: ['–: this waypoint has no name or no valid position in the file (50, 11).'],
    },
  ])
  expect(await favourites(data)).toEqual([2])

  // Nothing is taken away. A watch that runs marks them.
  await writeFile(join(dir, 'end.cup'), 'name,lat,lon,desc\nEnd,5000.000N,01100.500E,Charger 3\n')
  const watch = startCli(['watch', folderForAll(), '--practice', '--data-dir', data], { env })
  await watch.said(/Watching/)
  const beside = await chargers(data, 'favourites', 'import', 'end.cup', '--yes')
  expect([beside.code, beside.stderr]).toEqual([0, expect.stringContaining('1 charger marked as favourites.')])
  expect(await favourites(data)).toEqual([2, 3])
  await watch.stop()

  for (const format of ['gpx', 'cup']) {
    const folder = folderForAll()
    await writeFile(join(dir, `all.${format}`), (await chargers(data, '--favourites', '--format', format)).stdout)
    expect((await chargers(folder, 'favourites', 'import', `all.${format}`, '--yes')).code).toBe(0)
    expect(await favourites(folder)).toEqual([2, 3])
  }
  await writeFile(join(dir, 'bad.gpx'), '<gpx><wpt')
  expect((await chargers(other, 'favourites', 'import', 'bad.gpx', '--yes')).stderr).toMatch(/^The file cannot be read/)
  expect((await chargers(other, '--favourites', '--practice')).code).toBe(2)
})
