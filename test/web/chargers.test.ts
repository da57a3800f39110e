import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chargersPath, withSecret } from '../../src/shared/contract/page-bridge.ts'
import { ask, openWorld, type Visitor, type WebWorld } from './harness.ts'

const JSON_TEXT = JSON.stringify([{ airfield: 'Möwe </script>'.repeat(500) }])

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

const get = (headers: Record<string, string>) =>
  ask(world.port, withSecret(chargersPath(3), visitor.addressSecret), { headers })
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
    })
    expect(answer.headers['content-security-policy']).toContain('sandbox')
  })

  it('are the new ones as soon as there are new ones', async () => {
    await get(ownPage())
    world.host.chargers = { bytes: Buffer.from('[4]'), version: 4 }
    expect((await get(ownPage())).body).toBe('[4]')
  })

  it('are not there before the first refresh', async () => {
    world.host.chargers = null
    expect((await get(ownPage())).status).toBe(404)
  })

  it('are for our own page only', async () => {
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { cookie: visitor.cookie, 'sec-fetch-site': 'same-site' },
      { cookie: visitor.cookie, 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await get(headers)
      expect(answer.status, JSON.stringify(headers)).toBe(403)
      expect(answer.body).not.toContain('Möwe')
    }
    expect((await ask(world.port, chargersPath(3), { headers: visitor.headers })).status).toBe(403)
    expect((await get({ ...ownPage(), host: 'evil.example' })).status).toBe(421)
  })
})
