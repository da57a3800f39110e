import { BookOpenText, FolderPlus, FolderSync } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { t } from 'i18next'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import { PlaceHeader } from '../../parts/place-header.tsx'
import { useNow } from '../../parts/use-now.ts'
import { pickFolder } from '../../pickers/pick-folder.tsx'
import { inBackground } from '../../bridge/in-background.ts'
import { useShell } from '../../store/shell-store.ts'
import { goTo, useView } from '../../store/view-store.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FolderDialog, type FolderToSet } from './folder-dialog.tsx'
import { FolderLine, removeFolder } from './folder-line.tsx'
import './folders.css'

const NO_FOLDERS: readonly FolderRow[] = []

const HEADS = ['folder', 'recipe', 'state', 'pictures', 'last'] as const

export default function FoldersPlace() {
  const folders = useShell(({ state }) => state?.folders ?? NO_FOLDERS)
  const [shown, setShown] = useState<FolderToSet | null>(null)
  const isGone = useView(({ folder }) => folder !== null && !folders.some(({ id }) => id === folder))
  const watch = async () => {
    const picked = await pickFolder(t('folders:pickTitle'))
    if (picked === null) return
    // A folder that is watched already is opened with its settings.
    const folder = folders.find(({ path }) => path === picked.path)
    setShown(folder === undefined ? { kind: 'new', place: picked } : { kind: 'watched', folder })
  }
  const watchButton = (
    <Button kind="primary" onClick={() => watch()}>
      <FolderPlus size={16} aria-hidden />
      {t('folders:watch')}
    </Button>
  )
  return (
    <section className="place">
      <PlaceHeader title={t('common:places.folders')}>
        <Button onClick={() => goTo('settings', { section: 'recipes' })}>
          <BookOpenText size={16} aria-hidden />
          {t('folders:recipes')}
        </Button>
        {folders.length === 0 ? null : watchButton}
      </PlaceHeader>
      {isGone ? (
        <p className="folders-gone secondary" role="status">
          {t('folders:gone')}
        </p>
      ) : null}
      {folders.length === 0 ? (
        <Empty picture={<FolderSync size={40} strokeWidth={1.25} aria-hidden />} text={t('folders:empty')}>
          {watchButton}
        </Empty>
      ) : (
        <FolderList folders={folders} onEdit={(folder) => setShown({ kind: 'watched', folder })} />
      )}
      {shown === null ? null : <FolderDialog shown={shown} onClose={() => setShown(null)} />}
    </section>
  )
}

function FolderList({ folders, onEdit }: { folders: readonly FolderRow[]; onEdit: (folder: FolderRow) => void }) {
  const nowMs = useNow()
  const list = useRef<HTMLDivElement>(null)
  const names = () => [...(list.current?.querySelectorAll<HTMLElement>('.folders-open') ?? [])]
  useOpenFolder(list)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // Only on the names: arrow keys on a menu button open the menu.
    const at = names().findIndex((name) => name === event.target)
    const folder = folders[at]
    if (folder === undefined) return
    if (event.key === 'Delete') inBackground(() => removeFolder(folder))
    else if (event.key === 'ArrowDown') names()[at + 1]?.focus()
    else if (event.key === 'ArrowUp') names()[at - 1]?.focus()
    else return
    event.preventDefault()
  }
  return (
    <div className="place-scroll folders" role="table" aria-label={t('folders:list')}>
      <div role="rowgroup">
        <div className="folders-heads caption" role="row">
          {HEADS.map((head) => (
            <span key={head} role="columnheader">
              {t(`folders:heads.${head}`)}
            </span>
          ))}
        </div>
      </div>
      <div ref={list} className="folders-list" role="rowgroup" onKeyDown={onKeyDown}>
        {folders.map((folder) => (
          <FolderLine key={folder.id} folder={folder} nowMs={nowMs} onEdit={() => onEdit(folder)} />
        ))}
      </div>
    </div>
  )
}

function useOpenFolder(list: React.RefObject<HTMLDivElement | null>): void {
  const wanted = useView(({ folder }) => folder)
  const visit = useView((view) => view.visit)
  useEffect(() => {
    if (wanted === null) return
    const lines = [...(list.current?.children ?? [])].filter((line) => line instanceof HTMLElement)
    const line = lines.find((one) => one.dataset['folder'] === wanted)
    line?.scrollIntoView({ block: 'nearest' })
    line?.querySelector<HTMLElement>('.folders-open')?.focus()
  }, [wanted, visit, list])
}
