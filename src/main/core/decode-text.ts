/**
 * The text of a file in UTF-8, UTF-16 or Windows-1252, without its byte order mark. Throws an `Error` that says what is wrong for one
 * in none of them.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  // Spreadsheets that write UTF-16 without its mark begin with a letter of the header.
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const text = new TextDecoder().decode(bytes)
  const [broken, whole] = [/\ufffd/g, /[^\0-\x7f\ufffd]/g].map((kind) => text.match(kind)?.length ?? 0)
  if (broken === 0) return text
  // Letters of Windows-1252 hardly ever make a character of UTF-8 by chance.
  if (whole! > 0) throw new Error('neither UTF-8 nor Windows-1252')
  return new TextDecoder('windows-1252').decode(bytes)
}

/** The text of an XML document, in the encoding that its declaration names (XML 1.0, section 4.3.3). Throws as `decodeText` does. */
export function decodeXml(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const [, declared = 'utf-8'] = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(start) ?? []
  return /^utf-?(8|16)/i.test(declared) ? decodeText(bytes) : new TextDecoder(declared, { fatal: true }).decode(bytes)
}
