import i18next from 'i18next'
import type { ReasonTexts } from '../../shared/sentences/reason-sentences.ts'
import type { Texts } from './text-types.ts'
import type { Reason } from '../../shared/sentences/reasons.ts'

/** The words for reasons and notes in the window's language, for `reason-sentences.ts`. */
export function reasonTexts(): ReasonTexts {
  return { ...bundle('reasons'), own: bundle('sentences') }
}

function bundle<Name extends 'reasons' | 'sentences'>(name: Name): Texts[Name] {
  return i18next.getResourceBundle(i18next.language, name) as Texts[Name]
}

/** Held because a cap is reached: nobody can approve that, but the cap can be changed. */
export function isCapped({ code, detail }: Reason): boolean {
  return code === 'spend_guard' && detail !== null && 'code' in detail && detail.code.startsWith('cap_')
}
