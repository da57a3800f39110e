import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chargersPath, inView } from '../../src/shared/contract/page-bridge.ts'
import { ask, openWorld, viewOf, type Visitor, type WebWorld } from './harness.ts'

const JSON_TEXT = JSON.stringify({
  version: 3,
  atMs: 1,
  unseen: [],
  chargers: [{ airfield: 'Möwe </script>'.repeat(500) }],
})

let world: WebWorld
let visitor: Visitor
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  visitor = await world.signIn()
  world.host.chargers = { bytes: Buffer.from(JSON_TEXT), version: 3 }
})
afterAll(() => world.close())

const get = async (headers: Record<string, string>) =>
  ask(world.port, inView(chargersPath(3), await viewOf(world, visitor)), { headers })
const ownPage = () => ({ cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' })

describe('The chargers', () => {
  it('come as data that nothing runs, guesses or caches', async () => {
    const answer = await get(ownPage())
    expect(answer.status).toBe(200)
    expect(answer.body).toBe(JSON_TEXT)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
    expect(answer.headers['content-security-policy']).toContain('sandbox')
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate, *', 'br'],
    ['deflate', undefined],
    ['br;q=0.000', undefined],
    ['', undefined],
  ])('are packed as the browser takes it: "%s"', async (accepted, encoding) => {
    for (let time = 0; time < 2; time += 1) {
      const answer = await get({ ...ownPage(), 'accept-encoding': accepted })
      expect(answer.headers['content-encoding']).toBe(encoding)
      const unpack = encoding === 'br' ? brotliDecompressSync : encoding === 'gzip' ? gunzipSync : (raw: Buffer) => raw
      expect(String(unpack(answer.bytes))).toBe(JSON_TEXT)
    }
  })

  it('are the new ones as soon as there are new ones', async () => {
    const packed = { ...ownPage(), 'accept-encoding': 'br' }
    await get(packed)
    world.host.chargers = { bytes: Buffer.from('{"version":4}'), version: 4 }
    expect(String(brotliDecompressSync((await get(packed)).bytes))).toBe('{"version":4}')
  })

  it('are not there before the first refresh', async () => {
    world.host.chargers = null
    expect((await get(ownPage())).status).toBe(404)
  })

  it('are for our own page only', async () => {
    for (const headers of [
      {},
      { cookie: visitor.cookie },
      { 'sec-fetch-site': 'same-origin' },
      { cookie: visitor.cookie, 'sec-fetch-site': 'same-site' },
      { cookie: visitor.cookie, 'sec-fetch-site': 'cross-site' },
      { cookie: visitor.cookie, 'x-hangar-token': 'wrong' },
    ]) {
      const answer = await get(headers)
      expect(answer.status, JSON.stringify(headers)).toBe(403)
      expect(answer.body).not.toContain('version')
    }
    expect((await get(visitor.headers)).status).toBe(200)
    expect((await ask(world.port, chargersPath(3), { headers: { ...ownPage(), host: 'evil.example' } })).status).toBe(
      421,
    )
  })
})
