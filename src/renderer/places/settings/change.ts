import type { PageRequest } from '../../../shared/contract/calls.ts'
import { askOrToast } from '../../store/bridge.ts'

/** Stores some settings; the new ones come back with the stream. Resolves to whether it worked. */
export async function change(changes: PageRequest<'settings.set'>): Promise<boolean> {
  return (await askOrToast('settings.set', changes)) !== null
}
