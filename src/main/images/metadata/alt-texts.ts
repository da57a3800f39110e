import type { AltText, EmbeddedTexts } from '../../../shared/jobs/job.ts'
import type { MetadataPolicy } from '../../../shared/recipes/recipe.ts'
import { MalformedImage } from './container.ts'
import { CONTAINERS, findProperty, gather, readLeniently, type Picture } from './gather.ts'
import { hasCoordinate } from './location-words.ts'
import { locationMatcher, withoutLocation } from './without-location.ts'
import { IPTC_CORE, parseXmp, prefixesIn, writeXmp, type XmpProperty, type XmpValue } from './xmp.ts'

/** IPTC Photo Metadata Standard, "Alt Text (Accessibility)": alternatives by language. */
const ALT_TEXT = { namespace: IPTC_CORE, name: 'AltTextAccessibility' }
const DEFAULT = 'x-default'

/** The original's own alt text, if the recipe keeps it, and the languages whose text reveals a location that it removes. Never throws. */
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
 * The file with its alt texts replaced by these, the default first; none removes them. Coded pixels and all other properties stay. Throws
 * `MalformedImage` or `RangeError` if its metadata cannot be parsed or has no room.
 */
export function writeAltTexts(file: Picture, texts: readonly AltText[]): Buffer {
  const container = CONTAINERS[file.type]
  const { xmp } = container.read(file.bytes)
  // The other packets of a JPEG are extensions that the first one refers to, and stay.
  const packets = file.type === 'jpeg' && xmp[0]?.includes('HasExtendedXMP') === true ? xmp.slice(0, 1) : xmp
  const before = propertiesIn(packets)
  const old = findProperty(before, ALT_TEXT)
  const items = texts.map(({ language, text }): XmpValue => ({ kind: 'text', text, language }))
  const added = items.length === 0 ? [] : [{ ...ALT_TEXT, value: { kind: 'Alt' as const, items } }]
  if (packets.length < 2 && JSON.stringify(old?.value) === JSON.stringify(added[0]?.value)) return file.bytes
  const after = [...before.filter((property) => property !== old), ...added]
  const made = after.length === 0 ? null : writeXmp(after, prefixesIn(packets))
  return container.rewrite(file.bytes, { xmp: made }, 'all')
}

/** Of several packets, each name once. */
function propertiesIn(packets: readonly Buffer[]): XmpProperty[] {
  const properties: XmpProperty[] = []
  for (const packet of packets) {
    const read = parseXmp(packet)
    if (read === null || read.some(({ namespace }) => namespace === ''))
      throw new MalformedImage('XMP that cannot be read')
    for (const property of read) if (findProperty(properties, property) === undefined) properties.push(property)
  }
  return properties
}

function alternatives(value: XmpValue): AltText[] {
  const items = value.kind === 'Alt' || value.kind === 'Bag' || value.kind === 'Seq' ? value.items : [value]
  return items.flatMap((item) =>
    item.kind === 'text' && item.text.trim() !== '' ? [{ language: item.language ?? DEFAULT, text: item.text }] : [],
  )
}
