import { AppError } from '../../shared/sentences/errors.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Wired } from './wire-command.ts'
import type { KeychainTrouble } from '../../shared/runtime/key-place.ts'
import settings from '../../shared/text/en/settings.json' with { type: 'json' }
import type { Language } from '../../shared/recipes/language.ts'
import type { Engine } from '../engine/start-engine.ts'

/** Conversion on this computer needs neither network nor key. */
export const needsService = ({ operation, convertOn }: Recipe): boolean =>
  operation !== 'convert' || convertOn === 'service'

/**
 * Throws `key_missing`, saying what to do, unless an image service and its key are set. The command line uses the practice service
 * only with `--practice`.
 */
export async function requireImageService({ practice, services, secrets }: Wired): Promise<void> {
  if (practice !== null) return
  if (services.image === null) throw new AppError('key_missing', say('cli_no_image_service'))
  if ((await secrets.get('image', services.image.origin)) === null) {
    const { because } = await secrets.describe('image', services.image.origin)
    const { origin } = services.image
    throw new AppError(
      'key_missing',
      because === null
        ? say('cli_no_key', { origin })
        : say('cli_no_key_nor_keychain', { origin, why: keychainTrouble(because) }),
    )
  }
}

/** Why keys cannot be stored in a keychain here and what to do about it, worded to follow a colon. */
export function keychainTrouble(because: KeychainTrouble | null): string {
  return settings[`keychainTrouble.${because ?? 'no_service'}`]
}

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
