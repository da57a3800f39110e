/** JSON in UTF-8, with or without a mark, or in UTF-16 with one, which PowerShell writes; or what is wrong, as a sentence. */
export function readJson(bytes: Uint8Array): { value: unknown } | { wrong: string } {
  let text: string
  try {
    text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch {
    return { wrong: 'This is neither UTF-8 nor UTF-16 text.' }
  }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { wrong: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
