import type { Metadata } from 'sharp'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { matrixProfile, type Chromaticities } from './icc-profile.ts'
import { orNull, withoutExifPrefix } from './metadata/container.ts'
import { declaresAdobeRgb } from './metadata/fit-exif.ts'
import { withProfile } from './put-back.ts'

/** Adobe RGB (1998) Color Image Encoding, 4.3.1: primaries, white and curve. */
const PRIMARIES: Chromaticities = {
  white: [31270, 32900],
  red: [64000, 33000],
  green: [21000, 71000],
  blue: [15000, 6000],
}
const EXPONENT = 563 / 256

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
  if (!isAdobeRgb(opened)) return null
  return orNull(() =>
    withProfile(bytes, opened.type, matrixProfile(PRIMARIES, EXPONENT, 'Compatible with Adobe RGB (1998)')),
  )
}
