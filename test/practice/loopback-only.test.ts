/** What keeps the practice service to this computer, and within bounds. */
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startPractice } from './faulty-practice.ts'
import { client, dispatched, eventually, form, picture, practiceForAll, untilEnded } from './harness.ts'

const at = practiceForAll({ jobTime: { kind: 'fixed', ms: 0 } })

function statusWithHost(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${at.server.apiKey}` }
    request(`${at.server.imageBaseUrl}/credits/balance`, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('The practice service', () => {
  it('answers only requests whose Host is its own loopback address', async () => {
    expect(await statusWithHost(`127.0.0.1:${at.server.port}`)).toBe(200)
    expect(await statusWithHost(`localhost:${at.server.port}`)).toBe(200)
    for (const host of ['evil.example', `evil.example:${at.server.port}`, '127.0.0.1', `127.0.0.1:1`]) {
      expect(await statusWithHost(host)).toBe(421)
    }
  })

  it('listens on loopback only', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)
    if (!outside) return
    const refused = await new Promise((resolve) => {
      const socket = connect(at.server.port, outside.address)
      socket.on('error', () => resolve(true))
      socket.on('connect', () => {
        socket.destroy()
        resolve(false)
      })
    })
    expect(refused).toBe(true)
  })

  it('sends no CORS headers', async () => {
    const headers = { origin: 'https://evil.example', authorization: `Bearer ${at.server.apiKey}` }
    const answer = await fetch(`${at.server.imageBaseUrl}/credits/balance`, { headers })
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('stops reading a body that does not end, charges nothing, and goes on serving', async () => {
    const { port, apiKey } = at.server
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    socket.write(
      `POST /api/v1/images/optimize HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000000000\r\n\r\n' +
        '--x\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\nsome bytes',
    )
    const chunk = Buffer.alloc(256 * 1024)
    let sentBytes = 0
    const pump = (): void => {
      while (!socket.destroyed && sentBytes < 200_000_000) {
        sentBytes += chunk.length
        if (!socket.write(chunk)) {
          socket.once('drain', pump)
          return
        }
      }
    }
    pump()
    await eventually(() => (socket.destroyed ? true : null))
    expect(sentBytes).toBeLessThan(100_000_000)
    expect(at.server.ledger().requests.at(-1)).toMatchObject({ route: 'optimize', status: 413 })
    expect(at.server.ledger().totals.charges).toBe(0)
    expect((await at.service.get('/credits/balance')).status).toBe(200)
  })
})

it('The scratch folder holds no upload once its job has ended', async () => {
  const before = new Set(readdirSync(tmpdir()).filter((name) => name.startsWith(`hangar-practice-${process.pid}-`)))
  const own = await startPractice({ jobTime: { kind: 'fixed', ms: 0 } })
  const [folder = ''] = readdirSync(tmpdir()).filter(
    (name) => name.startsWith(`hangar-practice-${process.pid}-`) && !before.has(name),
  )
  const service = client(own)
  await untilEnded(service, await dispatched(service, '/images/process', form(await picture('jpeg'))))
  await service.post('/images/process', form(Buffer.from('no picture')))
  const left = await eventually(() => {
    const names = readdirSync(join(tmpdir(), folder))
    return names.some((name) => name.endsWith('.upload')) ? null : names
  })
  expect(left).toHaveLength(1)
  await own.close()
  expect(existsSync(join(tmpdir(), folder))).toBe(false)
})
