import type { ImageType } from '../../shared/recipes/recipe.ts'
import { MalformedImage } from './metadata/container.ts'
import { orientationOnly } from './metadata/exif.ts'
import { exifTurned } from './metadata/fit-exif.ts'
import { CONTAINERS, readLeniently } from './metadata/gather.ts'

/** What a file is given back that its service dropped. The coded pixels stay byte for byte. Both throw `MalformedImage`. */

/** A JPEG or PNG with this EXIF orientation, and the rest of its EXIF as it was. */
export function withOrientation(bytes: Buffer, type: ImageType, orientation: number): Buffer {
  if (type !== 'jpeg' && type !== 'png') throw new MalformedImage('a type without orientation')
  const { exif } = CONTAINERS[type].read(bytes)
  const turned = (exif && exifTurned(exif, orientation)) ?? orientationOnly(orientation)
  return CONTAINERS[type].rewrite(bytes, { exif: turned }, 'all')
}

/** A JPEG, PNG or WebP with this colour profile in place of its own. */
export function withProfile(bytes: Buffer, type: ImageType, profile: Buffer): Buffer {
  if (type !== 'jpeg' && type !== 'png' && type !== 'webp') throw new MalformedImage('a type without profiles')
  return CONTAINERS[type].rewrite(bytes, { profile }, 'all')
}

/** With EXIF that says upright: browsers show a WebP as its pixels are, and the library would turn it. */
export function uprightWebp(bytes: Buffer): Buffer {
  const { exif } = readLeniently({ bytes, type: 'webp' })
  const upright = exif === null ? null : exifTurned(exif, 1)
  if (upright === null || upright.equals(exif!)) return bytes
  return CONTAINERS.webp.rewrite(bytes, { exif: upright }, 'all')
}
