import { afterEach, describe, expect, it } from 'vitest'
import { CHARGER_FORMATS } from '../../src/main/cli/read-chargers.ts'
import { record as recordAt } from '../e2e/charger-records.ts'
import { freePort } from '../free-port.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { jsonLines, runCli } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

afterEach(closeAll)

interface Answer {
  status?: number
  headers?: object
  records?: unknown[]
  meta?: object
}

/** A service that answers each request, counted from 1, like this; and `hangar chargers` at it with a data folder of its own. */
async function at(answer: (request: number, query: URLSearchParams) => Answer, port = 0) {
  let count = 0
  const { origin } = await startHttp((request, response) => {
    const query = new URL(request.url, 'http://x').searchParams
    const { status = 200, headers = {}, records = [], meta } = answer((count += 1), query)
    const page = Number(query.get('page') ?? 1)
    const lastPage = Math.ceil(records.length / 200)
    const figures = { current_page: page, per_page: 200, total: records.length, last_page: lastPage }
    const body = { data: records.slice((page - 1) * 200, page * 200), meta: { ...figures, ...meta } }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }, port)
  return { ...(await hangarAt(origin)), requests: () => count }
}

async function hangarAt(origin: string) {
  const dataDir = folderForAll()
  const env = { HANGAR_CHARGER_URL: origin, HANGAR_CHARGER_TOKEN: 'a-token' }
  return { dataDir, run: (...args: string[]) => runCli(['chargers', ...args, '--data-dir', dataDir], { env }) }
}

const chargers = async (answer: Answer, ...args: string[]) => (await at(() => answer)).run(...args)

const record = (id: number) => recordAt({ id, icao: 'EDAZ', airfield: 'Schönhagen', lat: 52.2, lng: 13.16 })
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => record(from + n))
const synced = (id: number, live_state_synced_at: string | null) => ({ ...record(id), live_state_synced_at })
const listed = (stdout: string) => (JSON.parse(stdout) as { id: number }[]).map(({ id }) => id)

describe('hangar chargers at a service whose list is not whole', () => {
  it.each(CHARGER_FORMATS)('says so on standard error and ends with 1, as %s', async (format) => {
    const answer = { records: range(1, 5), meta: { total: 9 } }
    const { code, stdout, stderr } = await chargers(answer, '--format', format)
    expect(stderr).toBe('Chargers are missing: the service counts 9 but listed 5.\n')
    expect(code).toBe(1)
    expect(stdout).not.toContain('missing')
    expect(stdout.split('EDAZ').length).toBeGreaterThan(5)
  })

  it('counts records that cannot be used among what is missing', async () => {
    const { code, stderr } = await chargers({ records: [record(1), { id: 'two' }] })
    expect([code, stderr]).toEqual([1, '1 record of the service could not be read and is left out.\n'])
  })
})

describe('hangar chargers at a service that is slow, busy or away', () => {
  it('waits when it is asked to, says so, and goes on', async () => {
    const refusal = { status: 429, headers: { 'retry-after': '1' } }
    const service = await at((request) => (request === 2 ? refusal : { records: range(1, 450) }))
    const { code, stdout, stderr } = await service.run('--format', 'json')
    expect(stderr).toBe('The charger service asks Hangar to wait: too many calls in a minute. Continuing in 1 s.\n')
    expect([code, listed(stdout).length]).toEqual([0, 450])
  })

  it('says how long to wait when that is longer than a command waits', async () => {
    const service = await at(() => ({ status: 429, headers: { 'retry-after': '1800' } }))
    const { code, stderr } = await service.run()
    expect(stderr).toBe('The charger service asks Hangar to wait: too many calls in a minute. Try again in 30 min.\n')
    expect([code, service.requests()]).toEqual([6, 1])
  })
})

describe('hangar chargers where only commands are used', () => {
  it('prints the last complete list when the service is away, with its age and its time, also for what is missing in it', async () => {
    const { run } = await at(
      (_, query) => ({ records: query.has('country') ? range(1, 1) : range(1, 3) }),
      await freePort(),
    )
    const live = await run('--format', 'json')
    expect(live.code).toBe(0)
    // A part of the list does not take its place.
    expect(listed((await run('--format', 'json', '--country', 'ED')).stdout)).toEqual([1])
    await closeAll()
    const { code, stdout, stderr } = await run('--format', 'json')
    expect([code, listed(stdout)]).toEqual([6, [1, 2, 3]])
    expect(stderr).toMatch(/These chargers were stored on this computer \d+ s ago/)
    const times = (text: string) => (JSON.parse(text) as { listedAt: string }[]).map(({ listedAt }) => listedAt)
    expect(times(stdout)).toEqual(times(live.stdout))
    expect(listed((await run('--format', 'json', '--country', 'ed')).stdout)).toEqual([1, 2, 3])
    expect(listed((await run('--format', 'json', '--icao', 'lowi')).stdout)).toEqual([])
  })
})

it.each(['csv', 'gpx', 'cup'])('hangar chargers refuses --json together with --format %s', async (format) => {
  const { code, stdout, stderr } = await chargers({ records: range(1, 2) }, '--json', '--format', format)
  expect([code, jsonLines(stdout)]).toEqual([2, [expect.objectContaining({ event: 'error', code: 'bad_request' })]])
  expect(stderr).toBe(`--json and --format ${format} ask for two different things. Give one.\n`)
})

describe('hangar chargers with live states that are not of now', () => {
  const records = () => [
    record(1),
    synced(2, new Date(Date.now() - 3 * 3_600_000).toISOString()),
    synced(3, '2099-05-01T10:00:00+02:00'),
    synced(4, new Date().toISOString().slice(0, 19)),
    { ...synced(5, null), live_state: null },
  ]
  const run = (...args: string[]) => chargers({ records: records() }, ...args)

  it('calls free only what is free now, or is said to be without a live state', async () => {
    expect(listed((await run('--free', '--format', 'json')).stdout)).toEqual([1, 5])
  })

  it('tells last known states with their age in the table', async () => {
    const rows = (await run()).stdout.split('\n').slice(1, 6)
    expect(
      rows.map((row) => /Available|last known: Available, [a-z0-9 ]*?(?= {2})|yes \(not live\)/.exec(row)?.[0]),
    ).toEqual([
      'Available',
      'last known: Available, 3 h ago',
      'last known: Available, time not known',
      'last known: Available, time not known',
      'yes (not live)',
    ])
  })
})
