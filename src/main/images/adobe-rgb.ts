import type { Metadata } from 'sharp'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { orNull, withoutExifPrefix } from './metadata/container.ts'
import { declaresAdobeRgb } from './metadata/fit-exif.ts'
import { withProfile } from './put-back.ts'

/** Made of the primaries, white and curve of the Adobe RGB (1998) Color Image Encoding, 4.3.1; without copyright. */
const PROFILE = Buffer.from(
  'AAACUAAAAAAEQAAAbW50clJHQiBYWVogB9AAAQABAAAAAAAAYWNzcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPbWAAEAAAAA0y0AAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAKZGVzYwAAAPwAAABcY3BydAAAAVgAAABMd3RwdAAAAaQAAAAU' +
    'Y2hhZAAAAbgAAAAsclhZWgAAAeQAAAAUclRSQwAAAfgAAAAQZ1hZWgAAAggAAAAUZ1RSQwAAAhwAAAAQYlhZWgAAAiwAAAAUYlRSQwAAAkAAAAAQ' +
    'bWx1YwAAAAAAAAABAAAADGVuVVMAAABAAAAAHABDAG8AbQBwAGEAdABpAGIAbABlACAAdwBpAHQAaAAgAEEAZABvAGIAZQAgAFIARwBCACAAKAAx' +
    'ADkAOQA4ACltbHVjAAAAAAAAAAEAAAAMZW5VUwAAADAAAAAcAE4AbwAgAGMAbwBwAHkAcgBpAGcAaAB0ACwAIAB1AHMAZQAgAGYAcgBlAGUAbAB5' +
    'WFlaIAAAAAAAAPbWAAEAAAAA0y1zZjMyAAAAAAABDEIAAAXe///zJQAAB5MAAP2Q///7of///aIAAAPcAADAblhZWiAAAAAAAACcGAAAT6UAAAT8' +
    'cGFyYQAAAAAAAAAAAAIzAFhZWiAAAAAAAAA0jQAAoCwAAA+VcGFyYQAAAAAAAAAAAAIzAFhZWiAAAAAAAAAmMQAAEC8AAL6bcGFyYQAAAAAAAAAA' +
    'AAIzAA==',
  'base64',
)

interface Opened {
  type: ImageType
  metadata: Metadata
}

/** Whether only the EXIF of a picture says that its colours are those of Adobe RGB, as cameras do (DCF 2.0, "optional colour space"). */
export function isAdobeRgb({ type, metadata: { icc, exif, space } }: Opened): boolean {
  if (type !== 'jpeg' || icc !== undefined || exif === undefined || space !== 'srgb') return false
  return declaresAdobeRgb(withoutExifPrefix(exif))
}

/** Such a picture with a profile, which stays where EXIF is dropped and which more programs know; null for any other one. */
export function withAdobeRgb(bytes: Buffer, opened: Opened): Buffer | null {
  return isAdobeRgb(opened) ? orNull(() => withProfile(bytes, opened.type, PROFILE)) : null
}
