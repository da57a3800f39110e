import sax from 'sax'

/** An element with its text, all of it put together. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const REFERENCES = /&#(\d+);/g

/** The root of a document in XML 1.0. Whatever is not well-formed throws; so do comments, CDATA and document types, which no data may bring in. */
export function parseStrictXml(source: string): XmlElement {
  const characters = source.replace(REFERENCES, (_, code: string) => String.fromCodePoint(Number(code)))
  if (!characters.isWellFormed() || !CHARACTERS.test(characters) || source.includes('<!'))
    throw new Error('not the XML 1.0 of a file of this project')
  if (!source.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')) throw new Error('no declaration')
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [document]
  const parser = sax.parser(true, { xmlns: true })
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value])
    const element = { name, attributes: Object.fromEntries(values) as Record<string, string>, children: [], text: '' }
    open.at(-1)!.children.push(element)
    open.push(element)
  }
  parser.ontext = (text) => {
    open.at(-1)!.text += text
  }
  parser.onclosetag = () => open.pop()
  parser.write(source.replace(/\r\n?/g, '\n')).close()
  return document.children[0]!
}

/** All elements of this name, in their order. */
export function elementsNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsNamed(child, name)])
}
