/** An element with its text, all of it put together. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const NAME = String.raw`[A-Za-z_][A-Za-z0-9_.-]*`
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));/g
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Reads the part of XML 1.0 that files of this project use: a declaration, elements, attributes, text and references. Anything
 * else, and whatever is not well-formed, throws: comments, CDATA and document types too, because no data may bring them in.
 */
export function parseStrictXml(source: string): XmlElement {
  if (!source.isWellFormed() || !CHARACTERS.test(source)) throw new Error('a character that XML 1.0 does not allow')
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!source.startsWith(declaration)) throw new Error('no declaration')
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const [token] of source.slice(declaration.length).matchAll(/<[^<]*?>|[^<]+|</g)) {
    const inner = open.at(-1)!
    if (!token.startsWith('<')) inner.text += textOf(token)
    else if (token.startsWith('</')) {
      if (open.length === 1 || token !== `</${inner.name}>`) throw new Error(`unexpected ${token}`)
      open.pop()
    } else {
      const element = startOf(token)
      inner.children.push(element)
      open.push(element)
    }
  }
  const [only, ...others] = root.children
  if (open.length > 1 || only === undefined || others.length > 0 || root.text.trim() !== '')
    throw new Error('not one root')
  return only
}

function startOf(token: string): XmlElement {
  const parts = new RegExp(`^<(${NAME})((?: ${NAME}="[^"<]*")*)>$`).exec(token)
  if (parts === null) throw new Error(`not a start of an element: ${token}`)
  const attributes: Record<string, string> = {}
  for (const [, name, value] of parts[2]!.matchAll(new RegExp(` (${NAME})="([^"<]*)"`, 'g'))) {
    if (Object.hasOwn(attributes, name!)) throw new Error(`${name} twice`)
    attributes[name!] = textOf(value!)
  }
  return { name: parts[1]!, attributes, children: [], text: '' }
}

/** Line ends as a reader of XML makes them, references as what they stand for. */
function textOf(source: string): string {
  if (source.replace(REFERENCE, '').includes('&') || source.includes(']]>')) throw new Error(`not text: ${source}`)
  const text = source.replace(/\r\n?/g, '\n').replace(REFERENCE, (_, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name]!
    return String.fromCodePoint(decimal === undefined ? parseInt(hex!, 16) : Number(decimal))
  })
  if (!CHARACTERS.test(text)) throw new Error('a reference to a character that XML 1.0 does not allow')
  return text
}

/** All elements of this name, in their order. */
export function elementsNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsNamed(child, name)])
}
