import { parseXml, type XmlElement } from './parse-xml.ts'
import { textOfBytes } from './text-of-bytes.ts'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const XML = 'http://www.w3.org/XML/1998/namespace'
export const DC = 'http://purl.org/dc/elements/1.1/'
export const XMP_RIGHTS = 'http://ns.adobe.com/xap/1.0/rights/'
export const PHOTOSHOP = 'http://ns.adobe.com/photoshop/1.0/'
export const IPTC_CORE = 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/'
export const IPTC_EXT = 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/'
export const PLUS = 'http://ns.useplus.org/ldf/xmp/1.0/'
export const TIFF = 'http://ns.adobe.com/tiff/1.0/'
export const XMP = 'http://ns.adobe.com/xap/1.0/'
export const GPANO = 'http://ns.google.com/photos/1.0/panorama/'
export const EXIF = 'http://ns.adobe.com/exif/1.0/'
export const CC = 'http://creativecommons.org/ns#'

/** The usual prefixes; other namespaces keep theirs. */
const PREFIXES = new Map([
  [DC, 'dc'],
  [XMP_RIGHTS, 'xmpRights'],
  [PHOTOSHOP, 'photoshop'],
  [IPTC_CORE, 'Iptc4xmpCore'],
  [IPTC_EXT, 'Iptc4xmpExt'],
  [PLUS, 'plus'],
  [TIFF, 'tiff'],
  [XMP, 'xmp'],
  ['http://ns.adobe.com/xap/1.0/mm/', 'xmpMM'],
  [EXIF, 'exif'],
  ['http://cipa.jp/exif/1.0/', 'exifEX'],
  ['http://ns.adobe.com/exif/1.0/aux/', 'aux'],
  ['http://ns.adobe.com/camera-raw-settings/1.0/', 'crs'],
  [GPANO, 'GPano'],
  [CC, 'cc'],
])

/** Longer packets contain depth maps or editing histories. */
export const MAX_PACKET_BYTES = 262_144

/** A packet with more is of that kind too. */
const MAX_PROPERTIES = 2000

/** A value: a text, a link, a list, or a structure. */
export type XmpValue =
  | { kind: 'text'; text: string; language: string | null }
  | { kind: 'link'; uri: string }
  | { kind: 'Alt' | 'Bag' | 'Seq'; items: XmpValue[] }
  | { kind: 'structure'; fields: XmpProperty[] }

export interface XmpProperty {
  namespace: string
  name: string
  value: XmpValue
}

/** All properties of a packet, in order; null if it cannot be parsed completely. Never throws. */
export function parseXmp(packet: Buffer): XmpProperty[] | null {
  if (packet.length > MAX_PACKET_BYTES) return null
  const root = parseXml(decoded(packet))
  if (root === null) return null
  let properties: XmpProperty[] = []
  for (const rdf of named(root, 'RDF'))
    for (const description of rdf.children) {
      if (!isRdf(description, 'Description')) return null
      properties = properties.concat(fieldsOf(description))
      if (properties.length > MAX_PROPERTIES) return null
    }
  return properties
}

/** UTF-8 or UTF-16, without the byte order mark. */
function decoded(packet: Buffer): string {
  const [first, second] = packet
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  const text = isBig
    ? Buffer.from(packet.subarray(0, packet.length & ~1))
        .swap16()
        .toString('utf16le')
    : isLittle
      ? packet.toString('utf16le')
      : textOfBytes(packet)
  return text.replace(/^\uFEFF/, '').replace(/\0+$/, '')
}

function named(root: XmlElement, local: string): XmlElement[] {
  return isRdf(root, local) ? [root] : root.children.flatMap((child) => named(child, local))
}

function isRdf({ uri, local }: XmlElement, name: string): boolean {
  return uri === RDF && local === name
}

function fieldsOf(element: XmlElement): XmpProperty[] {
  const own = element.attributes.filter(({ uri }) => uri !== RDF && uri !== XML && uri !== '')
  return [
    ...own.map(({ uri, local, value }): XmpProperty => ({
      namespace: uri,
      name: local,
      value: { kind: 'text', text: value, language: null },
    })),
    ...element.children
      .filter(({ uri }) => uri !== RDF)
      .map((child) => ({ namespace: child.uri, name: child.local, value: valueOf(child) })),
  ]
}

function valueOf(element: XmlElement): XmpValue {
  const link = element.attributes.find(({ uri, local }) => uri === RDF && local === 'resource')
  if (link !== undefined) return { kind: 'link', uri: link.value }
  for (const child of element.children) {
    if (child.uri !== RDF) continue
    const kind = child.local
    if (kind === 'Alt' || kind === 'Bag' || kind === 'Seq') return { kind, items: child.children.map(valueOf) }
    if (kind === 'Description') return structureOf(child)
    if (kind === 'value') return valueOf(child)
  }
  const structure = structureOf(element)
  if (structure.kind === 'structure' && structure.fields.length > 0) return structure
  const language = element.attributes.find(({ uri, local }) => uri === XML && local === 'lang')?.value ?? null
  return { kind: 'text', text: element.text, language }
}

/** A value with qualifiers has the form of a structure too; only the value is used. */
function structureOf(element: XmlElement): XmpValue {
  const value = element.children.find((child) => isRdf(child, 'value'))
  return value === undefined ? { kind: 'structure', fields: fieldsOf(element) } : valueOf(value)
}

/** Every text and link in a value. */
export function textsOf(value: XmpValue): string[] {
  switch (value.kind) {
    case 'text':
      return [value.text]
    case 'link':
      return [value.uri]
    case 'structure':
      return value.fields.flatMap((field) => textsOf(field.value))
    default:
      return value.items.flatMap(textsOf)
  }
}

/** By namespace. */
export type Prefixes = ReadonlyMap<string, string>

const DECLARATION = /\sxmlns:([A-Za-z_][\w.-]{0,63})\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Those that packets declare; the first of each namespace. Programs that do not know a vocabulary show its fields by the prefix. */
export function prefixesIn(packets: readonly Buffer[]): Prefixes {
  const found = new Map<string, string>()
  for (const packet of packets.filter(({ length }) => length <= MAX_PACKET_BYTES))
    for (const [, prefix = '', quoted, single = ''] of decoded(packet).matchAll(DECLARATION)) {
      const namespace = quoted ?? single
      if (!found.has(namespace)) found.set(namespace, prefix)
    }
  return found
}

const TAKEN = new Set(['rdf', 'x', ...PREFIXES.values()])
const isFree = (prefix: string): boolean => !TAKEN.has(prefix) && !/^xml/i.test(prefix)

/** `earlier`: prefixes of vocabularies without a usual one. Where two have the same, the second gets a numbered one. */
export function writeXmp(properties: readonly XmpProperty[], earlier: Prefixes = new Map()): Buffer {
  const prefixes = new Map<string, string>()
  const used = new Set<string>()
  const numbered = (): string => {
    let number = prefixes.size + 1
    while (used.has(`ns${number}`)) number += 1
    return `ns${number}`
  }
  const prefixOf = (namespace: string): string => {
    const known = prefixes.get(namespace)
    if (known !== undefined) return known
    const wanted = earlier.get(namespace) ?? ''
    const own = isFree(wanted) && wanted !== '' && !used.has(wanted) ? wanted : numbered()
    const prefix = PREFIXES.get(namespace) ?? own
    prefixes.set(namespace, prefix)
    used.add(prefix)
    return prefix
  }
  const body = properties.map((property) => written(property, prefixOf)).join('')
  const declared = [...prefixes].map(([uri, prefix]) => ` xmlns:${prefix}="${escaped(uri)}"`).join('')
  return Buffer.from(
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>` +
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}">` +
      `<rdf:Description rdf:about=""${declared}>${body}</rdf:Description>` +
      `</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  )
}

function written({ namespace, name, value }: XmpProperty, prefixOf: (namespace: string) => string): string {
  const tag = `${prefixOf(namespace)}:${name}`
  return element(tag, value, prefixOf)
}

function element(tag: string, value: XmpValue, prefixOf: (namespace: string) => string): string {
  switch (value.kind) {
    case 'text': {
      const language = value.language === null ? '' : ` xml:lang="${escaped(value.language)}"`
      return `<${tag}${language}>${escaped(value.text)}</${tag}>`
    }
    case 'link':
      return `<${tag} rdf:resource="${escaped(value.uri)}"/>`
    case 'structure': {
      const fields = value.fields.map((field) => written(field, prefixOf)).join('')
      return `<${tag} rdf:parseType="Resource">${fields}</${tag}>`
    }
    default: {
      const items = value.items.map((item) => element('rdf:li', item, prefixOf)).join('')
      return `<${tag}><rdf:${value.kind}>${items}</rdf:${value.kind}></${tag}>`
    }
  }
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Leaves out characters that XML 1.0 does not allow. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex -- those are the ones
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (sign) => ESCAPES[sign]!)
  )
}
