import type { AltText, EmbeddedTexts } from '../../../shared/jobs/job.ts'
import type { MetadataPolicy } from '../../../shared/recipes/recipe.ts'
import { mergePackets, withProperty } from './edit-xmp.ts'
import { CONTAINERS, findProperty, gather, readLeniently, type Picture } from './gather.ts'
import { hasCoordinate } from './location-words.ts'
import { locationMatcher, withoutLocation } from './without-location.ts'
import { IPTC_CORE, type XmpValue } from './xmp.ts'

/** IPTC Photo Metadata Standard, "Alt Text (Accessibility)": alternatives by language. */
const ALT_TEXT = { namespace: IPTC_CORE, name: 'AltTextAccessibility' }
const DEFAULT = 'x-default'

/**
 * The original's own alt text, if the recipe keeps it, and the languages in which `texts` must not be written because they reveal
 * a location that the recipe removes: as coordinates, or as a name that the original's location fields contain. Never throws.
 */
export function chooseAltTexts(original: Picture, policy: MetadataPolicy, texts: readonly AltText[]): EmbeddedTexts {
  const { properties, locations } = gather(readLeniently(original))
  const found = findProperty(properties, ALT_TEXT)
  const isLocation = locationMatcher(locations)
  const kept =
    found === undefined || policy === 'strip'
      ? []
      : policy === 'keep-all'
        ? [found]
        : withoutLocation([found], isLocation)
  const telling = texts.filter(({ text }) => hasCoordinate(text) || isLocation(text))
  return {
    own: kept.flatMap(({ value }) => alternatives(value)),
    withheld: policy === 'keep-all' ? [] : telling.map(({ language }) => language),
  }
}

/**
 * The file, of any type that Hangar writes, with its alt texts replaced by these, the default first; an empty list removes them.
 * Coded pixels and all other metadata are unchanged, and a file that has exactly these texts is returned as it is. Throws
 * `MalformedImage` or `RangeError` if its metadata cannot be parsed or has no room.
 */
export function writeAltTexts(file: Picture, texts: readonly AltText[]): Buffer {
  const container = CONTAINERS[file.type]
  const { xmp } = container.read(file.bytes)
  const [first = null] = xmp
  // The other packets of a JPEG are extensions that the first one refers to, and stay.
  const isOne = xmp.length < 2 || (file.type === 'jpeg' && first!.includes('HasExtendedXMP'))
  const packet = isOne ? first : mergePackets(xmp)
  const items = texts.map(({ language, text }): XmpValue => ({ kind: 'text', text, language }))
  const made = withProperty(packet, ALT_TEXT, items.length === 0 ? null : { kind: 'Alt', items })
  if (isOne && (made === first || (made !== null && first?.equals(made) === true))) return file.bytes
  return container.rewrite(file.bytes, { exif: null, xmp: made }, 'xmp')
}

function alternatives(value: XmpValue): AltText[] {
  const items = value.kind === 'Alt' || value.kind === 'Bag' || value.kind === 'Seq' ? value.items : [value]
  return items.flatMap((item) =>
    item.kind === 'text' && item.text.trim() !== '' ? [{ language: item.language ?? DEFAULT, text: item.text }] : [],
  )
}
