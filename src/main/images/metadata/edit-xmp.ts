import sax from 'sax'
import { MalformedImage } from './container.ts'
import { findProperty } from './gather.ts'
import { decoded, parseXmp, prefixesIn, RDF, writeXmp, type XmpProperty } from './xmp.ts'

/**
 * The packet with one property replaced and everything else unchanged, character for character; null if nothing is left in it.
 * `value` null removes the property. Throws `MalformedImage` for a packet that cannot be parsed completely.
 */
export function withProperty(
  packet: Buffer | null,
  name: Pick<XmpProperty, 'namespace' | 'name'>,
  value: XmpProperty['value'] | null,
): Buffer | null {
  const property = value === null ? null : { ...name, value }
  const before = packet === null ? [] : parseXmp(packet)
  if (before === null) throw new MalformedImage('XMP that cannot be read')
  const others = before.filter((other) => other.namespace !== name.namespace || other.name !== name.name)
  if (property === null && others.length === before.length) return packet
  if (others.length === 0) return property === null ? null : writeXmp([property])
  const edited = edit(decoded(packet!), name, property)
  const after = edited === null ? null : parseXmp(edited)
  // A packet in an unusual form is written from scratch with the same properties.
  const isRight =
    after !== null &&
    after.length === others.length + (property === null ? 0 : 1) &&
    JSON.stringify(findProperty(after, name)?.value) === JSON.stringify(property?.value)
  return isRight ? edited : writeXmp(property === null ? others : [...others, property], prefixesIn([packet!]))
}

/** Merges several packets into one with all their properties, each name once. Throws as `withProperty`. */
export function mergePackets(packets: readonly Buffer[]): Buffer {
  const properties: XmpProperty[] = []
  for (const packet of packets) {
    const read = parseXmp(packet)
    if (read === null) throw new MalformedImage('XMP that cannot be read')
    for (const property of read) if (findProperty(properties, property) === undefined) properties.push(property)
  }
  return writeXmp(properties, prefixesIn(packets))
}

interface Open {
  uri: string
  local: string
  start: number
  /** The number of its elements and attributes that are properties. */
  properties: number
}

interface Range {
  from: number
  to: number
}

/** Null when the packet has no `rdf:RDF` with an end tag of its own, or is not well-formed. */
function edit(
  source: string,
  name: Pick<XmpProperty, 'namespace' | 'name'>,
  property: XmpProperty | null,
): Buffer | null {
  const gone: Range[] = []
  let insertAt: number | null = null
  let about = ''
  const open: Open[] = []
  const parser = sax.parser(true, { xmlns: true })
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ uri, local, attributes }) => {
    const own = Object.values(attributes).filter((attribute) => attribute.uri !== RDF && !isDeclaration(attribute))
    const parent = open.at(-1)
    if (parent !== undefined && uri !== RDF) parent.properties += 1
    if (local === 'Description' && uri === RDF)
      about ||=
        Object.values(attributes).find((attribute) => attribute.uri === RDF && attribute.local === 'about')?.value ?? ''
    open.push({ uri, local, start: parser.startTagPosition - 1, properties: own.length })
  }
  parser.onclosetag = () => {
    const element = open.pop()
    const parent = open.at(-1)
    if (element === undefined) return
    const isProperty = element.uri === name.namespace && element.local === name.name
    if (isProperty && parent?.uri === RDF && parent.local === 'Description') {
      gone.push({ from: element.start, to: parser.position })
      parent.properties -= 1
    }
    if (element.uri !== RDF) return
    if (element.local === 'Description' && element.properties === 0) {
      const isEmptied = gone.some(({ from }) => from > element.start)
      if (isEmptied) gone.push({ from: element.start, to: parser.position })
    }
    if (element.local === 'RDF' && parser.startTagPosition - 1 > element.start) insertAt = parser.startTagPosition - 1
  }
  try {
    parser.write(source).close()
  } catch {
    return null
  }
  if (insertAt === null) return null
  const added = property === null ? '' : descriptionOf(property, about)
  return Buffer.from(withoutRanges(source.slice(0, insertAt), gone) + added + source.slice(insertAt))
}

function isDeclaration({ prefix, name }: { prefix: string; name: string }): boolean {
  return prefix === 'xmlns' || name === 'xmlns' || prefix === 'xml'
}

/** The element as `writeXmp` writes it, with the subject of the others and all its prefixes declared. */
function descriptionOf(property: XmpProperty, about: string): string {
  const alone = writeXmp([property]).toString()
  const start = alone.indexOf('<rdf:Description')
  const element = alone.slice(start, alone.indexOf('</rdf:RDF>'))
  const subject = about.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
  return element.replace(
    '<rdf:Description rdf:about=""',
    () => `<rdf:Description xmlns:rdf="${RDF}" rdf:about="${subject}"`,
  )
}

/** Ranges may be nested. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  let kept = ''
  let at = 0
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from > at) kept += text.slice(at, from)
    at = Math.max(at, to)
  }
  return kept + text.slice(at)
}
