/** Of [MS-SHLLINK] 2.1: the class of shell links. */
const CLASS = Buffer.from('0114020000000000c000000000000046', 'hex')
const HEADER_BYTES = 0x4c
/** LinkFlags: HasName, HasArguments, IsUnicode, HasExpString. */
const [HAS_NAME, HAS_ARGUMENTS, IS_UNICODE, HAS_TARGET] = [0x04, 0x20, 0x80, 0x200] as const
const SHOW_NORMAL = 1
/** EnvironmentVariableDataBlock (2.5.4): the target, once as ANSI and once as UTF-16, each in a field of 260 characters. */
const [TARGET_BYTES, TARGET_SIGNATURE, TARGET_CHARS] = [0x314, 0xa0000001, 260] as const

/**
 * A shortcut (.lnk) to the program `command[0]` with the rest as arguments. Explorer puts the selected files after them. Throws
 * when the path is longer than a shortcut can name. Never tried in Explorer.
 */
export function shortcut([program = '', ...args]: readonly string[]): Buffer {
  if (program.length >= TARGET_CHARS) throw new RangeError('the path of the program is too long for a shortcut')
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(HEADER_BYTES, 0)
  CLASS.copy(header, 4)
  header.writeUInt32LE(HAS_NAME | IS_UNICODE | HAS_TARGET | (args.length > 0 ? HAS_ARGUMENTS : 0), 20)
  header.writeUInt32LE(SHOW_NORMAL, 60)
  const target = Buffer.alloc(TARGET_BYTES)
  target.writeUInt32LE(TARGET_BYTES, 0)
  target.writeUInt32LE(TARGET_SIGNATURE, 4)
  target.write(program, 8, 'latin1')
  target.write(program, 8 + TARGET_CHARS, 'utf16le')
  const strings = [stringData('Hangar'), ...(args.length > 0 ? [stringData(args.map(argument).join(' '))] : [])]
  return Buffer.concat([header, ...strings, target, Buffer.alloc(4)])
}

/** StringData (2.4): the count of characters, then the characters. */
function stringData(text: string): Buffer {
  const bytes = Buffer.alloc(2 + text.length * 2)
  bytes.writeUInt16LE(text.length, 0)
  bytes.write(text, 2, 'utf16le')
  return bytes
}

/** As programs of Windows split their command line: backslashes count only before a quotation mark, which no path has. */
const argument = (text: string): string => `"${text.replace(/\\+$/, '$&$&')}"`
