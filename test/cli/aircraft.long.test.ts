import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { jsonLines, runCli } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

const D_EHGR = {
  name: 'D-EHGR',
  rangeNm: 252,
  reserve: { value: 30, unit: 'min' },
  speedKt: 90,
  usableKwh: 60,
}

it('aircraft leave and come as a configuration, are planned with by their names, and are not lost to a bad file', async () => {
  const [data, other, dir] = [folderForAll(), folderForAll(), folderForAll()]
  const file = join(dir, 'aircraft.json')
  const hangarIn =
    (folder: string) =>
    (...args: string[]) =>
      runCli([...args, '--data-dir', folder], { cwd: dir })
  const hangar = hangarIn(data)
  expect(await hangar('chargers', 'aircraft')).toMatchObject({ code: 0, stdout: '' })
  await writeFile(file, JSON.stringify({ chargers: { aircraft: [D_EHGR, { name: 'Old', rangeNm: 75 }] } }))
  const lines = ['New aircraft: D-EHGR', '  rangeNm: 252', '  reserve: {"value":30,"unit":"min"}']
  expect((await hangar('config', 'import', file, '--dry-run')).stdout).toContain(`${lines.join('\n')}\n`)
  expect((await hangar('chargers', 'aircraft')).stdout).toBe('')
  expect((await hangar('config', 'import', file, '--yes')).code).toBe(0)
  expect((await hangar('chargers', 'aircraft')).stdout).toBe(
    [
      'NAME    RANGE   RESERVE  SPEED  ENERGY  POWER  CONNECTORS',
      'D-EHGR  252 nm  30 min   90 kt  60 kWh  –      –',
      'Old     75 nm   0 nm     –      –       –      –',
      '',
    ].join('\n'),
  )

  // A bad file changes nothing, and an aircraft that it does not name stays.
  await writeFile(file, JSON.stringify({ chargers: { aircraft: [{ name: 'd-ehgr', rangeNm: 300 }, { name: 'New' }] } }))
  const bad = await hangar('config', 'import', file, '--yes')
  expect([bad.code, bad.stderr]).toEqual([
    2,
    'chargers.aircraft[1].rangeNm: This is missing: a new aircraft needs a range, in nautical miles.\n',
  ])
  await writeFile(file, JSON.stringify({ chargers: { aircraft: [{ name: 'd-ehgr', rangeNm: 300 }] } }))
  expect((await hangar('config', 'import', file, '--dry-run')).stdout).toBe(
    'Aircraft: d-ehgr\n  name: D-EHGR → d-ehgr\n  rangeNm: 252 → 300\n',
  )

  // To another computer, one of them, and planned with there.
  await writeFile(file, (await hangar('chargers', 'aircraft', 'show', 'd-EHGR')).stdout)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ chargers: { aircraft: [D_EHGR] } })
  const there = hangarIn(other)
  expect((await there('config', 'import', file, '--yes')).code).toBe(0)
  const route = await there('chargers', 'route', '--practice', 'EDAZ', 'EDMO', '--aircraft', 'd-ehgr', '--json')
  expect([route.code, jsonLines(route.stdout)[0]]).toEqual([0, expect.objectContaining({ kind: 'routes' })])
  const none = await there('chargers', 'aircraft', 'show', 'Old')
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No aircraft named "Old" is saved.')])

  // Aircraft are no single setting, and the configuration has them.
  expect((await hangar('settings', 'set', 'chargers.aircraft', '[]')).code).toBe(2)
  const { chargers } = JSON.parse((await hangar('config', 'export')).stdout) as { chargers: { aircraft: object[] } }
  expect(chargers.aircraft).toEqual([expect.objectContaining(D_EHGR), expect.objectContaining({ name: 'Old' })])
  expect(JSON.stringify(chargers)).not.toContain('"id"')
})
