import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'

/** Single-byte code pages with the languages that programs write in them. English fits into each. */
const CODE_PAGES = Object.entries({
  'windows-1252': 'af ca da de en es eu fi fo fr ga gl id is it ms nb nl nn no pt sv sw',
  'windows-1250': 'bs cs de en hr hu pl ro sk sl sq',
  'windows-1251': 'be bg en mk ru uk',
  'windows-1253': 'el en',
  'windows-1254': 'en tr',
  'windows-1257': 'en et lt lv',
}).map(([page, languages]) => [page, languages.split(' ')] as const)

/** Shows a wrongly guessed code page: a sign inside a word, a control, or a letter where another code page has an umlaut or accent. */
const MISREAD = /\p{L}[^\p{L}\p{M}\0-\x7f\u00a0\u00ad·’‘…]\p{L}|[\x80-\x9f]/u
const MISREAD_1252 = /[ŠšŽžƒŸ]/

/**
 * The text of a file from elsewhere: in the encoding of its byte order mark or XML declaration, in UTF-16 where it looks so, in UTF-8, or in
 * the code page that all its languages are written in. Throws `bad_request` where that is not certain, an `Error` where it does not fit.
 */
export function decodeText(bytes: Uint8Array, languages: () => readonly string[] = () => []): string {
  const start = latin1(bytes.subarray(0, 200))
  // Spreadsheets that write UTF-16 without its mark begin with a letter of the header.
  if (/^(?:\xff\xfe|.\0)/s.test(start)) return strict('utf-16le', bytes)
  if (/^(?:\xfe\xff|\0)/.test(start)) return strict('utf-16be', bytes)
  if (start.startsWith('\xef\xbb\xbf')) return strict('utf-8', bytes)
  const declared = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(start)?.[1]
  if (declared !== undefined && !/^utf-?(8|16)/i.test(declared)) return strict(declared, bytes)
  try {
    return strict('utf-8', bytes)
  } catch (error) {
    const text = inCodePage(bytes, languages())
    if (text === null) throw new AppError('bad_request', say('encoding_uncertain'), { cause: error })
    return text
  }
}

function inCodePage(bytes: Uint8Array, languages: readonly string[]): string | null {
  const [page] = CODE_PAGES.find(([, known]) => languages.every((code) => known.includes(code))) ?? []
  if (page === undefined || languages.length === 0) return null
  // A few letters of UTF-8 among what is broken: nothing else makes so many characters of it by chance.
  if (/[\u0080-\ufffc]/.test(new TextDecoder().decode(bytes))) return null
  const text = strict(page, bytes)
  return MISREAD.test(text) || (page === 'windows-1252' && MISREAD_1252.test(text)) ? null : text
}

const strict = (encoding: string, bytes: Uint8Array) => new TextDecoder(encoding, { fatal: true }).decode(bytes)

/** Each byte as one character: enough for what is in ASCII in most encodings. */
export const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
