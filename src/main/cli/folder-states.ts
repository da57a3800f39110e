import type { Folder } from '../../shared/contract/folders.ts'
import type { FolderReason } from '../../shared/sentences/folder-reason.ts'
import { watched } from '../intake/watched-folders.ts'
import { storedFolders, storedSettings } from '../engine/stored-settings.ts'
import { ownPlaces } from '../watch/own-places.ts'
import { findRootFolder } from '../watch/root-folder.ts'
import { findRefusals } from '../watch/watch-places.ts'

/** A stored folder, and whether it can be watched now. `reason` is set if it cannot. */
export interface RememberedFolder {
  folder: Folder
  state: 'watched' | 'paused' | 'refused' | 'missing'
  reason: FolderReason | null
}

/** Checks the folders on the disk, whether or not an engine is running. */
export async function rememberedFolders(dataDir: string): Promise<RememberedFolder[]> {
  const folders = storedFolders(dataDir)
  const refusals = await findRefusals(folders.map(watched), ownPlaces(dataDir, storedSettings(dataDir).inboxDir))
  return Promise.all(
    folders.map(async (folder, at) => {
      const refusal = refusals[at] ?? null
      const reason = refusal ?? (await whyAway(folder.path))
      const state = refusal !== null ? 'refused' : folder.paused ? 'paused' : reason === null ? 'watched' : 'missing'
      return { folder, state, reason }
    }),
  )
}

async function whyAway(path: string): Promise<FolderReason | null> {
  const root = await findRootFolder(path)
  return root.kind === 'missing' ? root.why : null
}
