import { Command as Cmdk } from 'cmdk'
import { ChevronRight, Folder } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import type { Place, PlaceToken } from '../../shared/contract/places.ts'

/** Arrows move, Enter opens, Backspace in the empty field goes up; without folders, Enter chooses this one. Remounted for each folder. */
export function FolderList(given: {
  folders: readonly Place[]
  startAt: string | null
  onOpen: (token: PlaceToken) => void
  onUp: () => void
  onChoose: () => void
}) {
  const { folders, startAt, onOpen, onUp, onChoose } = given
  const [typed, setTyped] = useState('')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat || typed !== '' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace') onUp()
    else if (event.key === 'Enter' && folders.length === 0) onChoose()
    else return
    event.preventDefault()
  }
  const start = folders.find(({ name }) => name === startAt)
  return (
    <Cmdk
      className="stack snug"
      label={t('common:places.folders')}
      defaultValue={start?.token ?? ''}
      filter={(_, wanted, [name = ''] = []) => (name.toLocaleLowerCase().includes(wanted.toLocaleLowerCase()) ? 1 : 0)}
      onKeyDown={onKeyDown}
    >
      <Cmdk.Input
        className="input"
        autoFocus
        placeholder={t('frame:shortcuts.search')}
        value={typed}
        onValueChange={setTyped}
      />
      <Cmdk.List className="browser-list" label={t('common:places.folders')}>
        <Cmdk.Empty className="browser-none secondary">
          {t(folders.length === 0 ? 'folders:browser.noFolders' : 'frame:palette.none')}
        </Cmdk.Empty>
        {folders.map(({ name, token }) => (
          <Cmdk.Item
            key={token}
            value={token}
            keywords={[name]}
            className="browser-folder"
            // The second press of a double click is meant for the folder of the first, not for the one shown there by then.
            onClickCapture={(event) => event.detail > 1 && event.stopPropagation()}
            onSelect={() => onOpen(token)}
          >
            <Folder size={16} aria-hidden />
            <bdi className="ellipsis" title={straightText(name)}>
              {straightText(name)}
            </bdi>
            <ChevronRight className="browser-into" size={14} aria-hidden />
          </Cmdk.Item>
        ))}
      </Cmdk.List>
    </Cmdk>
  )
}
