import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FaultWorld, type WorldOptions } from './fault-world.ts'
import { pictureNumber } from './pictures.ts'
import { recordEntry } from './tree-record.ts'

/** Names of pictures as people and programs give them, parted by what no name can have. */
const HOSTILE_FILES = (
  'two\nlines.jpg/tab\tand\rreturn.jpg/"double" \'single\' `back`.jpg/-rf.jpg/--output=x.jpg/$(touch pwned).jpg/' +
  ';rm -rf ~;.jpg/%2e%2e%2fpercent%00.jpg/x..\\..\\windows.jpg/trailing dots...jpg/ leading and trailing space .jpg/' +
  'CON.jpg/aux.png/com1.jpg.jpg/nul .jpg/rtl-\u202Egpj.exe.jpg/zero\u200bwidth\ufeff.jpg/e\u0301-nfd.jpg/é-nfd.jpg/' +
  `I\u0307stanbul.jpg/🛩️✈️👩‍✈️.jpg/${'漢字'.repeat(40)}.jpg/${'x'.repeat(251)}.jpg/photo-optimized.jpg/` +
  'photo-optimized-optimized.jpg/photo.jpg.alt.json.jpg/\u001b[31mred\u0007.jpg/<img src=x onerror=alert(1)>.jpg/' +
  'UPPER.JPG/upper.jpg/same.jpg/same.png'
).split('/')

/** What a service may suggest as a file name. */
const HOSTILE_SUGGESTIONS = (
  '../../escaped|/etc/passwd|..|.||   |.hidden|.hangar-1.part|-rf|~root|CON|con.jpg|COM¹|nul\u0000byte|' +
  `${'a'.repeat(400)}|${'漢'.repeat(300)}|line\nbreak\r\n|rtl\u202Egpj.exe|\ud800lone|notes|photo.jpg.alt.json|` +
  'C:\\Windows\\system32|\\\\server\\share\\x|aux.|x/../../../y|%2e%2e%2f|<script>alert(1)</script>|$(touch pwned)|' +
  'Optimized|optimized'
).split('|')

let world: FaultWorld
afterEach(() => world.end())

async function worldFor(options: WorldOptions = {}): Promise<FaultWorld> {
  world = await FaultWorld.make({ speed: 20, ...options })
  world.addForeign('notes.txt', 'mine')
  return world
}

describe('pictures with hostile names', () => {
  for (const naming of ['original', '{name}/{lang}/{name}-{seo}'])
    it(`are all done, and nothing is written anywhere else or over anything (names: ${naming})`, async () => {
      await worldFor({ recipe: { naming } })
      for (const name of HOSTILE_FILES) await world.add(name)
      // Hidden names are nobody's pictures.
      for (const name of ['...jpg', '..jpg', '.hangar-01ARZ3NDEKTSV4RRFFQ69G5FAV.part.jpg'])
        world.addForeign(name, name)
      await world.add('deep/er/../er/ x /\u202e/photo.jpg')
      const { engine } = await world.open()
      await world.run(engine)
      expect(world.reasons()).toEqual(['done'])
      expect(await world.violations(true)).toEqual([])
      // Looking again finds nothing new: no result is taken for a picture, whatever it is called.
      expect(await world.look(engine)).toBe(true)
      await world.rest()
      expect(await world.violations(true)).toEqual([])
    })

  it('keep their tree in an output folder, inside it', async () => {
    await worldFor({ recipe: { operation: 'optimize' } })
    const dir = join(world.base, 'results')
    world.folders.push(dir)
    for (const name of HOSTILE_FILES.slice(0, 16)) await world.add(join('a b', '-c', name))
    const { engine } = await world.open()
    const recipe = { ...world.recipe, output: { kind: 'folder', dir } } as const
    await engine.call('intake.add', { ...world.everything, recipe })
    await world.rest()
    expect(world.reasons()).toEqual(['done'])
    expect(await world.violations(true)).toEqual([])
    expect(readdirSync(world.pictures).sort()).toEqual(['a b', 'notes.txt'])
  })
})

const OF_SERVICE = ['seo', '{seo}/{lang}/{seo}']
it.each(OF_SERVICE)(
  'names that the service suggests never lead out, hide, or take the place of another file: %s',
  async (naming) => {
    await worldFor({ recipe: { naming } })
    // What some of the suggestions would become if they were believed.
    for (const name of ['notes-optimized.jpg', 'notes.webp', 'escaped-optimized.jpg', 'passwd.webp', 'OPTIMIZED.webp'])
      world.addForeign(name, 'not a picture, and not Hangar’s')
    const { engine } = await world.open()
    for (const seoFilename of HOSTILE_SUGGESTIONS) {
      await world.practice.control({ type: 'set-texts', texts: { seoFilename, seoAltText: seoFilename } })
      await engine.call('intake.add', { ...world.everything, paths: [await world.add()] })
      await world.rest()
    }
    expect(world.reasons().filter((reason) => reason !== 'failed not_an_image')).toEqual(['done'])
    expect(world.counts()['done']).toBe(world.originals.size)
    expect(await world.violations(true)).toEqual([])
    for (const name of readdirSync(world.pictures, { recursive: true, encoding: 'utf8' }).map((path) =>
      basename(path),
    )) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
      expect(name).not.toMatch(/^[.~-]|[\p{Cc}\u202e]|[. ]$/u)
    }
  },
)

it('links lead nowhere: neither a linked picture nor a linked folder is read, and no result goes through one', async () => {
  await worldFor()
  const outside = join(world.base, 'outside')
  writeFileSync(join(outside, 'private.jpg'), await pictureNumber(900))
  mkdirSync(join(outside, 'results'))
  world.surround()
  const leadingOut = {
    'linked.jpg': '../outside/private.jpg',
    'linked-folder': '../outside',
    'device.jpg': '/dev/zero',
    'loop.jpg': 'loop.jpg',
    // The names of results to come lead out of the folder.
    'photo.webp': '../outside/results/new.webp',
    'photo-optimized.jpg': '../outside/kept.txt',
    'photo.jpg.alt.json': '../outside/results/new.json',
  }
  for (const [name, to] of Object.entries(leadingOut)) {
    const path = join(world.pictures, name)
    symlinkSync(to, path)
    world.foreign.set(path, recordEntry(path)!)
  }
  await world.add('photo.jpg')
  const { engine } = await world.open()
  await world.run(engine)
  expect(world.reasons()).toEqual(['done'])
  expect(world.practice.ledger().charges.map(({ filename }) => filename)).toEqual(['photo.jpg'])
  expect(await world.violations(true)).toEqual([])
})
