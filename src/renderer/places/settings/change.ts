import type { PageRequest } from '../../../shared/contract/calls.ts'
import { askOrToast } from '../../store/bridge.ts'

/** Stores some settings; the stream brings the new ones. Resolves to whether it succeeded. */
export async function change(changes: PageRequest<'settings.set'>): Promise<boolean> {
  return (await askOrToast('settings.set', changes)) !== null
}
