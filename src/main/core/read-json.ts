import { decodeText } from './decode-text.ts'

/** The value, or undefined for what is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON in UTF-8, or in UTF-16, which PowerShell writes; or what is wrong, as a sentence. */
export function readJson(bytes: Uint8Array): { value: unknown } | { wrong: string } {
  let text: string
  try {
    text = decodeText(bytes)
  } catch {
    return { wrong: 'This is neither UTF-8 nor UTF-16 text.' }
  }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { wrong: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
