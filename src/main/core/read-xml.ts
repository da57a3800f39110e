import sax, { type QualifiedTag } from 'sax'

/** What a parser keeps of each level adds up; no file is nested so deeply. */
const MAX_DEPTH = 100
/** Of one element. The time for them grows with their square. */
const MAX_ATTRIBUTES = 1000
/** Declared in the whole document. Each is looked up at each level. */
const MAX_NAMESPACES = 1000
/** The parser has all attributes of an element before it hands over one, so it is looked at in between. */
const SLICE_CHARS = 16 * 1024

interface XmlHandlers {
  /** `depth`: 1 for the root. */
  open: (tag: QualifiedTag, depth: number) => void
  text: (words: string) => void
  close: () => void
}

/** Reads XML from elsewhere, in linear time. Throws what a handler throws, and an `Error` for what is not well-formed or too much. */
export function readXml(document: string, { open, text, close }: XmlHandlers): void {
  let depth = 0
  let namespaces = 0
  const parser = sax.parser(true, { xmlns: true })
  parser.onerror = (error) => {
    throw new Error(error.message.split('\n')[0])
  }
  parser.ondoctype = () => {
    throw new Error('a document type is not allowed')
  }
  parser.onopennamespace = () => {
    namespaces += 1
    if (namespaces > MAX_NAMESPACES) throw new Error(`more than ${MAX_NAMESPACES} namespaces`)
  }
  parser.onopentag = (tag) => {
    depth += 1
    if (depth > MAX_DEPTH) throw new Error(`more than ${MAX_DEPTH} elements in one another`)
    open(tag, depth)
  }
  parser.onclosetag = () => {
    close()
    depth -= 1
  }
  parser.ontext = parser.oncdata = text
  for (let at = 0; at < document.length; at += SLICE_CHARS) {
    parser.write(document.slice(at, at + SLICE_CHARS))
    if (parser.attribList.length > MAX_ATTRIBUTES)
      throw new Error(`more than ${MAX_ATTRIBUTES} attributes of an element`)
  }
  parser.close()
}
