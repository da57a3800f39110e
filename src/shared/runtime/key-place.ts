import { z } from 'zod'

/** Why keys are not kept in a keychain; the catalogues have the texts. `silent`: it did not answer, as a locked one may. */
export const KeychainTrouble = z.enum(['locked', 'silent', 'no_service', 'not_loadable'])
export type KeychainTrouble = z.infer<typeof KeychainTrouble>

/** Where a key is kept, or would be. Only the keychain outlives the process; `because` is why it is not the keychain. */
export const KeyPlace = z.object({
  place: z.enum(['keychain', 'memory', 'environment']),
  because: KeychainTrouble.nullable(),
})
export type KeyPlace = z.infer<typeof KeyPlace>
