import { mkdir, symlink, unlink, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withSecret, zipPath } from '../../src/shared/contract/page-bridge.ts'
import { zipNamer } from '../../src/main/web/zip.ts'
import { unzipped } from '../unzipped.ts'
import { openWorld } from './harness.ts'

const world = await openWorld()
afterAll(() => world.close())
const visitor = await world.signIn()

async function asked(ids: string[], from = visitor): Promise<string | null> {
  const socket = await world.connect(from)
  socket.send({ id: 1, channel: 'results.zip', request: { ids } })
  const { result } = await socket.reply((reply) => reply['id'] === 1)
  return (result as { value: { token: string | null } }).value.token
}

async function wish(ids: string[], from = visitor): Promise<string> {
  const token = await asked(ids, from)
  if (token === null) throw new Error('there are no results')
  return token
}

const get = (token: string, { headers, addressSecret } = visitor) =>
  fetch(`http://127.0.0.1:${world.port}${withSecret(zipPath(token), addressSecret)}`, { headers })

describe('An archive of results', () => {
  it('has every file of the wanted jobs, byte for byte, under a name of its own', async () => {
    const sub = join(world.dir, 'Trip')
    await mkdir(sub)
    const [large, small] = [randomBytes(3_000_000), randomBytes(10)]
    const [one, other, third] = [join(sub, 'a.webp'), join(world.dir, 'b.webp'), join(world.dir, 'c.webp')]
    await writeFile(one, large)
    await writeFile(other, small)
    await writeFile(third, small)
    world.host.outputs.set('Z1/0', { path: one, rootDir: world.dir, name: 'Trip/a.webp' })
    world.host.outputs.set('Z1/1', { path: other, rootDir: world.dir, name: 'A.webp' })
    world.host.outputs.set('Z2/0', { path: third, rootDir: world.dir, name: 'a.webp' })
    const answer = await get(await wish(['Z1', 'Z2', 'none']))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=hangar-[\d-]+\.zip$/)
    expect(answer.headers.get('content-length')).toBeNull()
    const archive = Buffer.from(await answer.arrayBuffer())
    // Pictures do not become smaller.
    expect(archive.includes(large)).toBe(true)
    const files = unzipped(archive)
    expect(files.map(([name]) => name)).toEqual(['Trip/a.webp', 'A.webp', 'a-2.webp'])
    expect(files.map(([, bytes], n) => bytes.equals(n === 0 ? large : small))).toEqual([true, true, true])
  })

  it('is not offered when none of the jobs has a result', async () => {
    expect(await asked(['none', 'gone'])).toBeNull()
    expect(await asked([])).toBeNull()
  })

  it('is for the browser that asked for it, and for nobody else', async () => {
    const token = await wish(['Z1'])
    const stranger = await world.signIn()
    expect((await get(token, stranger)).status).toBe(404)
    expect((await get('no-such-token')).status).toBe(404)
    expect((await get(token, { ...visitor, headers: {} })).status).toBe(403)
    expect((await get(token, { ...visitor, addressSecret: stranger.addressSecret })).status).toBe(403)
  })

  it('ends broken instead of looking whole when a file was swapped for a link', async () => {
    const path = join(world.dir, 'swapped.webp')
    await writeFile(path, 'mine')
    world.host.outputs.set('Z3/0', { path, rootDir: world.dir, name: 'swapped.webp' })
    const token = await wish(['Z3'])
    await unlink(path)
    await symlink('/etc/passwd', path)
    const read = get(token).then((answer) => answer.text())
    await expect(read).rejects.toThrow()
  })
})

it('names files as they are wanted, and none twice', () => {
  const name = zipNamer()
  expect(['hé.jpg', 'hé.jpg'.normalize('NFD')].map(name)).toEqual(['hé.jpg', `${'hé'.normalize('NFD')}-2.jpg`])
  expect(['a.jpg', 'A.jpg', 'a.jpg', 'x/.hidden', 'x/.hidden', 'a-2.jpg'].map(name)).toEqual([
    'a.jpg',
    'A-2.jpg',
    'a-3.jpg',
    'x/.hidden',
    'x/.hidden-2',
    'a-2-2.jpg',
  ])
  // Another system would take them for a drive, folders above and a device.
  expect(['C:odd.webp', String.raw`..\..\odd.webp`, '../CON.webp'].map(name)).toEqual([
    'C-odd.webp',
    '..-..-odd.webp',
    '__/_CON.webp',
  ])
})
