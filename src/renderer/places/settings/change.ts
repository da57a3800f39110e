import type { PageRequest } from '../../../shared/contract/calls.ts'
import { order } from '../../store/bridge.ts'

/** Stores some settings; the new ones come back with the stream. Resolves to whether it worked. */
export async function change(changes: PageRequest<'settings.set'>): Promise<boolean> {
  return (await order('settings.set', changes)) !== null
}
