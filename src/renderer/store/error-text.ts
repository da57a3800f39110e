import i18next, { t } from 'i18next'
import type { AppErrorShape } from '../../shared/sentences/errors.ts'
import { sentenceText, type Sentence } from '../../shared/sentences/sentence.ts'
import { connection } from '../bridge/connect.ts'
import { reasonTexts } from '../text/reason-texts.ts'

/** Failures that read well without the words of others. */
const WORDED_BY_CODE = [
  'not_found',
  'key_missing',
  'key_refused',
  'credits_short',
  'rate_limited',
  'service_unreachable',
  'service_error',
  'address_insecure',
  'secret_store_unavailable',
  'name_taken',
  'disk_full',
  'not_writable',
  'unreadable',
  'file_swapped',
] satisfies AppErrorShape['code'][]
/** Failures whose particulars matter; those words follow. */
const WORDED_WITH_DETAIL = ['bad_request', 'address_wrong', 'internal'] as const satisfies AppErrorShape['code'][]

const isOneOf = <Code extends string>(codes: readonly Code[], code: string): code is Code =>
  (codes as readonly string[]).includes(code)

/**
 * A failure in the window's language. What others said (the system, a library) is left as it is; of such a failure the code
 * speaks, and those words are the detail where the code alone would say too little. What is wrong in Hangar itself is said
 * before the raw words of the program.
 */
export function errorText({ code, sentence, field }: AppErrorShape): string {
  if (connection.get().state !== 'open') return t('common:error.notConnected')
  if (field !== undefined) return t('common:error.field', { field })
  if (!('raw' in sentence)) return sentenceIn(sentence)
  const { raw: detail } = sentence
  if (isOneOf(WORDED_BY_CODE, code)) return t(`common:error.${code}`)
  return t(`common:error.${isOneOf(WORDED_WITH_DETAIL, code) ? code : 'other'}`, { detail })
}

/** Whether an address is to blame for a failure, as far as it is known: nothing answers there, or something else does. */
export function isOfAddress({ code }: AppErrorShape): boolean {
  return code === 'address_wrong' || code === 'address_insecure' || code === 'service_unreachable'
}

/** A sentence in the window's language. */
export function sentenceIn(sentence: Sentence): string {
  return sentenceText(sentence, reasonTexts().own, i18next.language)
}
