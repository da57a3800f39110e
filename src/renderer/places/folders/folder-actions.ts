import { t } from 'i18next'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import { askOrToast } from '../../store/bridge.ts'
import { copyText } from '../../store/copy-text.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { toastWithUndo, toast } from '../../store/toasts.ts'
import { pickFolder } from '../../pickers/pick-folder.tsx'
import { splitPath } from '../../parts/split-path.ts'

export function setPaused({ id }: FolderRow, paused: boolean): void {
  inBackground(() => askOrToast('folders.update', { id, changes: { paused } }))
}

/** Scans the folder at once. The toast is the only sign of it if nothing is new. */
export async function rescan({ id, path }: FolderRow): Promise<void> {
  const done = await askOrToast('folders.reconcile', { id })
  if (done !== null) toast(t('folders:scanned', { name: splitPath(path).name }))
}

/** Asks where a folder is that a person has moved, and watches it there. */
export async function locateFolder({ id, path }: FolderRow): Promise<void> {
  const { name } = splitPath(path)
  const picked = await pickFolder(t('folders:locateTitle', { name }))
  if (picked === null) return
  await askOrToast('folders.locate', { id, path: picked.token })
}

export async function removeFolder({ id, path }: FolderRow): Promise<void> {
  const removed = await askOrToast('folders.remove', { id })
  if (removed === null) return
  toastWithUndo(t('folders:removed', { name: splitPath(path).name }), () => askOrToast('folders.putBack', { id }))
}

export function copyPath({ path }: FolderRow): void {
  inBackground(() => copyText(path, t('common:copied')))
}
