/** Windows-1252 between 0x80 and 0x9f; elsewhere it is Latin-1. Its five gaps are left as they are. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** A character of UTF-8 that takes several bytes, as Latin-1, or any other byte beyond ASCII. */
const BEYOND_ASCII =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|[\x80-\xff]/g

/** UTF-8 where it is valid, otherwise `charset` or Windows-1252, which most programs wrote that knew nothing else. */
export function textOfBytes(bytes: Buffer, charset: string | null = null): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\ufffd')) return text
  if (charset !== null) return new TextDecoder(charset).decode(bytes)
  return bytes
    .toString('latin1')
    .replace(BEYOND_ASCII, (sign) =>
      sign.length > 1
        ? Buffer.from(sign, 'latin1').toString('utf8')
        : (WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? sign),
    )
}
