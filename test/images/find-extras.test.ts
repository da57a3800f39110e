import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findExtras } from '../../src/main/images/find-extras.ts'
import { findImageEnd } from '../../src/main/images/metadata/gather.ts'
import type { OutputType } from '../../src/shared/recipes/recipe.ts'
import {
  appleDepth,
  appleGainMap,
  googleDepth,
  liveJpeg,
  microVideo,
  samsungMotion,
  stereoPair,
  ultraHdr,
  withLargePreview,
} from './extra-pictures.ts'
import { noise, withXmp } from './pictures.ts'
import { encoded } from './tasks.ts'
import { tempFolder } from '../files/temp-folder.ts'

const extrasOf = (bytes: Buffer, type: OutputType = 'jpeg') => findExtras(bytes, type, findImageEnd(bytes, type)!)
const plain = () => noise(40, 30).jpeg().toBuffer()

describe('what a file holds beside its picture', () => {
  it.each([
    ['an Ultra HDR file', () => ultraHdr(), ['gain_map']],
    ['a gain map after ISO 21496-1', () => ultraHdr({ iso: true }), ['gain_map']],
    ['Apple’s gain map', appleGainMap, ['gain_map']],
    ['Google’s depth', googleDepth, ['depth']],
    ['Apple’s depth', appleDepth, ['depth']],
    ['a motion photo of Google', () => microVideo(), ['motion']],
    ['a motion photo of Samsung', samsungMotion, ['motion']],
    ['the other eye', stereoPair, ['other_views']],
    ['the picture of a live photo', liveJpeg, ['live_photo']],
    ['a larger preview', withLargePreview, []],
    ['a plain picture', plain, []],
  ] as const)('is named for %s', async (_, make, extras) => {
    expect(extrasOf(await make())).toEqual(extras)
  })

  it('is a video in a box of an AVIF', async () => {
    const video = Buffer.from('\0\0\0\x10mpvdvideo...', 'latin1')
    const avif = await noise(40, 30).avif().toBuffer()
    expect(extrasOf(avif, 'avif')).toEqual([])
    expect(extrasOf(Buffer.concat([avif, video]), 'avif')).toEqual(['motion'])
  })

  it('is nothing in the padding behind a picture, and data of no name in anything else', async () => {
    for (const byte of [0x00, 0xff, 0x20, 0x0a])
      expect(extrasOf(Buffer.concat([await plain(), Buffer.alloc(64, byte)]))).toEqual([])
    expect(extrasOf(Buffer.concat([await plain(), Buffer.from('a text that was appended')]))).toEqual(['other_data'])
    expect(extrasOf(Buffer.concat([await noise(40, 30).png().toBuffer(), Buffer.from('x1')]), 'png')).toEqual([
      'other_data',
    ])
  })

  it('is nothing that a packet tells of and that is gone', async () => {
    const packet = '<x hdrgm:Version="1.0" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" GCamera:MicroVideo="1"/>'
    expect(extrasOf(withXmp(await plain(), packet))).toEqual([])
  })

  it('is found in any file without throwing', async () => {
    for (const make of [ultraHdr, appleDepth, stereoPair, liveJpeg]) {
      const bytes = await make()
      const end = findImageEnd(bytes, 'jpeg')!
      for (let at = 2; at < Math.min(bytes.length, 1200); at += 3) {
        const broken = Buffer.from(bytes)
        broken[at] = 0xff
        expect(Array.isArray(findExtras(broken, 'jpeg', end)), `byte ${at}`).toBe(true)
        expect(Array.isArray(findExtras(bytes.subarray(0, at), 'jpeg', at))).toBe(true)
      }
    }
  })

  it('is not told of by a WebP that has no gain map any more', async () => {
    const path = join(await tempFolder(), 'made.webp')
    for (const metadata of ['keep-without-location', 'keep-all'] as const) {
      writeFileSync(path, (await encoded(await ultraHdr(), { metadata })).bytes)
      const tags = execFileSync('exiftool', ['-s', '-G1', '-a', path], { encoding: 'utf8' })
      expect(tags).toMatch(/FileType\s+: /)
      expect(tags).not.toMatch(/hdrgm|GainMap/)
    }
  })
})
