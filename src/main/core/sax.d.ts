/** The part of `sax` (1.6, no types of its own) that is used, with namespaces. */
declare module 'sax' {
  export interface QualifiedName {
    name: string
    prefix: string
    local: string
    uri: string
  }
  export interface QualifiedAttribute extends QualifiedName {
    value: string
  }
  export interface QualifiedTag extends QualifiedName {
    attributes: Record<string, QualifiedAttribute>
  }
  export interface SaxParser {
    onerror: (error: Error) => void
    ontext: (text: string) => void
    oncdata: (text: string) => void
    ondoctype: () => void
    onopennamespace: () => void
    onopentag: (tag: QualifiedTag) => void
    onclosetag: () => void
    /** Those that were read of an element that is still open in itself. */
    attribList: readonly unknown[]
    /** Position of the last `<`, counted from 1. */
    startTagPosition: number
    /** How many characters were read. */
    position: number
    write(text: string): SaxParser
    close(): SaxParser
  }
  export function parser(strict: boolean, options: { xmlns: true }): SaxParser
  const sax: { parser: typeof parser }
  export default sax
}
