import { AppError } from '../../shared/sentences/errors.ts'
import type { Language } from '../../shared/recipes/language.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Engine } from '../engine/start-engine.ts'

/** The service's default (image service document, "Endpoints"), so it need not be looked up. */
const DEFAULT_LANGUAGE = 'en'

export const mayBeUnknown = (languages: readonly string[]): boolean =>
  languages.some((code) => code !== DEFAULT_LANGUAGE)

/**
 * Checks languages against `GET /languages`, which is free and cached for a day. Throws `bad_request` for one that the service
 * does not offer. Passes if the list is not available: the service will refuse an unknown language.
 */
export async function checkLanguages(engine: Pick<Engine, 'call'>, languages: readonly string[]): Promise<void> {
  if (!mayBeUnknown(languages)) return
  const result = await engine.call('languages.list', {})
  if (result.ok) refuseUnknown(languages, result.value.languages)
}

/** Throws `bad_request` for a language that the service does not list. An empty list allows everything. */
export function refuseUnknown(languages: readonly string[], ofService: readonly Language[]): void {
  if (ofService.length === 0) return
  const known = new Set(ofService.map(({ code }) => code.toLowerCase()))
  const wrong = languages.filter((code) => !known.has(code))
  if (wrong.length > 0)
    throw new AppError('bad_request', say('cli_languages_unknown', { unknown: wrong, known: [...known].sort() }))
}
