import { AppError } from '../../shared/errors.ts'
import { keychainTrouble } from './keychain-trouble.ts'
import type { Session } from './session.ts'

/**
 * Throws `key_missing`, saying what to do, unless an image service and its key are there. The command line never goes to
 * the practice service unless it is told to.
 */
export async function requireImageService({ practice, services, secrets }: Session): Promise<void> {
  if (practice !== null) return
  if (services.image === null)
    throw new AppError(
      'key_missing',
      'No image service is set up. Give its address with --service-url or HANGAR_SERVICE_URL and its key with "hangar key set image" or HANGAR_API_KEY. To try Hangar without an account, add --practice.',
    )
  if ((await secrets.get('image', services.image.origin)) === null) {
    const { because } = await secrets.describe('image', services.image.origin)
    const where = because === null ? '' : ` Keys cannot be kept on this computer: ${keychainTrouble(because)}`
    throw new AppError(
      'key_missing',
      `There is no key for ${services.image.origin}. Set it with "hangar key set image", or give it in HANGAR_API_KEY or HANGAR_API_KEY_FILE.${where}`,
    )
  }
}
