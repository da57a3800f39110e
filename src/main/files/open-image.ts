import sharp from 'sharp'
import type { Metadata, SharpOptions } from 'sharp'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { OutputType } from '../../shared/recipe.ts'
import { findImageEnd } from './image-end.ts'
import type { ImageFailure, PixelLimits } from './image-messages.ts'
import { sniffImageType } from './image-type.ts'

/** `animated: true` would make all frames one tall picture: right for decoding and for animations, wrong otherwise. */
export function inputOptions(limits: PixelLimits, frames: number): SharpOptions {
  return { failOn: 'error', limitInputPixels: limits.totalPixels, pages: frames > 1 ? -1 : 1, sequentialRead: true }
}

export type Opened = { ok: true; type: OutputType; metadata: Metadata; frames: number } | ImageFailure

/** Reads the headers only, so that a bomb is refused before a pixel of it is made. */
export async function openImage(bytes: Buffer, limits: PixelLimits): Promise<Opened> {
  const type = sniffImageType(bytes)
  if (type === null) return fail('not_an_image', ownSentence('bytes_unknown'))
  let metadata: Metadata
  try {
    metadata = await sharp(bytes, {
      failOn: 'none',
      limitInputPixels: false,
      pages: type === 'avif' ? 1 : -1,
    }).metadata()
  } catch (error) {
    const cutOff = findImageEnd(bytes, type) === null
    return fail(cutOff ? 'cut_off' : 'not_an_image', ownSentence('header_unreadable', { why: shortMessage(error) }))
  }
  if (metadata.format !== (type === 'avif' ? 'heif' : type))
    return fail('not_an_image', ownSentence('bytes_contradict'))
  const frames = metadata.pages ?? 1
  const framePixels = metadata.width * (metadata.pageHeight ?? metadata.height)
  if (framePixels > limits.framePixels)
    return fail('too_many_pixels', ownSentence('over_pixel_limit', { pixels: framePixels, limit: limits.framePixels }))
  if (framePixels * frames > limits.totalPixels) {
    return fail(
      'too_many_pixels',
      ownSentence('over_frame_limit', { pixels: framePixels * frames, frames, limit: limits.totalPixels }),
    )
  }
  return { ok: true, type, metadata, frames }
}

export function fail(reason: ImageFailure['reason'], detail: string): ImageFailure {
  return { ok: false, reason, detail: detail.slice(0, 300) }
}

export function shortMessage(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.trim() ?? ''
}
