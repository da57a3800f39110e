import sax, { type QualifiedAttribute } from 'sax'

export interface XmlElement {
  uri: string
  local: string
  attributes: Pick<QualifiedAttribute, 'uri' | 'local' | 'value'>[]
  children: XmlElement[]
  /** Without the text of its children. */
  text: string
}

const MAX_DEPTH = 40
const XMLNS = 'http://www.w3.org/2000/xmlns/'

/** Null if it is not well-formed, has a document type (and so may define entities), or is nested too deeply. Never throws. */
export function parseXml(source: string): XmlElement | null {
  const root: XmlElement = { uri: '', local: '', attributes: [], children: [], text: '' }
  const open = [root]
  const parser = sax.parser(true, { xmlns: true })
  const refuse = (): never => {
    throw new Error('not taken')
  }
  parser.onerror = refuse
  parser.ondoctype = refuse
  parser.onopentag = ({ uri, local, attributes }) => {
    if (open.length > MAX_DEPTH) refuse()
    const element: XmlElement = {
      uri,
      local,
      attributes: Object.values(attributes)
        .filter((attribute) => attribute.uri !== XMLNS && attribute.prefix !== 'xmlns' && attribute.name !== 'xmlns')
        .map((attribute) => ({ uri: attribute.uri, local: attribute.local, value: attribute.value })),
      children: [],
      text: '',
    }
    open.at(-1)!.children.push(element)
    open.push(element)
  }
  parser.onclosetag = () => {
    open.pop()
  }
  parser.ontext = parser.oncdata = (text) => {
    open.at(-1)!.text += text
  }
  try {
    parser.write(source).close()
    return root
  } catch {
    return null
  }
}
