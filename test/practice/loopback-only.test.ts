/** What keeps the practice service to this computer, and within bounds. */
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startPractice, type PracticeServer } from './faulty-practice.ts'
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

  /** Begins an upload of that many bytes: sends its head and the first few bytes. */
  function upload({ port, apiKey }: PracticeServer, sizeBytes: number): Socket {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    socket.write(
      `POST /api/v1/images/optimize HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\n` +
        `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${sizeBytes}\r\n\r\n` +
        '--x\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\nsome bytes',
    )
    return socket
  }

  it('stops reading a body that does not end, charges nothing, and goes on serving', async () => {
    const socket = upload(at.server, 100_000_000_000)
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

  it('forgets the upload of a client that goes away in the middle, and charges nothing', async () => {
    const own = await startPractice()
    const socket = upload(own, 100_000)
    await eventually(() => (own.ledger().totals.requests === 1 ? true : null))
    socket.destroy()
    await eventually(() => (own.ledger().requests[0]?.answeredAtMs == null ? null : true))
    expect(own.ledger().requests[0]).toMatchObject({ status: null })
    expect(own.ledger().totals.charges).toBe(0)
    expect((await client(own).get('/credits/balance')).status).toBe(200)
    await own.close()
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
