import { AppError } from '../../shared/sentences/errors.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Wired } from './wire-command.ts'
import type { KeychainTrouble } from '../../shared/runtime/key-place.ts'
import settings from '../../shared/text/en/settings.json' with { type: 'json' }

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
  return settings.keychainTrouble[because ?? 'no_service']
}
