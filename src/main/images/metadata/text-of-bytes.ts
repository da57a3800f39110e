const WINDOWS_1252 = new TextDecoder('windows-1252')

/**
 * A text that does not say how it is coded, or says so wrongly: UTF-8 where it is valid, and otherwise Windows-1252, which most
 * programs wrote that knew nothing else.
 */
export function textOfBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? WINDOWS_1252.decode(bytes) : text
}
