import { expect, it } from 'vitest'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { animatedPng, animation } from './pictures.ts'
import { inspect, SMALL as limits } from './tasks.ts'

it('an animation does not become a still AVIF, nor a smaller copy to be sent', async () => {
  const options = { format: 'avif', quality: 100, metadata: 'strip' } as const
  for (const bytes of [await animation('gif'), await animation('webp')]) {
    expect(await doImageTask({ kind: 'encode', bytes, limits, options })).toMatchObject({ reason: 'encode_failed' })
    expect(await doImageTask({ kind: 'shrink', bytes, maxBytes: 50, limits })).toMatchObject({ reason: 'too_large' })
  }
})

it('the pixels of all frames of an animation are counted', async () => {
  const tight = { framePixels: 1000, totalPixels: 3000 }
  expect(await inspect(await animation('gif', 4), tight)).toMatchObject({ reason: 'too_many_pixels' })
})

it('an animated PNG is refused, and not taken for the still that decoders see in it', async () => {
  const detail = { code: 'animated_type', values: { type: 'PNG' } }
  expect(await inspect(await animatedPng(2))).toEqual({ ok: false, reason: 'unsupported', detail })
  expect(await inspect(await animatedPng(1))).toMatchObject({ ok: true, animated: false, frames: 1 })
})
